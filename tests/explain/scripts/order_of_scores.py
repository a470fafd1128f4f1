import cinta as tf

scores = tf.Variable([3.0, 1.0, 2.0])
items = tf.constant([10.0, 20.0, 30.0])
with tf.GradientTape() as tape:
    order = tf.argsort(scores)  # <nondifferentiable-op>
    ranked = tf.gather(items, order)
    loss = tf.reduce_sum(ranked * tf.constant([1.0, 2.0, 3.0]))
tape.gradient(loss, scores)
