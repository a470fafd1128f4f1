import cinta as tf


@tf.function
def masked_mean(x, mask):
    return tf.reduce_sum(x * mask) / tf.reduce_sum(mask)  # <division-by-zero>


w = tf.Variable([1.0, 2.0])
for mask in ([1.0, 0.0], [0.0, 0.0]):
    with tf.GradientTape() as tape:
        loss = masked_mean(w, tf.constant(mask))
    g = tape.gradient(loss, w)
