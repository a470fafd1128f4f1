import cinta as tf

x = tf.Variable([0.0, 1.0, 4.0])
with tf.GradientTape() as tape:
    ok = x > 0.0
    y = tf.where(ok, tf.sqrt(tf.where(ok, x, 1.0)), 0.0)
    loss = tf.reduce_sum(y)
print(tape.gradient(loss, x))
