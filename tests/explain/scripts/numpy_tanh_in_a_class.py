import numpy as np

import cinta as tf


class Model:
    def __init__(self):
        self.a = tf.Variable([1.0, 2.0])

    def forward(self, x):
        h = self.a * x
        h = np.tanh(h)  # <left-to-numpy>
        return tf.reduce_sum(h)


model = Model()
with tf.GradientTape() as tape:
    out = model.forward(tf.constant([0.3, 0.4]))
grads = tape.gradient(out, [model.a])
