import threading

import cinta as tf

w = tf.Variable(2.0)
results = {}


def work(key, x):
    results[key] = w * x  # <outside-tape>


with tf.GradientTape() as tape:
    threads = [threading.Thread(target=work, args=(k, float(k))) for k in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    loss = tf.add_n([results[k] for k in range(3)])
print(tape.gradient(loss, w))
