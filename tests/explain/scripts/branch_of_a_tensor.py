import cinta as tf


@tf.function
def clip(x):
    if tf.reduce_sum(x) > 0.0:  # <python-branch>
        return x * 2.0
    return x


for v in ([1.0, 2.0], [-1.0, -3.0]):
    clip(tf.constant(v))
