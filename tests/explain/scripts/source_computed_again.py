import cinta as tf


def hidden(w):
    return tf.tanh(w * 2.0)


w = tf.Variable([0.1, 0.2])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(hidden(w) ** 2)
activation = tf.identity(w)  # <after-use>
tape.gradient(loss, activation)
