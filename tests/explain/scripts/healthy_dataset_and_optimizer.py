import cinta as tf

data = (
    tf.data.Dataset.from_tensor_slices((tf.random.normal([40, 2]), tf.random.normal([40, 1])))
    .shuffle(40)
    .batch(8)
)
w = tf.Variable(tf.random.normal([2, 1]))
optimizer = tf.optimizers.SGD(0.1) if hasattr(tf, "optimizers") else tf.keras.optimizers.SGD(0.1)
for x, y in data.repeat(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w - y) ** 2)
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
