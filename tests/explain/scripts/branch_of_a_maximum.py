import cinta as tf


@tf.function
def shrink(x):
    if tf.reduce_max(x) > 1.0:  # <python-branch>
        x = x / 2.0
    return x


for v in ([0.5, 0.7], [3.0, 4.0]):
    shrink(tf.constant(v))
