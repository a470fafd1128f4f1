import cinta as tf

x = tf.Variable(0.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.sqrt(x) + x  # <sqrt-at-zero>
    g = inner.gradient(y, x)
outer.gradient(g, x)
