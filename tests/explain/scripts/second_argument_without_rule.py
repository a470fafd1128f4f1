import cinta as tf


@tf.custom_gradient
def scaled_tanh(x, scale):
    y = tf.tanh(x)

    def grad(upstream):
        return upstream * scale * (1.0 - y**2), None  # <custom-gradient-none>

    return y * scale, grad


x, scale = tf.Variable([0.1, 0.2]), tf.Variable(2.0)
with tf.GradientTape() as tape:
    out = tf.reduce_sum(scaled_tanh(x, scale))
tape.gradient(out, [x, scale])
