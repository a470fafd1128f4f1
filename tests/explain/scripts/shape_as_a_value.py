import cinta as tf

n = tf.Variable(3.0)
with tf.GradientTape() as tape:
    row = tf.ones([int(n)])  # <python-value>
    loss = tf.reduce_sum(row)
tape.gradient(loss, n)
