import cinta as tf

scale = tf.Variable(3.0)
points = tf.data.Dataset.range(4).map(lambda i: tf.cast(i, tf.float32) * scale)  # <state-boundary>
with tf.GradientTape() as tape:
    loss = tf.constant(0.0)
    for point in points:
        loss = loss + point**2
tape.gradient(loss, scale)
