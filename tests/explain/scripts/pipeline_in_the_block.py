import cinta as tf

w = tf.Variable(3.0)

with tf.GradientTape() as tape:
    inputs = tf.constant([1.0, 2.0, 3.0]) * w
    pipeline = tf.data.Dataset.from_tensor_slices(inputs)  # <state-boundary>
    pipeline = pipeline.map(lambda x: x * 2.0).batch(2)
    loss = tf.constant(0.0)
    for batch in pipeline:
        loss += tf.reduce_sum(batch)
print(tape.gradient(loss, w))
