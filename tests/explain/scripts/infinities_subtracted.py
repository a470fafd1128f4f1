import cinta as tf

a = tf.Variable(100.0)
limits = tf.constant(float("inf"))
with tf.GradientTape() as tape:
    gap = (limits + a) - limits * 2.0  # <inf-minus-inf>
    loss = gap * a
tape.gradient(loss, a)
