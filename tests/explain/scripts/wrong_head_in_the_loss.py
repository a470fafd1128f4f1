import cinta as tf


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.body = tf.Variable([[1.0, 2.0]])
        self.policy = tf.Variable([[0.5], [0.5]])
        self.value = tf.Variable([[0.3], [0.1]])

    def __call__(self, x):
        h = tf.nn.tanh(x @ self.body)
        return h @ self.policy, h @ self.value


net = Net()
with tf.GradientTape() as tape:
    policy, value = net(tf.constant([[1.0]]))
    loss = tf.reduce_sum(policy**2)  # <no-path>
tape.gradient(loss, net.value)
