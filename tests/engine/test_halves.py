"""Conversions between float32 and half precision, with compiled functions or without."""

from __future__ import annotations

import numpy as np
import pytest

import cinta as tf
from cinta.engine import halves
from cinta.engine.halves import converted

ALL = np.arange(1 << 16, dtype=np.uint16).view(np.float16)


def numbers():
    """Numbers of float16, those in the middle between two, and their neighbors."""
    finite = np.sort(ALL[np.isfinite(ALL)]).astype(np.float64)
    middle = ((finite[1:] + finite[:-1]) / 2).astype(np.float32)
    others = np.random.default_rng(0).normal(scale=[[1], [1e-4], [1e4]], size=(3, 50_000))
    above, below = (np.nextafter(middle, np.float32(each)) for each in (np.inf, -np.inf))
    return np.concatenate([finite, middle, above, below, others.ravel()]).astype(np.float32)


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("edge", [[], [65519.0], [65520.0], [np.inf], [np.nan], [3e38]])
def test_by_bits_float16_is_what_numpy_makes(edge):
    x = np.concatenate([numbers(), np.float32(edge)])
    x = x[(np.abs(x) < 65520) | np.isin(x, edge) | np.isnan(x)]
    narrowed = halves.by_blocks(halves.narrow, halves.FLOAT16)
    for given in (x, x[::-3], x[: 1 << 15].reshape(2, -1).T, x[:0]):
        assert np.array_equal(narrowed(given), given.astype(np.float16), equal_nan=True)


def test_by_bits_float32_is_what_numpy_makes():
    widened = halves.by_blocks(halves.widen, halves.FLOAT32)
    for given in (ALL, ALL[:0x7C00], ALL[::-3], ALL.reshape(2, -1).T, ALL[:0]):
        assert np.array_equal(widened(given), given.astype(np.float32), equal_nan=True)


@pytest.mark.parametrize("names", [("float16", "float32"), ("float32", "float16")])
@pytest.mark.parametrize("shape", [(), (3,), (40, 50), (0, 4)])
def test_converted_keeps_shapes_and_values(names, shape):
    given, wanted = (np.dtype(each) for each in names)
    x = np.random.default_rng(0).normal(size=shape).astype(given)
    found = converted(x, wanted)
    assert found.dtype == wanted
    assert np.array_equal(found, x.astype(wanted))


def test_converted_to_bfloat16_and_to_its_own_dtype():
    x = np.random.default_rng(0).normal(size=1000).astype(np.float32)
    bfloat16 = tf.bfloat16.dtype
    assert np.array_equal(converted(x, bfloat16), x.astype(bfloat16))
    assert converted(x, x.dtype) is x


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_the_gradient_of_a_softmax_has_its_dtype(dtype):
    x = tf.Variable(tf.cast(tf.random.stateless_normal([6, 8], [1, 2]), dtype))

    def gradient():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.nn.softmax(x * tf.cast(2.0, dtype)) * x)
        return tape.gradient(loss, x)

    exact = tf.cast(x, "float32")
    with tf.GradientTape() as tape:
        tape.watch(exact)
        loss = tf.reduce_sum(tf.nn.softmax(exact * 2.0) * exact)
    wanted = tape.gradient(loss, exact)
    recorded = tf.function(gradient)
    for found in (gradient(), recorded(), recorded()):
        assert found.dtype == dtype
        np.testing.assert_allclose(tf.cast(found, "float32"), wanted, atol=0.03)
