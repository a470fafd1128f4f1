import cinta as tf


@tf.custom_gradient
def clip_forward(x, limit):
    y = tf.minimum(x, limit)

    def grad(dy):
        return dy, None  # <custom-gradient-none>

    return y, grad


limit = tf.Variable(1.5)
with tf.GradientTape() as tape:
    y = clip_forward(tf.constant([1.0, 2.0]), limit)
    loss = tf.reduce_sum(y)
print(tape.gradient(loss, limit))
