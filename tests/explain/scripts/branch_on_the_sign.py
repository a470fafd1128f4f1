import cinta as tf


@tf.function(autograph=False)
def absolute(x):
    if x > 0.0:  # <python-branch>
        return x
    return -x


absolute(tf.constant(1.0))
absolute(tf.constant(-1.0))
