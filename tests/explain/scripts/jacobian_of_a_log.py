import cinta as tf

x = tf.Variable([[1.0, 0.0], [2.0, 3.0]])
with tf.GradientTape() as tape:
    y = tf.math.log(x) * x  # <log-of-zero>
tape.batch_jacobian(y, x)
