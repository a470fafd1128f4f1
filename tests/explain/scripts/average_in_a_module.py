import cinta as tf


class Ema(tf.Module):
    def __init__(self):
        super().__init__()
        self.average = tf.Variable([0.0, 0.0], trainable=False)

    def __call__(self, x):
        self.average.assign(0.9 * self.average + 0.1 * x)  # <assigned-state>
        return self.average * 1.0


ema = Ema()
w = tf.Variable([1.0, 2.0])


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(ema(w * 3.0))
    return tape.gradient(loss, w)


step()
