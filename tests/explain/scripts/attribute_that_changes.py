import cinta as tf


class Net:
    def __init__(self):
        self.dropout = 0.1

    @tf.function
    def __call__(self, x):
        return x * (1.0 - self.dropout)  # <captured-changed>


net = Net()
net(tf.ones([2]))
net.dropout = 0.3
net(tf.ones([2]))
