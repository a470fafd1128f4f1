import cinta as tf

w = tf.Variable([[0.2, 0.3], [0.4, 0.5]])
x = tf.constant([[1.0, 2.0]])
prediction = tf.matmul(x, w)  # <outside-tape>
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((prediction - 1.0) ** 2)
gradients = tape.gradient(loss, [w])
