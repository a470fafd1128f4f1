import cinta as tf


class VectorQuantiser(tf.Module):
    def __init__(self):
        super().__init__()
        self.codes = tf.Variable([[0.0, 0.0], [1.0, 1.0]])

    def __call__(self, z):
        d = tf.reduce_sum((z[:, None] - self.codes[None]) ** 2, -1)
        q = tf.gather(self.codes, tf.argmin(d, -1))
        return z + tf.stop_gradient(q - z)  # <stop-gradient>


vq = VectorQuantiser()
z = tf.constant([[0.9, 0.8]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(vq(z) ** 2)
tape.gradient(loss, vq.codes)
