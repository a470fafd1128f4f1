import cinta as tf


def make(rates):
    @tf.function
    def step(x):
        return x * rates[0]  # <captured-changed>

    return step


rates = [0.1]
step = make(rates)
step(tf.constant(1.0))
rates[0] = 0.2
step(tf.constant(1.0))
