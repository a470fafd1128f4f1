import cinta as tf


@tf.function(jit_compile=True)
def cross_entropy(p, y):
    return -tf.reduce_mean(y * tf.math.log(p))  # <log-of-zero>


print(cross_entropy(tf.constant([0.0, 1.0]), tf.constant([1.0, 0.0])))
