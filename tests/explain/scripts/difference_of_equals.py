import cinta as tf

w = tf.Variable(3.0)
with tf.GradientTape() as tape:
    a = w * 2.0
    b = w * 2.0
    loss = a - b  # <cancelled>
tape.gradient(loss, w)
