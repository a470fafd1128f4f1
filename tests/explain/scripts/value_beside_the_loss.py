import cinta as tf

x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    loss = x * x
    h = x * 3.0  # <after-use>
print(tape.gradient(loss, h))
