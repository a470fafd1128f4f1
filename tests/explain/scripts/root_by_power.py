import cinta as tf

base = tf.Variable([-2.0, 3.0])
with tf.GradientTape() as tape:
    p = tf.pow(base, 0.5)  # <out-of-domain>
    loss = tf.reduce_mean(p)
tape.gradient(loss, base)
