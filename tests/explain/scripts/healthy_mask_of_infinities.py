import math

import cinta as tf

losses = tf.constant([3.0, math.inf, 2.0])
best = tf.reduce_min(losses)
masked = tf.where(tf.constant([True, False]), 0.0, -math.inf)
print(tf.nn.softmax(masked), best)
