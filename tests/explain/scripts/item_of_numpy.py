import cinta as tf

w = tf.Variable(1.5)


class Schedule:
    def __call__(self, t):
        return 0.1 * w.numpy().item() ** t  # <left-to-numpy>


with tf.GradientTape() as tape:
    loss = tf.constant(2.0) * Schedule()(3)
tape.gradient(loss, w)
