import numpy as np

import cinta as tf

w = tf.Variable([0.5, -0.5])
b = tf.Variable(0.1)
history = []
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
with tf.GradientTape() as tape:
    history.append(float(b))
    scores = tf.linalg.matvec(x, w) + b
    probabilities = 1.0 / (1.0 + np.exp(-scores.numpy()))  # <left-to-numpy>
    loss = tf.reduce_mean(tf.constant(probabilities) * 3.0)
history.append(float(loss))
tape.gradient(loss, [w, b])
