import cinta as tf

weights = tf.Variable(tf.ones([3, 2]))
inputs = tf.constant([[1.0, 2.0, 3.0]])

with tf.GradientTape() as tape:
    logits = inputs @ weights
    logits = logits.numpy()  # <left-to-numpy>
    logits = logits / logits.sum()
    loss = tf.reduce_sum(tf.convert_to_tensor(logits) ** 2)
print(tape.gradient(loss, weights))
