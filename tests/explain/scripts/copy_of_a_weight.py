import cinta as tf

w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    copy = tf.Variable(w * 2.0)  # <assigned-state>
    loss = tf.reduce_sum(copy**2)
tape.gradient(loss, w)
