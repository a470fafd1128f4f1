import numpy as np

import cinta as tf

w = tf.constant(np.random.default_rng(0).normal(size=(3, 2)).astype("float32"))
x = tf.Variable(np.random.default_rng(1).normal(size=(5, 3)).astype("float32"))
with tf.GradientTape(persistent=True) as tape:
    y = tf.tanh(x @ w)
tape.batch_jacobian(y, x)
tape.jacobian(y, x)
tape.gradient(y, x)
