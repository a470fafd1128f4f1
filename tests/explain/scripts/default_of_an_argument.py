import cinta as tf

rate = tf.Variable(0.3)


def decay(t, factor=rate * 2.0):  # <outside-tape>
    return tf.exp(-factor * t)


with tf.GradientTape() as tape:
    y = decay(tf.constant(1.0))
tape.gradient(y, rate)
