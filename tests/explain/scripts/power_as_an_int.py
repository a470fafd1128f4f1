import cinta as tf

n = tf.Variable(2.0)
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.pow(x, int(n))  # <python-value>
    loss = tf.reduce_sum(y)
tape.gradient(loss, n)
