import cinta as tf

x = tf.Variable(tf.cast([200.0, 300.0], tf.float16))
with tf.GradientTape() as tape:
    y = x * x  # <overflow>
    loss = tf.reduce_sum(y)
tape.gradient(loss, x)
