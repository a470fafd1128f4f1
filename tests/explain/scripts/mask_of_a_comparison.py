import cinta as tf


class Gate(tf.Module):
    def __init__(self):
        super().__init__()
        self.threshold = tf.Variable(0.5)

    def __call__(self, x):
        open_ = tf.cast(x > self.threshold, tf.float32)  # <nondifferentiable-op>
        return x * open_


gate = Gate()
with tf.GradientTape() as tape:
    y = tf.reduce_sum(gate(tf.constant([0.1, 0.9])))
tape.gradient(y, gate.threshold)
