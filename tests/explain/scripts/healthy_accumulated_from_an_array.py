import numpy as np

import cinta as tf

w = tf.Variable([1.0, 2.0])
total = np.zeros(2, "float32")
with tf.GradientTape() as tape:
    for k in range(3):
        total += w * float(k)
    loss = tf.reduce_sum(tf.convert_to_tensor(total) ** 2)
tape.gradient(loss, w)
