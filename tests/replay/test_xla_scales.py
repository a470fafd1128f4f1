"""Where squares are out of range, XLA finds what NumPy finds, though it flushes what is tiny."""

import numpy as np
import pytest

import cinta as tf

FUNCTIONS = {
    "norm": (tf.norm, [0.6, 0.8]),
    "euclidean": (tf.math.reduce_euclidean_norm, [0.6, 0.8]),
    "frobenius": (lambda x: tf.norm(tf.reshape(x, [1, 2]), axis=(0, 1)), [0.6, 0.8]),
    "of rows": (lambda x: tf.norm(tf.stack([x, x * 0.0 + 1.0]), axis=1)[0], [0.6, 0.8]),
    "global": (lambda x: tf.linalg.global_norm([x]), [0.6, 0.8]),
    "modulus": (lambda x: tf.abs(tf.complex(x[0], x[1])), [0.6, 0.8]),
    "angle": (lambda x: tf.atan2(x[0], x[1]) * tf.stop_gradient(x[0]) / 3.0, [0.16, -0.12]),
}


@pytest.mark.parametrize("scale", [1e-37, 1e-30, 1.0, 1e30])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_do_not_depend_on_the_scale(name, scale):
    function, expected = FUNCTIONS[name]

    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x)

    compiled = tf.function(gradient, jit_compile=True)
    x = tf.constant(np.float32(scale) * np.array([3.0, 4.0], np.float32))
    for _ in range(3):
        np.testing.assert_allclose(compiled(x), expected, rtol=1e-5)


def test_norms_in_range_are_not_scaled():
    x = tf.random.stateless_normal([100, 7], [1, 2])
    norms = tf.function(lambda x: tf.norm(x, axis=1), jit_compile=True)
    for _ in range(2):
        found = norms(x)
    np.testing.assert_array_max_ulp(found.numpy(), tf.norm(x, axis=1).numpy(), 2)


def test_the_norm_of_nothing_and_of_zeros():
    norms = tf.function(lambda x: tf.norm(x, axis=1), jit_compile=True)
    for shape in ([2, 3], [2, 0], [0, 3]):
        for _ in range(2):
            np.testing.assert_array_equal(norms(tf.zeros(shape)), np.zeros(shape[0]))
    for _ in range(2):
        found = norms(tf.constant([[np.inf, 1.0], [np.nan, 1.0]]))
        np.testing.assert_array_equal(found, [np.inf, np.nan])
