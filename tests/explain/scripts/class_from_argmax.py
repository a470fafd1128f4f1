import cinta as tf

logits = tf.Variable([[0.1, 0.7, 0.2], [2.0, 0.0, 1.0]])
labels = tf.constant([1, 2])
with tf.GradientTape() as tape:
    chosen = tf.argmax(logits, axis=1)  # <nondifferentiable-op>
    onehot = tf.one_hot(chosen, 3)
    loss = tf.reduce_mean(tf.reduce_sum((onehot - tf.one_hot(labels, 3)) ** 2, axis=1))
tape.gradient(loss, logits)
