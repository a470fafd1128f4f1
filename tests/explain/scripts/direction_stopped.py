import cinta as tf

x = tf.constant([1.0, 2.0])
with tf.autodiff.ForwardAccumulator(x, tf.ones([2])) as acc:
    frozen = tf.stop_gradient(x * 2.0)  # <stop-gradient>
    y = frozen + 1.0
print(acc.jvp(y))
