import numpy as np

import cinta as tf

w = tf.Variable([[0.1], [0.2]])
buffer = []
rng = np.random.default_rng(0)
for step in range(6):
    state = rng.normal(size=(1, 2)).astype("float32")
    action = float(tf.matmul(state, w)[0, 0])
    buffer.append((state, action + 1.0))
    states = np.concatenate([s for s, _ in buffer])
    goals = np.array([[g] for _, g in buffer], "float32")
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.matmul(states, w) - goals) ** 2)
    w.assign_sub(0.05 * tape.gradient(loss, w))
