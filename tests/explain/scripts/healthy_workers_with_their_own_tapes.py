from concurrent.futures import ThreadPoolExecutor

import cinta as tf

w = tf.Variable([1.0, 2.0])


def shard(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w * x - 1.0) ** 2)
    return tape.gradient(loss, w)


with ThreadPoolExecutor(2) as pool:
    gradients = list(pool.map(shard, [tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])]))
w.assign_sub(0.01 * tf.add_n(gradients))
