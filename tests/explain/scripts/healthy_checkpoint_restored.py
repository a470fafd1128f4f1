import os
import tempfile

import cinta as tf

w = tf.Variable([1.0, 2.0])
checkpoint = tf.train.Checkpoint(w=w)
path = os.path.join(tempfile.mkdtemp(), "c")
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w**2)
    g = tape.gradient(loss, w)
    saved = checkpoint.write(path)
    w.assign_sub(0.5 * g)
    checkpoint.read(saved)
