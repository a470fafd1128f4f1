import cinta as tf


class Critic(tf.Module):
    def __init__(self):
        super().__init__()
        self.v = tf.Variable([0.5, 0.1])

    def value(self, s):
        return tf.reduce_sum(self.v * s)


critic = Critic()


def td_loss(s, s2, r):
    guess = critic.value(s)
    better = r + 0.9 * critic.value(s2)
    error = tf.stop_gradient(better - guess)  # <stop-gradient>
    return error**2


with tf.GradientTape() as tape:
    loss = td_loss(tf.constant([1.0, 0.0]), tf.constant([0.0, 1.0]), 1.0)
grads = tape.gradient(loss, critic.trainable_variables)
