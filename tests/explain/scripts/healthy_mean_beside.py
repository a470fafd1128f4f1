import numpy as np

import cinta as tf

w = tf.Variable([0.5, 0.5])
mean = np.zeros(2)
for _ in range(4):
    with tf.GradientTape() as tape:
        h = tf.tanh(w)
        mean += h.numpy()
        loss = tf.reduce_sum((h - 1.0) ** 2)
    w.assign_sub(tape.gradient(loss, w))
