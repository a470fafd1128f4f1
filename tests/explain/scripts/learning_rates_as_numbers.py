import cinta as tf


class Trainer:
    def __init__(self):
        self.w = tf.Variable(1.0)

    @tf.function
    def step(self, lr, training):
        self.w.assign_sub(lr * self.w if training else 0.0)


t = Trainer()
for lr in (0.1, 0.05, 0.01):
    t.step(lr, training=True)  # <argument-value>
