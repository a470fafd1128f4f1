import cinta as tf

x = tf.Variable(2.0)
with tf.GradientTape() as outer, tf.GradientTape() as inner:
    y = x**3
dy = inner.gradient(y, x)  # <outside-tape>
print(outer.gradient(dy, x))
