import numpy as np

import cinta as tf

v = tf.Variable([3.0, 4.0])
with tf.GradientTape() as tape:
    length = np.linalg.norm(v)  # <left-to-numpy>
    unit = tf.constant([1.0, 0.0]) / length
    loss = tf.reduce_sum(unit**2)
tape.gradient(loss, v)
