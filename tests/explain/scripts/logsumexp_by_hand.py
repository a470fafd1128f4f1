import cinta as tf


def logsumexp(z):
    return tf.math.log(tf.reduce_sum(tf.exp(z)))  # <overflow>


z = tf.Variable([90.0, 1.0])
with tf.GradientTape() as tape:
    tape.watch(z)
    loss = logsumexp(z)
print(tape.gradient(loss, z).numpy())
