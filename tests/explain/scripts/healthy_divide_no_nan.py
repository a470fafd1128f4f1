import cinta as tf

x = tf.constant([1.0, 0.0, 2.0])
safe = tf.math.divide_no_nan(1.0, x)
xlogx = tf.math.xlogy(x, x)
print(safe, xlogx)
