import cinta as tf


@tf.function
def root(a):
    x = a
    for _ in tf.range(5):
        x = 0.5 * (x + a / x)
    return tf.cond(a > 1.0, lambda: x, lambda: a)


a = tf.Variable(4.0)
for _ in range(3):
    with tf.GradientTape() as tape:
        y = root(a)
    a.assign_sub(0.1 * tape.gradient(y, a))
