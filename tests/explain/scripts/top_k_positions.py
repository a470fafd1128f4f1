import cinta as tf

scores = tf.Variable([0.2, 0.9, 0.4, 0.8])
prices = tf.constant([1.0, 2.0, 3.0, 4.0])
with tf.GradientTape() as tape:
    best = tf.math.top_k(scores, k=2)  # <nondifferentiable-op>
    cost = tf.reduce_sum(tf.gather(prices, best.indices))
tape.gradient(cost, scores)
