import cinta as tf

with tf.autodiff.ForwardAccumulator(tf.constant(1.0), tf.constant(1.0)) as acc:
    pass
x = tf.constant(2.0)
with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    y = x**2 + tf.sin(x)
print(acc.jvp(y))
