import cinta as tf

level = tf.Variable([1.3, 2.7])


@tf.function
def step():
    with tf.GradientTape() as tape:
        lower = tf.floor(level)  # <nondifferentiable-op>
        loss = tf.reduce_sum(lower * 3.0)
    return tape.gradient(loss, level)


step()
