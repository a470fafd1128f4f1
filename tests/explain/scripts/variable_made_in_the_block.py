import cinta as tf

scale = tf.Variable(3.0)
with tf.GradientTape() as tape:
    doubled = tf.Variable(scale * 2.0)  # <assigned-state>
    loss = doubled**2
tape.gradient(loss, scale)
