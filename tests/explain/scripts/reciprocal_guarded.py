import cinta as tf

x = tf.Variable([0.0, 4.0])


@tf.function
def inverse(x):
    raw = 1.0 / x  # <where-branch>
    return tf.where(tf.equal(x, 0.0), tf.zeros_like(x), raw)


for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(inverse(x))
    tape.gradient(loss, x)
