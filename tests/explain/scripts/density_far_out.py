import cinta as tf

x = tf.Variable([200.0, 300.0])
with tf.GradientTape() as tape:
    density = tf.exp(-x * x)  # <underflow>
    loss = tf.reduce_sum(density)
tape.gradient(loss, x)
