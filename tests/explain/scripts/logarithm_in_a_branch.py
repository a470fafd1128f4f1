import cinta as tf


def safe_log(x):
    return tf.where(x > 0.0, tf.math.log(x), tf.zeros_like(x))  # <where-branch>


w = tf.Variable([0.0, 2.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(safe_log(w))
grads = tape.gradient(loss, [w])
