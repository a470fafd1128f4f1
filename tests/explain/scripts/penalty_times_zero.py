import cinta as tf

alpha = 0.0
w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    reg = tf.reduce_sum(tf.abs(w))
    loss = 1.0 + alpha * reg  # <multiplied-by-zero>
tape.gradient(loss, w)
