import cinta as tf

q = tf.Variable([0.1, 0.5])


@tf.function(jit_compile=True)
def td_error(reward):
    best = tf.stop_gradient(tf.reduce_max(q) * 0.9)  # <stop-gradient>
    return tf.square(reward + best)


for reward in (1.0, 2.0, 3.0):
    with tf.GradientTape() as tape:
        loss = td_error(tf.constant(reward))
    tape.gradient(loss, q)
