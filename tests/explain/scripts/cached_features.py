import functools

import cinta as tf

w = tf.Variable([1.0, 2.0])


@functools.lru_cache
def features():
    return tf.sin(w)  # <outside-tape>


for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(features() ** 2)
    tape.gradient(loss, w)
