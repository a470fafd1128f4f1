import numpy as np

import cinta as tf

rng = np.random.default_rng(0)
w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))
x = tf.constant(rng.normal(size=(8, 4)).astype("float32"))
y = tf.constant(np.arange(8) % 3)


@tf.function(jit_compile=True)
def step(x, y):
    with tf.GradientTape() as tape:
        logits = x @ w
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
        )
    g = tape.gradient(loss, w)
    w.assign_sub(0.1 * g)
    return loss, tf.argmax(logits, axis=1)


for _ in range(4):
    loss, found = step(x, y)
    accuracy = np.mean(found.numpy() == y.numpy())
