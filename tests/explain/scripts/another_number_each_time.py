import cinta as tf


@tf.function
def power(x, k):
    return x**k


for k in (1, 2, 3):
    power(tf.constant(2.0), k)  # <argument-value>
