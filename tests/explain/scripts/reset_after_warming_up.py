import cinta as tf

w = tf.Variable(1.0)
with tf.GradientTape() as tape:
    warm = tf.exp(w)
    tape.reset()  # <tape-reset>
    loss = warm * 3.0
tape.gradient(loss, w)
