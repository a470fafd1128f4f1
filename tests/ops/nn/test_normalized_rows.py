"""Normalization of the rows of large arrays, by another way than that of small ones."""

import numpy as np
import pytest

import cinta as tf
from cinta.engine.primitives import SumTo
from cinta.ops.nn import normalized_rows

ROWS, WIDTH = 150, 96


def normed(x, scale, offset):
    mean, variance = tf.nn.moments(x, [-1], keepdims=True)
    return tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-5)


def inputs(middle, dtype="float64"):
    draw = np.random.default_rng(0).normal
    x = draw(size=(3, ROWS // 3, WIDTH)) * 2 + middle
    assert x.size >= normalized_rows._LARGE
    return [
        each.astype(dtype) for each in (x, draw(size=WIDTH), draw(size=WIDTH), draw(size=x.shape))
    ]


def by_hand(x, scale, offset, g):
    """The result and its gradients in double precision."""
    x, scale, offset, g = [each.astype("float64") for each in (x, scale, offset, g)]
    mean = x.mean(-1, keepdims=True)
    factor = (np.square(x - mean).mean(-1, keepdims=True) + 1e-5) ** -0.5
    away, own = (x - mean) * factor, g * scale
    by_x = own - own.mean(-1, keepdims=True) - away * (own * away).mean(-1, keepdims=True)
    return away * scale + offset, by_x * factor, (g * away).sum((0, 1)), g.sum((0, 1))


@pytest.mark.parametrize("middle", [0.0, 3.0, 1000.0])
@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-10), ("float32", 1e-4)])
def test_values_and_gradients(middle, dtype, tolerance):
    x, scale, offset, g = inputs(middle, dtype)
    variables = [tf.Variable(each) for each in (x, scale, offset)]
    with tf.GradientTape() as tape:
        y = normed(*variables)
    found = [y, *tape.gradient(y, variables, output_gradients=tf.constant(g))]
    for value, expected in zip(found, by_hand(x, scale, offset, g), strict=True):
        assert value.dtype.name == dtype
        error = np.abs(value.numpy() - expected).max() / np.abs(expected).max()
        assert error < tolerance * (1 + middle / 1000)


def test_an_offset_may_be_infinite_or_left_out():
    x, scale, offset, _ = inputs(0.0)
    offset[5] = np.inf
    y, bare = normed(x, scale, offset).numpy(), normed(x, scale, None).numpy()
    assert np.isposinf(y[..., 5]).all()
    others = np.arange(WIDTH) != 5
    np.testing.assert_allclose(y[..., others], (bare + offset)[..., others], atol=1e-12)


def test_second_derivatives_are_those_of_small_arrays(monkeypatch):
    x, scale, offset, g = inputs(1.0)

    def second():
        variables = [tf.Variable(each) for each in (x, scale, offset)]
        with tf.GradientTape() as outer:
            with tf.GradientTape() as tape:
                y = normed(*variables)
            first = tape.gradient(y, variables, output_gradients=tf.constant(g))
            total = sum(tf.reduce_sum(d**2) for d in first)
        return [d.numpy() for d in outer.gradient(total, variables[:2])]

    large = second()
    monkeypatch.setattr(normalized_rows, "_LARGE", 1 << 30)
    for found, expected in zip(large, second(), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


def test_axes_in_front_of_a_gradient_are_kept():
    x, scale, offset, _ = inputs(0.0)
    values = [x, x.mean(-1, keepdims=True), 1 / x.std(-1, keepdims=True), scale]
    several = np.random.default_rng(1).normal(size=(2, *x.shape))
    stacked = normalized_rows._pull(several, (True,) * 5, *values)
    for k, g in enumerate(several):
        for whole, part, value in zip(
            stacked, normalized_rows._pull(g, (True,) * 5, *values), [*values, offset], strict=True
        ):
            summed = SumTo(whole, shape=value.shape, rank=3)[k]
            np.testing.assert_allclose(summed, part, atol=1e-10)
