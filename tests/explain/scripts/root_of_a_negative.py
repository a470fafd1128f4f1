import cinta as tf

x = tf.Variable([-1.0, 4.0])
with tf.GradientTape() as tape:
    root = tf.sqrt(x - 1.0)  # <out-of-domain>
    loss = tf.reduce_sum(root)
tape.gradient(loss, x)
