import cinta as tf


def softmax(z):
    e = tf.exp(z)  # <overflow>
    return e / tf.reduce_sum(e, axis=-1, keepdims=True)


logits = tf.Variable([[10.0, 500.0, 20.0]])
with tf.GradientTape() as tape:
    loss = -tf.reduce_sum(softmax(logits) * tf.constant([[1.0, 0.0, 0.0]]))
g = tape.gradient(loss, logits)
