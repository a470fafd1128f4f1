import cinta as tf


def train(x):
    @tf.function  # <made-anew>
    def step(v):
        return v * 2.0

    return step(x)


for _ in range(4):
    train(tf.constant(1.0))
