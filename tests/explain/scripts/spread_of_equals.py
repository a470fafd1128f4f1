import cinta as tf

x = tf.Variable([[1.0, 1.0, 1.0]])
with tf.GradientTape() as tape:
    spread = tf.math.reduce_std(x, axis=1)  # <sqrt-at-zero>
    loss = tf.reduce_mean(spread)
print(tape.gradient(loss, x))
