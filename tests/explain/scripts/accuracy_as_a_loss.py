import cinta as tf

logits = tf.Variable([0.3, -0.2, 1.0])
with tf.GradientTape() as tape:
    p = tf.sigmoid(logits)
    hard = tf.where(p > 0.5, 1.0, 0.0)  # <nondifferentiable-op>
    accuracy = tf.reduce_mean(hard)
tape.gradient(accuracy, logits)
