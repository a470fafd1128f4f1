import cinta as tf


class Trainer:
    def __init__(self):
        self.w = tf.Variable([1.0, 1.0])
        self.penalty = 0.01 * tf.reduce_sum(self.w**2)  # <outside-tape>

    def step(self):
        with tf.GradientTape() as tape:
            loss = self.penalty * 1.0
        return tape.gradient(loss, self.w)


Trainer().step()
