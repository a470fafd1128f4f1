import cinta as tf

x = tf.Variable([0.0, -3.0, 2.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.abs(x)) + tf.sqrt(tf.reduce_sum(x**2) + 1e-12)
tape.gradient(loss, x)
