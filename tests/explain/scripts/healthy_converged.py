import cinta as tf

w = tf.Variable([2.0, 3.0])
for _ in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w - 1.0) ** 2)
    w.assign_sub(0.5 * tape.gradient(loss, w))
