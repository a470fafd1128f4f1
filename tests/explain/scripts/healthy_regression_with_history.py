import numpy as np

import cinta as tf

w = tf.Variable(tf.zeros([3, 1]))
x = np.random.default_rng(0).normal(size=(32, 3)).astype("float32")
y = x @ np.array([[1.0], [2.0], [3.0]], "float32")
history = []
for _ in range(30):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w - y) ** 2)
    g = tape.gradient(loss, w)
    history.append(loss.numpy())
    w.assign_sub(0.1 * g)
print(np.mean(history))
