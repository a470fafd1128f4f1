import numpy as np

import cinta as tf

data = tf.constant([1.0, np.nan, 3.0])
ok = tf.math.is_finite(data)
mean = tf.reduce_sum(tf.where(ok, data, 0.0)) / tf.reduce_sum(tf.cast(ok, tf.float32))
print(float(mean), data.numpy(), data[0])
