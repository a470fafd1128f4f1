import cinta as tf


@tf.function
def decay(x, step):
    return x * 0.9**step


x = tf.constant(1.0)
for step in range(5):
    x = decay(x, step)  # <argument-value>
