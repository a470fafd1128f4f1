import threading

import cinta as tf


class Worker(threading.Thread):
    def __init__(self, variable):
        super().__init__()
        self.variable = variable

    def run(self):
        self.result = tf.reduce_sum(self.variable**2)  # <outside-tape>


v = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    worker = Worker(v)
    worker.start()
    worker.join()
    loss = worker.result * 0.5
tape.gradient(loss, v)
