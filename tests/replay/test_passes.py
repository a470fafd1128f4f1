"""Passes over recordings: what is computed stays the same, bit by bit."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cinta as tf
from cinta.engine import recorders as listening
from cinta.replay.numpy import regions, reuse
from cinta.replay.numpy.engine import Changed, NumpyProgram, interpret
from cinta.replay.passes import for_running, simplified
from cinta.replay.recording import same_array
from cinta.replay.trace import Trace


def recorded(function, *arrays):
    """The function with such arrays, as a recording without any pass."""
    trace = Trace()
    with listening.following(trace):
        results = tf.nest.flatten(function(*[trace.argument(tf.constant(a)) for a in arrays]))
        return trace.finisher("f", results)()


def results(made, arrays):
    values = interpret(made, dict(zip(made.inputs, arrays, strict=True)))
    return [values[ref] if isinstance(ref, int) else ref.value for ref in made.results]


def names(made):
    return [step.op.name for step in made.calls]


def kept(function, *arrays):
    """The names of the ops that are left to run, whose results are seen to be the same."""
    made = recorded(function, *arrays)
    fewer = for_running(made)
    for one, other in zip(results(made, arrays), results(fewer, arrays), strict=True):
        assert same_array(np.asarray(one), np.asarray(other))
    return names(fewer)


X = np.array([[-0.0, 1.5, np.inf], [np.nan, -2.0, 0.0]], np.float32)


def test_what_nobody_takes_is_not_computed():
    assert kept(lambda x: [tf.exp(x), x + 1.0][1], X) == ["AddV2"]


def test_what_was_computed_before_is_not_computed_again():
    assert kept(lambda x: tf.exp(x) * tf.exp(x), X) == ["Exp", "Mul"]
    assert kept(lambda x: tf.reduce_sum(x, 0) + tf.reduce_sum(x, 1)[:1], X).count("Sum") == 2
    assert kept(lambda x: (x * 2.0) + (x * 2), X).count("Mul") == 1  # one number in float32
    assert kept(lambda x: (x + 0.0) * (x + -0.0), X).count("AddV2") == 2
    rows = np.arange(3.0, dtype=np.float32), np.arange(3.0, dtype=np.float32)
    assert kept(lambda x: (x * rows[0]) + (x * rows[1]), X).count("Mul") == 1
    assert kept(lambda x: (x * rows[0]) + (x * -rows[1]), X).count("Mul") == 2
    ones = np.ones(3, np.float32), np.ones(3, np.float32)
    assert kept(lambda x: (x * ones[0]) + (x * ones[1]), X[0]).count("Mul") == 1


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int32, np.int64, np.complex64])
@pytest.mark.parametrize(("axis", "keepdims"), [(None, False), (0, True), (1, False)])
def test_small_sums_are_those_of_the_op(dtype, axis, keepdims):
    array = np.array([[1, 2, 3], [4, 5, 120]], dtype)
    made = recorded(lambda x: tf.reduce_sum(x, axis, keepdims), array)
    (found,), _ = NumpyProgram(made)([array])
    (expected,) = results(made, [array])
    assert type(found) is type(expected)
    assert same_array(np.asarray(found), np.asarray(expected))


def test_what_changes_nothing_is_left_out():
    assert kept(lambda x: tf.stop_gradient(tf.identity(x)), X) == []
    assert (
        kept(lambda x: tf.reshape(tf.transpose(tf.transpose(x, [0, 1]), [0, 1]), [2, 3]), X) == []
    )
    assert kept(lambda x: tf.broadcast_to(x, [2, 3]), X) == []
    assert kept(lambda x: tf.exp(x) * 1.0, X) == ["Exp"]
    assert kept(lambda x: tf.exp(x) / 1.0, X) == ["Exp"]
    assert kept(lambda x: tf.negative(-tf.exp(x)), X) == ["Exp"]
    assert kept(lambda x: tf.custom_gradient(lambda y: (y + 1.0, lambda g: g))(x), X) == ["AddV2"]


def test_what_only_seems_to_change_nothing_stays():
    assert kept(lambda x: x + 0.0, X) == ["AddV2"]  # -0.0 + 0.0 is 0.0
    assert kept(lambda x: x * 1.0, X) == ["Mul"]  # x may be strided; sums take another order then
    assert kept(lambda x: tf.exp(x) * tf.ones([2, 2, 3]), X) == ["Exp", "Mul"]
    assert kept(lambda x: tf.exp(tf.cast(x, "complex64")) * 1.0, X).count("Mul") == 1
    assert kept(lambda x: tf.exp(x) * tf.constant([[1.0, 1.0, 2.0]]), X) == ["Exp", "Mul"]


def test_constants_are_computed_once():
    assert kept(lambda x: x + tf.exp(tf.zeros_like(x)), X) == ["AddV2"]


def test_what_python_looked_at_is_still_looked_at():
    def function(x):
        zeros = tf.identity(tf.zeros_like(x))
        return x if tf.reduce_sum(zeros) == 0 else -x

    made = recorded(function, X)
    assert len(for_running(made).guards) == len(made.guards) == 1


def test_values_are_not_broadcast_for_ops_that_do_it():
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_mean(tf.exp(x), axis=1) ** 2
        return tape.gradient(y, x)

    kinds = kept(gradient, np.float32([[1, 2, 3], [4, 5, 6]]))
    assert "Spread" not in kinds
    assert "Reshape" in kinds


def test_sizes_that_follow_from_values_are_guarded():
    def function(x):
        chosen = tf.boolean_mask(x, x > 0)
        return tf.broadcast_to(chosen, [2]), tf.zeros_like(chosen)

    made = for_running(recorded(function, np.float32([1, -1, 2])))
    with pytest.raises(Changed):
        results(made, [np.float32([-1, 5, -1])])


UNARY = [
    *(tf.negative, tf.exp, tf.tanh, tf.sigmoid, tf.square, tf.identity, tf.stop_gradient),
    *(tf.zeros_like, tf.ones_like, tf.math.softsign, tf.transpose, lambda x: x**1, lambda x: x**2),
    *(lambda x: x * 1.0, lambda x: 1 * x, lambda x: x / 1.0, lambda x: x - 0.0, lambda x: x * 0.5),
    *(lambda x: tf.reshape(x, x.shape), lambda x: tf.transpose(x, range(x.ndim))),
    *(lambda x: tf.broadcast_to(x, x.shape), lambda x: tf.broadcast_to(x[:1], x.shape)),
    *(
        lambda x: x * tf.ones(x.shape, x.dtype),
        lambda x: tf.cast(x, "float64"),
        lambda x: x[:, ::2],
    ),
    *(lambda x: tf.reduce_mean(x, 0, keepdims=True), lambda x: tf.reduce_sum(x, 1, keepdims=True)),
    tf.custom_gradient(lambda x: (x * 2.0, lambda g: g * x)),
    lambda x: tf.matmul(x, x, transpose_b=True) @ x,
]
BINARY = [tf.add, tf.subtract, tf.multiply, tf.divide, tf.math.squared_difference]


@st.composite
def programs(draw):
    """A function made of ops on what came before, and often of its gradient as well."""
    choices = st.tuples(st.sampled_from([*UNARY, *BINARY]), st.integers(0, 99), st.integers(0, 99))
    chosen = draw(st.lists(choices, min_size=1, max_size=12))
    with_gradient = draw(st.booleans())

    def function(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            values = [x]
            for op, i, j in chosen:
                a, b = values[i % len(values)], values[j % len(values)]
                if op in UNARY:
                    values.append(op(a))
                elif a.dtype == b.dtype and _fit(a.shape, b.shape):
                    values.append(op(a, b))
        gradient = tape.gradient(values[-1], x) if with_gradient else None
        return values[-1], values[len(values) // 2], *([] if gradient is None else [gradient])

    return function


def _fit(one, other):
    return all(1 in (m, n) or m == n for m, n in zip(one, other, strict=True))


def by_blocks(made):
    """The program in which the smallest values are overwritten, and worked on block by block."""
    with patch.object(reuse, "_MANY_BYTES", 0), patch.object(regions, "LARGE", 1):
        return NumpyProgram(made)


@pytest.mark.parametrize("shape", [(2, 3), (4, 1)], ids=str)
@given(function=programs(), numbers=st.lists(st.floats(width=32), min_size=6, max_size=6))
def test_passes_keep_every_bit(shape, function, numbers):
    arrays = [np.resize(np.float32(numbers), shape)]
    before = arrays[0].tobytes()
    with np.errstate(all="ignore"):
        made = recorded(function, *arrays)
        expected = results(made, arrays)
        for found in (
            results(simplified(made), arrays),
            results(for_running(made), arrays),
            NumpyProgram(made)(arrays)[0],
            by_blocks(made)(arrays)[0],
        ):
            for one, other in zip(expected, found, strict=True):
                assert same_array(np.asarray(one), np.asarray(other))
    assert arrays[0].tobytes() == before
