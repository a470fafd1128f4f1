import cinta as tf

u = tf.Variable([1.0, 2.0])
v = tf.Variable([1.0, 2.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        d = tf.reduce_sum((u - v) ** 2) ** 0.5  # <sqrt-at-zero>
    g = inner.gradient(d, u)
    penalty = tf.reduce_sum(g**2)
outer.gradient(penalty, u)
