import cinta as tf

empty = tf.zeros([0, 3])
w = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(empty * w)  # <division-by-zero>
tape.gradient(loss, w)
