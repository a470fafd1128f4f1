import cinta as tf


def cost(x):  # <made-anew>
    return x**2


def run(x):
    return tf.function(cost)(x)


for _ in range(3):
    run(tf.constant(1.0))
