import cinta as tf

x = tf.Variable([0.0, 1.0])
with tf.GradientTape() as tape:
    y = tf.pow(tf.abs(x), 0.5)  # <sqrt-at-zero>
    loss = tf.reduce_sum(y)
tape.gradient(loss, x)
