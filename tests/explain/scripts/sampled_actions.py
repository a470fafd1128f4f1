import cinta as tf

logits = tf.Variable([[0.5, 1.0, 2.0]])
values = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    sample = tf.random.categorical(logits, 4, seed=1)  # <nondifferentiable-op>
    reward = tf.reduce_mean(tf.gather(values, sample))
tape.gradient(reward, logits)
