import numpy as np

import cinta as tf

rng = np.random.default_rng(0)


def batches():
    for _ in range(5):
        x = rng.normal(size=(8, 2)).astype("float32")
        yield x, (x @ [[1.0], [2.0]]).astype("float32")


ds = tf.data.Dataset.from_generator(
    batches, output_signature=(tf.TensorSpec([None, 2]), tf.TensorSpec([None, 1]))
).prefetch(1)
w = tf.Variable(tf.zeros([2, 1]))
for x, y in ds:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - y))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    print(f"{loss.numpy():.3f} {np.abs(w.numpy()).max():.2f}")
