import cinta as tf

samples = tf.Variable([[1.0], [2.0], [3.0], [4.0]])
with tf.GradientTape() as tape:
    total = tf.constant(0.0)
    for batch in tf.data.Dataset.from_tensor_slices(samples * 2.0).batch(2):  # <state-boundary>
        total += tf.reduce_sum(batch**2)
tape.gradient(total, samples)
