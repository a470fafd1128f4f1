import cinta as tf


@tf.custom_gradient
def reverse(x, strength):
    def grad(dy):
        flipped = -dy * strength
        return (flipped, None)  # <custom-gradient-none>

    return tf.identity(x), grad


s = tf.Variable(0.5)
w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(reverse(w, s))
tape.gradient(loss, [w, s])
