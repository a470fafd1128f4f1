import cinta as tf

x = tf.constant(0.0)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    y = 1.0 / x  # <division-by-zero>
acc.jvp(y)
