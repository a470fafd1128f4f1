import cinta as tf

x = tf.constant([1.0, 2.0])
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = tf.reduce_sum(x**3)
    g = inner.gradient(y, x)
h = outer.jacobian(g, x)
print(h.numpy())
