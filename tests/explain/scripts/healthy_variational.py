import cinta as tf

mean, deviation = tf.Variable([0.0, 1.0]), tf.Variable([-1.0, 0.0])
for step in range(3):
    with tf.GradientTape() as tape:
        noise = tf.random.normal([2], seed=step)
        z = mean + tf.exp(0.5 * deviation) * noise
        divergence = -0.5 * tf.reduce_sum(1.0 + deviation - mean**2 - tf.exp(deviation))
        loss = tf.reduce_sum((z - 1.0) ** 2) + divergence
    gm, gd = tape.gradient(loss, [mean, deviation])
    mean.assign_sub(0.1 * gm)
    deviation.assign_sub(0.1 * gd)
