import cinta as tf

x = tf.Variable(3.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = 5.0 * x
    slope = inner.gradient(y, x)  # <no-path>
outer.gradient(slope, x)
