import numpy as np

import cinta as tf

w, b = tf.Variable([1.0, -2.0]), tf.Variable(0.5)
seen = []
for step in range(5):
    with tf.GradientTape() as tape:
        y = w * 3.0 + b
        loss = tf.reduce_mean(y**2) * 3.0
        seen.append((float(b), float(loss), y.numpy().max(), np.mean(w), f"{loss:.3f}", str(y)))
    gw, gb = tape.gradient(loss, [w, b])
    w.assign_sub(0.01 * gw)
    b.assign_sub(0.01 * gb)
