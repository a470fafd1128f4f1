import cinta as tf

x = tf.Variable([-1.0, 0.5])


@tf.function
def entropy(x):
    return tf.reduce_sum(tf.math.log1p(x) * 2.0)  # <log-of-zero>


for _ in range(3):
    with tf.GradientTape() as tape:
        y = entropy(x)
    tape.gradient(y, x)
