import cinta as tf

x = tf.constant(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = x**3
    dy = inner.gradient(y, x)  # <not-watched>
d2y = outer.gradient(dy, x)
