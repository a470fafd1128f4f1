import cinta as tf


@tf.function
def mean_square(batch):
    return tf.reduce_mean(batch**2)


data = tf.random.normal([10, 3])
for start in range(0, 10, 4):
    mean_square(data[start : start + 4])  # <argument-shape>
