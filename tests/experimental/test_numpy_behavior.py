"""tf.experimental.numpy: tensors that behave like arrays."""

import numpy as np
import pytest

import cinta as tf
from tests.numpy_modes import modes_end_here

tnp = tf.experimental.numpy


@pytest.fixture
def enabled():
    """Tensors behave like arrays in the test, and as always after it."""
    with modes_end_here():
        tnp.experimental_enable_numpy_behavior()
        yield


BEHAVIOR = {
    "x + 1": ([2.0, 3.0], tf.float32),
    "x + k": ([2.0, 4.0], tf.float64),
    "k + 1.5": ([2.5, 3.5], tf.float64),
    "1 - x": ([0.0, -1.0], tf.float32),
    "k / 2": ([0.5, 1.0], tf.float64),
    "x * np.float64(2)": ([2.0, 4.0], tf.float64),
    "np.ones(2) + x": ([2.0, 3.0], tf.float64),
    "x + [1, 2]": ([2.0, 4.0], tf.float32),
    "x + 1j": ([1 + 1j, 2 + 1j], tf.complex64),
    "x @ x": (5.0, tf.float32),
    "x < k": ([False, False], tf.bool),
    "x == k": ([True, True], tf.bool),
    "v + 1.5": ([2.5, 3.5], tf.float64),
    "x[[0, 1, 1]]": ([1.0, 2.0, 2.0], tf.float32),
    "x[tf.constant([True, False])]": ([1.0], tf.float32),
    "x[np.array([1])]": ([2.0], tf.float32),
    "x[None, :]": ([[1.0, 2.0]], tf.float32),
    "m[[0, 1], [1, 0]]": ([2, 3], tf.int32),
    "m[:, [1]]": ([[2], [4]], tf.int32),
    "x[(True, False),]": ([1.0], tf.float32),
    "x[(0, 1, 1),]": ([1.0, 2.0, 2.0], tf.float32),
    "m[1, (True, False)]": ([3], tf.int32),
    "m[(True, False), 1]": ([2], tf.int32),
    "m[..., (False, True)]": ([[2], [4]], tf.int32),
    "m[None, (False, True)]": ([[[3, 4]]], tf.int32),
    "m.T": ([[1, 3], [2, 4]], tf.int32),
    "m.reshape(4)": ([1, 2, 3, 4], tf.int32),
    "m.reshape((1, 4))": ([[1, 2, 3, 4]], tf.int32),
    "m.transpose(1, 0)": ([[1, 3], [2, 4]], tf.int32),
    "m.transpose()": ([[1, 3], [2, 4]], tf.int32),
    "m.max(axis=0)": ([3, 4], tf.int32),
    "m.mean()": (2.5, tf.float64),
    "m.ravel()": ([1, 2, 3, 4], tf.int32),
    "x.astype(np.int8)": ([1, 2], tf.int8),
    "x.clip(0, 1)": ([1.0, 1.0], tf.float32),
    "+x": ([1.0, 2.0], tf.float32),
    "round(x)": ([1.0, 2.0], tf.float32),
    "x.data": ([1.0, 2.0], tf.float32),
}


@pytest.mark.usefixtures("enabled")
@pytest.mark.parametrize("code", BEHAVIOR)
def test_tensors_behave_like_arrays_once_enabled(code):
    values = {"x": tf.constant([1.0, 2.0]), "k": tf.constant([1, 2]), "v": tf.Variable([1, 2])}
    m = tf.constant([[1, 2], [3, 4]])
    result = eval(code, {"np": np, "tf": tf, "m": m, **values})
    expected, dtype = BEHAVIOR[code]
    assert result.dtype == dtype
    assert result.numpy().tolist() == expected


@pytest.mark.usefixtures("enabled")
def test_the_rest_of_tensorflow_stays_as_it_is_once_enabled():
    x = tf.constant([1.0, 2.0])
    assert (x.size, x.tolist()) == (2, [1.0, 2.0])
    assert (x == None) is False  # noqa: E711  # what the operator says is the point
    assert tf.constant(1.0).dtype == tf.float32
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.add(tf.constant(1), x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = (x[[0, 0, 1]] * np.float64(3)).mean() + x.max()
    assert tape.gradient(y, x).numpy().tolist() == [2, 2]


@pytest.mark.usefixtures("enabled")
def test_floats_are_float32_where_that_is_preferred():
    tnp.experimental_enable_numpy_behavior(prefer_float32=True)
    for made in (tnp.ones(2), tnp.array([1.0]), tnp.sin(1), tnp.random.randn(), tnp.add(1, 2.0)):
        assert made.dtype == tf.float32
    assert tnp.array([1]).dtype == tf.int64
    assert tnp.array(1j).dtype == tf.complex64
    assert tnp.array(np.ones(1)).dtype == tnp.ones(1, np.dtype("float64")).dtype == tf.float64
