import numpy as np

import cinta as tf

theta = tf.Variable([0.1, 0.2])


def simulate(t):
    out = np.zeros(2, "float32")
    for k in range(2):
        out[k] = t[k] * (k + 1.0)  # <left-to-numpy>
    return out


with tf.GradientTape() as tape:
    y = simulate(theta)
    loss = tf.reduce_sum(tf.square(y))
tape.gradient(loss, theta)
