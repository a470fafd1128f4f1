import cinta as tf

a, b = tf.Variable(1.0), tf.Variable(2.0)


def model(x):
    return a * x + a


with tf.GradientTape() as tape:
    loss = (model(2.0) - 1.0) ** 2  # <no-path>
da, db = tape.gradient(loss, [a, b])
