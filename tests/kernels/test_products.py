"""Products of matrices by compiled functions: those of BLAS, however the matrices lie in memory."""

from __future__ import annotations

import numpy as np
import pytest

import cinta as tf
from cinta.engine import c_kernels
from cinta.ops.linalg import compiled_products

pytestmark = pytest.mark.skipif(
    c_kernels.processor() is None, reason="without compiled functions: test_kernels.py runs these"
)


@pytest.fixture
def everywhere(monkeypatch):
    """On any processor, and with any number of threads of BLAS."""
    monkeypatch.setattr(compiled_products, "_are_fastest", lambda: True)


def laid_out(x):
    """The same matrix in several orders of memory."""
    wide = np.zeros((2 * len(x), x.shape[1] + 3), x.dtype)
    wide[::2, 3:] = x
    gaps = np.zeros((*x.shape, 2), x.dtype)
    gaps[..., 0] = x
    return [x, np.asfortranarray(x), wide[::2, 3:], x[::-1].copy()[::-1], gaps[..., 0]]


def test_numbers_do_not_depend_on_the_order_of_memory():
    random = np.random.default_rng(0)
    a = random.normal(size=(256, 250)).astype(np.float32)
    b = random.normal(size=(250, 80)).astype(np.float32)
    first = compiled_products.product(a, b)
    np.testing.assert_allclose(first, a.astype(float) @ b, atol=1e-4)
    for x in laid_out(a):
        for y in laid_out(b):
            assert np.array_equal(compiled_products.product(x, y), first)


@pytest.mark.parametrize("transpose_a", [False, True])
@pytest.mark.parametrize("transpose_b", [False, True])
def test_eager_recorded_and_gradients(transpose_a, transpose_b, everywhere):
    random = np.random.default_rng(0)
    a = random.normal(size=(384, 256)).astype(np.float32)
    b = random.normal(size=(256, 320)).astype(np.float32)
    x = tf.constant(a.T if transpose_a else a)
    y = tf.constant(b.T if transpose_b else b)

    def computed(x, y):
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = tf.matmul(x, y, transpose_a, transpose_b)
            loss = tf.reduce_sum(tf.sin(z))
        return z, *tape.gradient(loss, [x, y])

    eager, recorded = computed(x, y), tf.function(computed)
    for _ in range(3):
        for one, other in zip(eager, recorded(x, y), strict=True):
            assert np.array_equal(one, other)
    z = a.astype(float) @ b
    by_a, by_b = np.cos(z) @ b.T, a.T @ np.cos(z)
    expected = z, by_a.T if transpose_a else by_a, by_b.T if transpose_b else by_b
    for one, other in zip(eager, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=2e-2)


def test_nan_and_infinity(everywhere):
    a, b = np.ones((256, 64), np.float32), np.ones((64, 64), np.float32)
    a[3, 5], a[4, 6], b[7, 8], b[6, 9] = np.nan, np.inf, -np.inf, 0
    found = tf.matmul(a, b).numpy()
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(found, a @ b)


def test_products_of_many_matrices(everywhere):
    random = np.random.default_rng(0)
    x = random.normal(size=(3, 96, 2, 2, 40)).astype(np.float32).transpose(3, 0, 2, 1, 4)
    a, b = tf.constant(x[0]), tf.constant(x[1])
    assert compiled_products.take(a.numpy(), b.numpy().swapaxes(-1, -2), False, True)
    found = tf.matmul(a, b, transpose_b=True).numpy()
    np.testing.assert_allclose(found, x[0].astype(float) @ x[1].swapaxes(-1, -2), atol=1e-4)
    copies = tf.matmul(x[0].copy(), x[1].copy(), transpose_b=True).numpy()
    assert np.array_equal(found, copies)


@pytest.mark.parametrize(
    ("a", "b", "turned", "taken"),
    [
        ((128, 64), (64, 64), (False, False), True),
        ((127, 64), (64, 64), (False, False), False),  # too few rows for the copy of the second
        ((128, 63), (63, 64), (False, False), False),
        ((128, 64), (64, 65), (False, False), False),  # a column beside whole vectors
        ((128, 1024), (1024, 1024), (False, False), False),  # beyond the cache
        ((64, 32), (32, 64), (False, True), True),
        ((63, 32), (32, 64), (False, True), False),
        ((64, 256), (256, 64), (True, False), True),
        ((64, 255), (255, 64), (True, False), False),
        ((1024, 256), (256, 512), (True, False), False),
        ((5, 64, 32), (5, 32, 64), (False, True), True),
        ((5, 64, 32), (1, 32, 64), (False, True), False),
        ((5, 64, 256), (5, 256, 64), (True, False), False),
    ],
)
def test_shapes_decide(a, b, turned, taken, everywhere):
    x, y = np.zeros(a, np.float32), np.zeros(b, np.float32)
    assert compiled_products.take(x, y, *turned) == taken
    assert not compiled_products.take(x.astype(float), y, *turned)
