import cinta as tf

z = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    a = tf.exp(z)
    loss = tf.reduce_sum(a - tf.exp(z))  # <cancelled>
tape.gradient(loss, z)
