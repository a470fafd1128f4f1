import numpy as np

import cinta as tf

a, b = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    both = np.array([a * 2.0, b * 3.0])  # <left-to-numpy>
    loss = tf.reduce_sum(tf.constant(both, tf.float32) ** 2)
tape.gradient(loss, [a, b])
