import cinta as tf

first, second = tf.Variable([[0.3, 0.1]]), tf.Variable([[0.0], [0.0]])
x = tf.constant([[2.0]])
with tf.GradientTape() as tape:
    h = tf.tanh(x @ first)
    out = h @ second  # <multiplied-by-zero>
    loss = tf.reduce_sum((out - 1.0) ** 2)
tape.gradient(loss, first)
