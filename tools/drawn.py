"""The programs of which docs/en/guides/pictures.md shows pictures but not the code."""

import numpy as np

import cinta as tf
from cinta.explain.pictures.drawing import Drawing
from cinta.explain.pictures.showing import drawings_of

rng = np.random.default_rng(0)
images = tf.constant(rng.normal(size=(32, 64)).astype(np.float32))
labels = tf.constant(rng.integers(0, 10, 32))
w = tf.Variable(rng.normal(size=(64, 32)).astype(np.float32), name="w")
v = tf.Variable(rng.normal(size=(32, 10)).astype(np.float32), name="v")


def training() -> Drawing:
    """The tape of one step of a small training."""
    with tf.debugging.explaining(), tf.GradientTape() as tape:
        h = tf.nn.relu(images @ w)
        for _ in range(4):
            h = h + 0.1 * tf.tanh(h)
        logits = h @ v
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        loss = tf.reduce_mean(losses) + 1e-3 * tf.reduce_sum(w * w)
    return tape.draw(loss)


def mistake() -> Drawing:
    """The same with a mistake: a line that stops the gradient."""
    with tf.debugging.explaining() as found:
        with tf.GradientTape() as tape:
            hidden = images @ w
            scaled = hidden * 0.5
            large = tf.stop_gradient(tf.abs(scaled))
            loss = tf.reduce_mean(large)
        tape.gradient(loss, w)
    (cut,) = drawings_of(found)
    return cut
