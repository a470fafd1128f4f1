import numpy as np

import cinta as tf

data = np.random.default_rng(0).normal(2.0, 3.0, size=(50, 2)).astype("float32")
normal = (data - data.mean(0)) / data.std(0)
w = tf.Variable(np.zeros((2, 1), "float32"))
goal = normal @ np.array([[1.0], [2.0]], "float32")
for step in range(10):
    rows = np.random.default_rng(step).choice(50, 10)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((normal[rows] @ w - goal[rows]) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
np.corrcoef((normal @ w.numpy()).ravel(), goal.ravel())
