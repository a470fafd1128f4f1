import numpy as np

import cinta as tf


@tf.function
def double(x):
    return x * 2


double(tf.constant([1.0, 2.0]))
double(tf.constant(np.array([1.0, 2.0])))  # <argument-dtype>
