import cinta as tf

x = tf.Variable([0.0, 4.0])
with tf.GradientTape() as tape:
    y = tf.sqrt(x)  # <sqrt-at-zero>
    z = y * 3.0
print(tape.jacobian(z, x))
