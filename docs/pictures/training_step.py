"""The program that is drawn in docs/pictures.md."""

import numpy as np

import cinta as tf

rng = np.random.default_rng(0)
images = tf.constant(rng.normal(size=(32, 64)).astype(np.float32))
labels = tf.constant(rng.integers(0, 10, 32))
w = tf.Variable(rng.normal(size=(64, 32)).astype(np.float32), name="w")
v = tf.Variable(rng.normal(size=(32, 10)).astype(np.float32), name="v")


def step() -> tuple[tf.GradientTape, tf.Tensor]:
    """The tape and the loss of one step of a small training."""
    with tf.GradientTape() as tape:
        h = tf.nn.relu(images @ w)
        for _ in range(4):
            h = h + 0.1 * tf.tanh(h)
        logits = h @ v
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        loss = tf.reduce_mean(losses) + 1e-3 * tf.reduce_sum(w * w)
    return tape, loss


def broken() -> tf.GradientTape:
    """The same with a mistake: NumPy computes a step, of which the tape sees nothing."""
    with tf.GradientTape() as tape:
        hidden = images @ w
        scaled = hidden * 0.5
        large = tf.stop_gradient(tf.abs(scaled))
        loss = tf.reduce_mean(large)
    tape.gradient(loss, w)
    return tape
