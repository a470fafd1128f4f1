import cinta as tf


@tf.function
def normalise(x):
    return x / tf.reduce_sum(x)  # <division-by-zero>


out = normalise(tf.constant([1.0, -1.0, 0.0]))
print(out.numpy())
