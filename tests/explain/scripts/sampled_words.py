import cinta as tf

logits = tf.Variable([[0.1, 0.2, 0.7]])
embedding = tf.constant([[1.0], [2.0], [3.0]])
with tf.GradientTape() as tape:
    word = tf.random.categorical(logits, 2, seed=1)  # <nondifferentiable-op>
    loss = tf.reduce_sum(tf.gather(embedding, word))
tape.gradient(loss, logits)
