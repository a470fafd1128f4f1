import cinta as tf


@tf.custom_gradient
def clip_gradient(x):
    def grad(upstream):
        return tf.clip_by_value(upstream, -1.0, 1.0)

    return tf.identity(x), grad


w = tf.Variable(5.0)
with tf.GradientTape() as tape:
    loss = clip_gradient(w) ** 3
tape.gradient(loss, w)
