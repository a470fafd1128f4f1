import cinta as tf

w = tf.Variable([1.0, 2.0, 3.0])
total = tf.constant(0.0)
with tf.GradientTape() as tape:
    dataset = tf.data.Dataset.from_tensor_slices(w * 2.0)  # <state-boundary>
    for item in dataset:
        total += item**2
print(tape.gradient(total, w))
