import cinta as tf


@tf.function
def fib(n):
    a, b = tf.constant(0.0), tf.constant(1.0)
    for _ in tf.range(n):
        a, b = b, a + b
    return a


print(fib(tf.constant(10)))
