"""Choosing by bits is choosing by ``np.where``, bit by bit."""

import ml_dtypes
import numpy as np
import pytest

import cinta as tf
from cinta.ops import choosing

DTYPES = [
    *("bool", "int8", "uint16", "int32", "uint64", "float16", "float32", "float64", "complex64"),
    *("complex128", ml_dtypes.bfloat16),
]
SIZES = [1, choosing._SOME - 1, choosing._SOME, choosing._LARGE, 3 * choosing._LARGE + 7]
SPECIAL = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1e-45], np.float32)


def draw(seed, size, dtype="float32"):
    drawn = np.random.default_rng(seed).integers(0, 256, size * 16, np.uint8)
    if np.dtype(dtype) == bool:
        return drawn[:size] > 100
    return drawn.view(dtype)[:size]


def condition(size):
    return np.random.default_rng(2).random(size) > 0.5


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_bit_is_as_it_was(size, dtype):
    choice, x, y = condition(size), draw(0, size, dtype), draw(1, size, dtype)
    assert choosing.chosen(np, choice, x, y).tobytes() == np.where(choice, x, y).tobytes()
    zeros = np.zeros_like(x)
    assert choosing.kept(np, x, choice).tobytes() == np.where(choice, x, zeros).tobytes()


@pytest.mark.parametrize(
    ("choice", "x", "y"),
    [
        (condition(5000), np.float32(np.nan), np.zeros((3, 5000), np.float32)),
        (condition(6000).reshape(60, 100), draw(0, 100), draw(1, 60)[:, None]),
        (condition(10000)[::2], draw(0, 20000)[::4], draw(1, 5000)),
        (condition(2**18).reshape(512, 512).T, draw(0, 2**18).reshape(512, 512), 0),
        (condition(2**18).reshape(512, 512), draw(0, 2**18).reshape(512, 512).T, -0.0),
        (condition(6000), np.resize(SPECIAL, 6000), 1),
        (condition(6000), 0, np.resize(SPECIAL, 6000)),
        (condition(6000), np.float64(3), 4.0),
        (condition(6000), 3, 4),
        (condition(6000), np.array([b"a"], object), np.array([b"b"], object)),
    ],
)
def test_what_is_broadcast_or_strided(choice, x, y):
    found, expected = choosing.chosen(np, choice, x, y), np.where(choice, x, y)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert found.tobytes() == expected.tobytes()
    if isinstance(x, np.ndarray) and x.dtype != object:
        assert (
            choosing.kept(np, x, choice).tobytes() == np.where(choice, x, x.dtype.type(0)).tobytes()
        )


def test_no_branch_leaks_into_the_other():
    x, y = np.resize(SPECIAL, 3 * choosing._LARGE), np.ones(3 * choosing._LARGE, np.float32)
    choice = np.isfinite(x)
    with tf.GradientTape() as tape:
        sources = tf.Variable(x), tf.Variable(y)
        z = tf.where(choice, *sources)
    assert np.isfinite(z).all()
    given = x[::-1].copy()
    by_x, by_y = tape.gradient(z, sources, output_gradients=given)
    np.testing.assert_array_equal(by_x, np.where(choice, given, 0))
    np.testing.assert_array_equal(by_y, np.where(choice, 0, given))


@pytest.mark.parametrize("size", [6, choosing._SOME, 3 * choosing._SOME])
@pytest.mark.parametrize("dtype", ["int32", "float16", "float32", "float64"])
def test_bounds(size, dtype):
    with np.errstate(invalid="ignore"):
        x = 9 * np.resize(SPECIAL, size).astype(dtype) + np.arange(size).astype(dtype) % 19 - 9
    np.testing.assert_array_equal(choosing.positive(np, x), np.maximum(x, 0), strict=True)
    np.testing.assert_array_equal(choosing.negative(np, x), np.minimum(x, 0), strict=True)
    expected = np.minimum(np.maximum(x, 0), 6)
    np.testing.assert_array_equal(choosing.between(np, x, 0, 6), expected, strict=True)
