"""Common parts of the tests of functions: their recordings, and calls of rows of the op table."""

import time

import numpy as np

import cinta as tf
from tests.shorthand import differentiable


def recordings(function):
    return [variant.recording for variant in function._variants]


def as_python(function):
    """The same function, run as Python at each call because it looks at a clock.

    It draws the random numbers of functions, which are others than those of Python outside of them.
    """
    return tf.function(lambda *args: function(*args) if time.time() else None)


def by_each(functions, x):
    """The result of each of the functions, and its gradient."""
    found = []
    for function in functions:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        found.append([y.numpy(), tape.gradient(y, x).numpy()])
    return found


def inputs_of(row, factor=1.0):
    """The row's inputs, floats a little smaller: still in the domain, but not the same."""
    return [tf.constant(x * factor if x.dtype.kind in "fc" else x) for x in row.inputs]


def seeded(function, *inputs):
    """The function's result, with the same random numbers in every call."""
    tf.random.set_seed(1)
    return function(*inputs)


def with_gradients(row):
    def function(*inputs):
        sources = differentiable(inputs)
        with tf.GradientTape() as tape:
            tape.watch(sources)
            results = tf.nest.flatten(row.function(*inputs))
        return results, tape.gradient(differentiable(results), sources)

    return function


def flat(structure):
    leaves = []
    for leaf in tf.nest.flatten(structure):
        is_sparse = isinstance(leaf, tf.sparse.SparseTensor)
        leaves += [leaf.indices, leaf.values] if is_sparse else [leaf]
    return leaves


def gradients_outside(function, inputs):
    """The gradients of a call that tapes outside of it find, and the gradients of these."""
    sources = differentiable(inputs)
    with tf.GradientTape(persistent=True) as second:
        second.watch(sources)
        with tf.GradientTape() as first:
            first.watch(sources)
            results = differentiable(tf.nest.flatten(seeded(function, *inputs)))
        gradients = first.gradient(results, sources)
        dense = [tf.convert_to_tensor(g) for g in gradients if g is not None]
    return [gradients, second.gradient(dense, sources)]


def assert_same(one, other):
    for a, b in zip(flat(one), flat(other), strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            a, b = tf.convert_to_tensor(a), tf.convert_to_tensor(b)
            assert a.dtype == b.dtype
            np.testing.assert_array_equal(a.numpy(), b.numpy())


def assert_close(one, other):
    for a, b in zip(flat(one), flat(other), strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            a, b = tf.convert_to_tensor(a).numpy(), tf.convert_to_tensor(b).numpy()
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9 * np.abs(b).max(initial=1))
