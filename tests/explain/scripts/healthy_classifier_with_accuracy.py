import cinta as tf

logits = tf.Variable([[1.0, 2.0, 3.0]])
labels = tf.constant([1])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
    predicted = tf.argmax(logits, axis=-1)
    accuracy = tf.reduce_mean(tf.cast(predicted == tf.cast(labels, tf.int64), tf.float32))
print(accuracy.numpy(), tape.gradient(loss, logits))
