import cinta as tf


def normalize(x):
    mean = tf.reduce_mean(x)
    deviation = tf.sqrt(tf.reduce_mean((x - mean) ** 2))  # <sqrt-at-zero>
    return x / (deviation + 1e-6)


x = tf.Variable([2.0, 2.0, 2.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(normalize(x) ** 2)
tape.gradient(loss, x)
