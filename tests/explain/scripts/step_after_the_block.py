import cinta as tf

w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = w * w
z = y * 3.0  # <outside-tape>
print(tape.gradient(z, w))
