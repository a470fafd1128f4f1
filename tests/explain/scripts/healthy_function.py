import cinta as tf


@tf.function
def f(x):
    return tf.reduce_sum(tf.sin(x))


x = tf.Variable([0.1, 0.2])
for _ in range(5):
    with tf.GradientTape() as tape:
        y = f(x)
    x.assign_sub(0.1 * tape.gradient(y, x))
