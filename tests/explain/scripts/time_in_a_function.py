import cinta as tf


@tf.function
def scaled(x, options):
    return x * options["factor"]


scaled(tf.constant(1.0), {"factor": 1.0})
scaled(tf.constant(1.0), {"factor": 2.0})  # <argument-value>
