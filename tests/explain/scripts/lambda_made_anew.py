import cinta as tf

w = tf.Variable(2.0)
for k in range(3):
    f = tf.function(lambda x: x * w)  # <made-anew>
    f(tf.constant(1.0))
