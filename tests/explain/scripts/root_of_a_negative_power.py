import cinta as tf

base = tf.Variable([-2.0, 3.0])
with tf.GradientTape() as tape:
    y = base**0.5  # <out-of-domain>
    loss = tf.reduce_sum(y)
tape.gradient(loss, base)
