import cinta as tf

x = tf.Variable([0.2, 0.9])
with tf.GradientTape() as tape:
    y = x + tf.stop_gradient(tf.round(x) - x)
    loss = tf.reduce_sum(y * y)
print(tape.gradient(loss, x))
