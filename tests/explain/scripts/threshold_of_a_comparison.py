import cinta as tf

threshold = tf.Variable(0.5)
x = tf.constant([0.1, 0.6, 0.9])
with tf.GradientTape() as tape:
    selected = tf.cast(x > threshold, tf.float32)  # <nondifferentiable-op>
    loss = tf.reduce_sum(selected * x)
tape.gradient(loss, threshold)
