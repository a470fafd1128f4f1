import cinta as tf

hits = tf.Variable([3.0, 0.0])
trials = tf.constant([10.0, 0.0])
with tf.GradientTape() as tape:
    rates = hits / trials  # <division-by-zero>
    loss = tf.reduce_sum(rates)
tape.gradient(loss, hits)
