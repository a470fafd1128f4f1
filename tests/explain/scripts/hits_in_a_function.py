import cinta as tf

logits = tf.Variable([[0.1, 0.7], [0.9, 0.2]])
labels = tf.constant([1, 0])


@tf.function
def step():
    with tf.GradientTape() as tape:
        guesses = tf.argmax(logits, -1, output_type=tf.int32)  # <nondifferentiable-op>
        hits = tf.equal(guesses, labels)
        loss = 1.0 - tf.reduce_mean(tf.cast(hits, tf.float32))
    return tape.gradient(loss, logits)


step()
