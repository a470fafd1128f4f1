import os
import tempfile

import cinta as tf

w = tf.Variable([1.0, 2.0])
ckpt = tf.train.Checkpoint(w=w)
with tempfile.TemporaryDirectory() as d:
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w**2)
        w.assign_sub(0.1 * tape.gradient(loss, w))
        path = ckpt.save(os.path.join(d, "c"))
    ckpt.restore(path)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w**2)
print(tape.gradient(loss, w))
