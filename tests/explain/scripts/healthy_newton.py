import cinta as tf


def newton(f, x, n=5):
    for _ in range(n):
        with tf.GradientTape() as t2:
            t2.watch(x)
            with tf.GradientTape() as t1:
                t1.watch(x)
                y = f(x)
            g = t1.gradient(y, x)
        h = t2.gradient(g, x)
        x = x - g / h
    return x


print(newton(lambda v: tf.cosh(v - 1.0), tf.constant(0.3)))
