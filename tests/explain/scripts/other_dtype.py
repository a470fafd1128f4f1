import numpy as np

import cinta as tf


@tf.function
def total(x):
    return tf.reduce_sum(x)


total(tf.constant([1.0, 2.0]))
total(tf.constant(np.array([1.0, 2.0])))  # <argument-dtype>
