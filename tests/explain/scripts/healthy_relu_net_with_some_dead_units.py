import numpy as np

import cinta as tf

rng = np.random.default_rng(0)
w1 = tf.Variable(rng.normal(size=(3, 16)).astype("float32"))
b1 = tf.Variable(np.full(16, -0.5, "float32"))
w2 = tf.Variable(rng.normal(size=(16, 1)).astype("float32"))
x = rng.normal(size=(10, 3)).astype("float32")
for _ in range(10):
    with tf.GradientTape() as tape:
        h = tf.nn.relu(x @ w1 + b1)
        loss = tf.reduce_mean((h @ w2 - 1.0) ** 2)
    for v, g in zip([w1, b1, w2], tape.gradient(loss, [w1, b1, w2])):
        v.assign_sub(0.001 * g)
