import cinta as tf

x = tf.Variable([0.0, 1.0, 4.0])
with tf.GradientTape() as tape:
    safe = tf.where(x > 0.0, tf.sqrt(x), 0.0)
    loss = tf.reduce_sum(safe)
print(tape.gradient(loss, x))
