import cinta as tf

x = tf.constant([-1.0, 2.0, 0.0])
ratio = 1.0 / x
print(tf.where(x == 0.0, 0.0, ratio))
