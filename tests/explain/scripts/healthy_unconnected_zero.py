import cinta as tf

a = tf.Variable(1.0)
b = tf.Variable(2.0)
with tf.GradientTape() as tape:
    loss = a * a
g = tape.gradient(loss, [a, b], unconnected_gradients=tf.UnconnectedGradients.ZERO)
print(g)
