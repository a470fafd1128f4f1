import cinta as tf

gain = tf.Variable([0.0, 0.0])
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    y = x + gain * x
    loss = tf.reduce_sum(y**2)
tape.gradient(loss, gain)
