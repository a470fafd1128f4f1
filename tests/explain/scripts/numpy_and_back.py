import cinta as tf


def to_unit(v):
    values = v.numpy()  # <left-to-numpy>
    values = values / values.max()
    return tf.convert_to_tensor(values)


x = tf.Variable([1.0, 4.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(to_unit(x * 2.0) ** 2)
tape.gradient(y, x)
