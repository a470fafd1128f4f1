import cinta as tf


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        big = tf.exp(x)  # <where-branch>
        y = tf.where(x > 50.0, x, big)
        loss = tf.reduce_sum(y)
    return tape.gradient(loss, x)


print(step(tf.constant([100.0, 1.0])))
