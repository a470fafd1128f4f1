import numpy as np

import cinta as tf

data = np.array([1.0, np.nan, 3.0], "float32")
w = tf.Variable(1.0)
with tf.GradientTape() as tape:
    x = tf.constant(data)  # <nan-input>
    loss = tf.reduce_mean((w * x - 1.0) ** 2)
print(tape.gradient(loss, w))
