import cinta as tf


class TwoHeads(tf.Module):
    def __init__(self):
        super().__init__()
        self.left = tf.Variable([1.0])
        self.right = tf.Variable([2.0])

    def __call__(self, x):
        left = self.left * x
        right = self.right * x
        return left, right


net = TwoHeads()
with tf.GradientTape() as tape:
    left, right = net(tf.constant([3.0]))
    loss = tf.reduce_sum(left**2)  # <no-path>
print(tape.gradient(loss, [net.left, net.right]))
