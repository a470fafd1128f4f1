import cinta as tf

scores = tf.Variable([[1.0, 2.0, 3.0]])
mask = tf.constant([[0.0, 0.0, float("-inf")]])
with tf.GradientTape() as tape:
    attention = tf.nn.softmax(scores + mask)
    loss = tf.reduce_sum(attention * [[1.0, 2.0, 3.0]])
tape.gradient(loss, scores)
