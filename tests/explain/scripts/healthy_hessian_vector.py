import cinta as tf

x = tf.Variable([1.0, 2.0])
v = tf.constant([0.5, -1.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum(x**3 * tf.sin(x))
    g = inner.gradient(y, x)
    inner_product = tf.reduce_sum(g * v)
outer.gradient(inner_product, x)
with tf.GradientTape() as tape:
    with tf.autodiff.ForwardAccumulator(x, v) as acc:
        y = tf.reduce_sum(tf.exp(x))
    d = acc.jvp(y)
tape.gradient(d, x)
