import cinta as tf

a, b = tf.Variable(1.0), tf.Variable(2.0)
with tf.autodiff.ForwardAccumulator(primals=a, tangents=tf.constant(1.0)) as acc:
    y = tf.exp(b)  # <no-path>
acc.jvp(y)
