import cinta as tf

a, b = tf.Variable(1.0), tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    used = tf.reduce_sum(b * a)
    unused = tf.argmax(b)
    rounded = tf.round(b * 2.0)
    share = tf.reduce_mean(tf.cast(rounded == 2.0, tf.float32))
tape.gradient(used, [a, b])
