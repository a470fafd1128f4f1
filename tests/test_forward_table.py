"""Every op forwards: tangents agree with gradients, stacked and of second order too."""

import numpy as np
import pytest

import cinta as tf
from cinta.derivatives.forward import Tangents
from cinta.engine import recorders
from tests.op_table import rows
from tests.shorthand import differentiable

each_row = pytest.mark.parametrize("row", rows(), ids=repr)


def directions(values, seed):
    """Random numbers like the values, so that no derivative hides."""
    draw = np.random.default_rng(seed).standard_normal
    return [
        tf.cast(
            tf.constant(draw(x.shape) + (1j * draw(x.shape) if x.dtype.is_complex else 0)), x.dtype
        )
        for x in values
    ]


def inner(values, others):
    """The sum of the real parts of the products, in TensorFlow's complex convention."""
    return sum(
        float(np.sum(np.real(np.conj(a.numpy()) * b.numpy())))
        for a, b in zip(values, others, strict=True)
        if a is not None and b is not None
    )


@each_row
def test_tangents_pair_with_values_as_gradients_do(row):
    inputs = [tf.constant(x) for x in row.inputs]
    sources = differentiable(inputs)
    v = directions(sources, 1)
    with tf.GradientTape() as tape, tf.autodiff.ForwardAccumulator(sources, v) as acc:
        tape.watch(sources)
        targets = differentiable(tf.nest.flatten(row.function(*inputs)))
    w = directions(targets, 2)
    pushed = acc.jvp(targets)
    for target, tangent in zip(targets, pushed, strict=True):
        assert tangent is None or (tangent.shape, tangent.dtype) == (target.shape, target.dtype)
    pulled = tape.gradient(targets, sources, w, tf.UnconnectedGradients.ZERO)
    pulled = [tf.convert_to_tensor(g) for g in pulled]
    forwards = inner(w, pushed)
    assert inner(pulled, v) == pytest.approx(forwards, rel=1e-6 * row.loose, abs=1e-7 * row.loose)


@pytest.mark.parametrize("row", [row for row in rows() if row.order > 1], ids=repr)
def test_forward_over_reverse_is_reverse_over_reverse(row):
    inputs = [tf.constant(x) for x in row.inputs]
    sources = differentiable(inputs)
    v = directions(sources, 1)

    def gradient():
        with tf.GradientTape() as tape:
            tape.watch(sources)
            targets = differentiable(tf.nest.flatten(row.function(*inputs)))
        w = directions(targets, 2)
        return tape.gradient(targets, sources, w, tf.UnconnectedGradients.ZERO)

    with tf.autodiff.ForwardAccumulator(sources, v) as acc:
        found = [tf.convert_to_tensor(g) for g in gradient()]
    with tf.GradientTape() as outer:
        outer.watch(sources)
        again = [tf.convert_to_tensor(g) for g in gradient()]
    forwards = acc.jvp(found, tf.UnconnectedGradients.ZERO)
    backwards = outer.gradient(again, sources, v, tf.UnconnectedGradients.ZERO)
    for one, other in zip(forwards, backwards, strict=True):
        other = tf.convert_to_tensor(other).numpy()
        bound = 1e-7 * row.loose * (1 + np.max(np.abs(other), initial=0))
        np.testing.assert_allclose(one.numpy(), other, rtol=1e-6 * row.loose, atol=bound)


@each_row
def test_tangents_that_are_stacked_are_the_single_ones(row):
    inputs = [tf.constant(x) for x in row.inputs]
    sources = differentiable(inputs)
    several = [directions(sources, seed) for seed in (1, 2, 3)]
    stacked = Tangents()
    for source, *ways in zip(sources, *several, strict=True):
        recorders.watch(source, stacked)
        stacked.known[source._number] = tf.stack(ways)
    with recorded(stacked):
        targets = differentiable(tf.nest.flatten(row.function(*inputs)))
    found = [stacked.of(t) for t in targets]
    for k, v in enumerate(several):
        with tf.autodiff.ForwardAccumulator(sources, v) as acc:
            again = differentiable(tf.nest.flatten(row.function(*inputs)))
        for target, one, all_of_them in zip(targets, acc.jvp(again), found, strict=True):
            assert (one is None) == (all_of_them is None)
            if one is not None:
                value = tf.convert_to_tensor(all_of_them).numpy()
                if value.ndim > target.ndim:
                    value = value[k]
                np.testing.assert_allclose(value, one.numpy(), rtol=1e-9, atol=1e-9)


class recorded:
    """Lets a recorder listen in a block."""

    def __init__(self, recorder):
        self.recorder = recorder

    def __enter__(self):
        recorders.start(self.recorder)

    def __exit__(self, *_):
        recorders.stop(self.recorder)
