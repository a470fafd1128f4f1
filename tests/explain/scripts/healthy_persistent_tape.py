import cinta as tf

w = tf.Variable(2.0)
x = tf.Variable(1.0)
with tf.GradientTape(persistent=True) as tape:
    y = w * x
    z = y * y
print(tape.gradient(z, w), tape.gradient(z, x), tape.gradient(z, y))
del tape
