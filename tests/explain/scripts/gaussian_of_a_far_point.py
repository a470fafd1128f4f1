import cinta as tf

x = tf.Variable(30.0)


def density(x):
    return tf.exp(-(x**2)) / 2.5  # <underflow>


with tf.GradientTape() as tape:
    p = density(x)
tape.gradient(p, x)
