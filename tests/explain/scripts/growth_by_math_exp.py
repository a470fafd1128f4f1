import math

import cinta as tf

rate = tf.Variable(0.7)
with tf.GradientTape() as tape:
    growth = math.exp(rate * 2.0)  # <python-value>
    loss = tf.square(growth - 3.0)
d = tape.gradient(loss, rate)
