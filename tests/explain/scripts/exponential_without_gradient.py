import cinta as tf


def loss_of(x):
    return tf.reduce_sum(tf.exp(x) - 1.0)  # <overflow>


x = tf.constant([100.0, 2.0])
print("loss", loss_of(x).numpy())
