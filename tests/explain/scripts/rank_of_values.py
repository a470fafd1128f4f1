import cinta as tf


@tf.function
def spearman(a, b):
    ra = tf.argsort(tf.argsort(a))  # <nondifferentiable-op>
    rb = tf.argsort(tf.argsort(b))
    return tf.reduce_mean(tf.cast(ra * rb, tf.float32))


a = tf.Variable([0.3, 0.1, 0.7])
b = tf.constant([1.0, 0.0, 3.0])
for _ in range(2):
    with tf.GradientTape() as tape:
        score = spearman(a, b)
    tape.gradient(score, a)
