import threading

import cinta as tf


def train(seed):
    w = tf.Variable(float(seed))
    for _ in range(10):
        with tf.GradientTape() as tape:
            loss = (w - 1.0) ** 2
        w.assign_sub(0.1 * tape.gradient(loss, w))


threads = [threading.Thread(target=train, args=(k,)) for k in range(2, 5)]
for t in threads:
    t.start()
for t in threads:
    t.join()
