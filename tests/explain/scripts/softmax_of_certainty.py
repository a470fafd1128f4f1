import cinta as tf

scores = tf.Variable([[200.0, -100.0, 0.0]])
with tf.GradientTape() as tape:
    p = tf.nn.softmax(scores)  # <saturated>
    loss = tf.reduce_sum(p[:, 1] * 3.0)
tape.gradient(loss, scores)
