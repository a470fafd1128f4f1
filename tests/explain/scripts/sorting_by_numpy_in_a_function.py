import numpy as np

import cinta as tf

w = tf.Variable([1.0, 2.0, 3.0])


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        y = tf.py_function(lambda v: np.sort(v.numpy()), [w * x], tf.float32)  # <left-to-numpy>
        loss = tf.reduce_sum(y)
    return tape.gradient(loss, w)


step(tf.constant(2.0))
