import os
import tempfile

import cinta as tf

w = tf.Variable([1.0, 2.0])
saved = tf.Variable([0.0, 0.0])
with tempfile.TemporaryDirectory() as folder:
    with tf.GradientTape() as tape:
        doubled = w * 2.0
        holder = tf.Variable(doubled)  # <assigned-state>
        path = tf.train.Checkpoint(v=holder).write(os.path.join(folder, "c"))
        tf.train.Checkpoint(v=saved).read(path)
        loss = tf.reduce_sum(saved**2)
    print(tape.gradient(loss, w))
