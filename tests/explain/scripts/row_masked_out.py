import cinta as tf

logits = tf.Variable([[1.0, 2.0], [3.0, 1.0]])
mask = tf.constant([[0.0, float("-inf")], [float("-inf"), float("-inf")]])
with tf.GradientTape() as tape:
    scores = logits + mask
    top = tf.reduce_max(scores, axis=-1, keepdims=True)
    shifted = scores - top  # <inf-minus-inf>
    e = tf.exp(shifted)
    p = e / tf.reduce_sum(e, axis=-1, keepdims=True)
    loss = tf.reduce_sum(p)
tape.gradient(loss, logits)
