"""Short forms of common steps in tests."""

import re

import numpy as np
import pytest

import cinta as tf


def label(value):
    """The text of a value in the name of a test, without its address in memory."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def values(x):
    """The elements of a tensor or variable, in lists; of a nest of them, a nest of such lists."""
    return tf.nest.map_structure(lambda x: None if x is None else x.numpy().tolist(), x)


def tape_gradient(function, *sources, **options):
    """The tape's gradient of a function of the sources; for several of them, in a list."""
    with tf.GradientTape() as tape:
        tape.watch(sources)
        target = function(*sources)
    found = tape.gradient(target, list(sources), **options)
    return found[0] if len(found) == 1 else found


def random(*shape, dtype=np.float64):
    """Normally distributed numbers, the same for each shape; complex ones have both parts."""
    draw = np.random.default_rng(sum(shape))
    x = draw.standard_normal(shape)
    return (x + 1j * draw.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(
        dtype
    )


def gradient(function, *arguments, weights=None):
    """The gradient of a function by its argument as an array, by several as a list of them.

    The elements of the value count as often as the weights say, or once.
    """
    sources = [tf.constant(x) for x in arguments]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        target = function(*sources)
    found = [g.numpy() for g in tape.gradient(target, sources, weights)]
    return found[0] if len(found) == 1 else found


def hessian(function, x):
    """The second derivatives of a function, by a tape in a tape."""
    x = tf.constant(x)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        first = inner.gradient(y, x)
    return outer.jacobian(first, x).numpy()


def refuses(call, error, words):
    """Assert that the call raises such an error, in whose text the words stand as they are."""
    with pytest.raises(error) as raised:
        call()
    assert words in str(raised.value)


def differentiable(tensors):
    """Those tensors that can have a derivative."""
    return [x for x in tensors if x.dtype.is_floating or x.dtype.is_complex]
