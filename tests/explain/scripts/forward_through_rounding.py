import cinta as tf

x = tf.constant([1.2, 3.4])
with tf.autodiff.ForwardAccumulator(x, tf.ones([2])) as acc:
    whole = tf.round(x * 2.0)  # <nondifferentiable-op>
    y = whole + 1.0
acc.jvp(y)
