import cinta as tf

w = tf.Variable([[1.0, -1.0], [0.5, 0.5]])
x = tf.constant([[1.0, 2.0], [-3.0, 0.5]])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.nn.relu(x @ w))
print(tape.gradient(y, w))
