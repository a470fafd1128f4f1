import cinta as tf

x = tf.Variable([0.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.where(x > 0.0, tf.math.log(x), 0.0)  # <where-branch>
    loss = tf.reduce_sum(y)
tape.gradient(loss, x)
