import cinta as tf

temperature = tf.Variable(0.01)
scores = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    weights = tf.exp(scores / temperature)  # <overflow>
    loss = tf.reduce_sum(weights / tf.reduce_sum(weights))
tape.gradient(loss, temperature)
