import cinta as tf


class Net:
    def __init__(self):
        self.training = True
        self.w = tf.Variable(2.0)

    @tf.function
    def run(self, x):
        y = self.w * x
        if self.training:  # <captured-changed>
            y = y * 0.5
        return y


net = Net()
net.run(tf.constant(1.0))
net.training = False
net.run(tf.constant(1.0))
