"""NumPy's functions of tensors, recorded for who asks for it."""

import gc

import numpy as np
import pytest

import cinta as tf


@pytest.fixture(autouse=True)
def dispatch():
    tf.experimental.enable_numpy_dispatch()
    yield
    tf.experimental.enable_numpy_dispatch(False)


X = np.array([[0.5, 2.0], [1.5, 0.7]])
W = np.array([[1.0, -2.0], [0.3, 0.4]])
CASES = {
    "ufunc": np.sin,
    "ufunc of another name": np.absolute,
    "degrees": np.degrees,
    "two": lambda x: np.maximum(x, 1.0),
    "two tensors": lambda x: np.arctan2(x, x + 1),
    "reduction": lambda x: np.sum(x**2, axis=1, keepdims=True),
    "mean and spread": lambda x: np.mean(x) / np.std(x),
    "reduction by a ufunc": lambda x: np.multiply.reduce(x, axis=1),
    "array on the left": lambda x: W - W @ x * W,
    "scalar on the left": lambda x: np.float64(2.0) * x,
    "list": lambda x: np.concatenate([x, W, 2 * x], axis=0),
    "where": lambda x: np.where(x > 1, x, x**2),
    "einsum": lambda x: np.einsum("ij,kj->ik", x, W),
    "shape": lambda x: np.reshape(np.transpose(x), [4])[::2],
    "linear algebra": lambda x: np.linalg.inv(x) * np.linalg.det(x),
}


@pytest.mark.parametrize("f", CASES.values(), ids=CASES)
@pytest.mark.parametrize("kind", [tf.constant, tf.Variable])
def test_recorded_with_numpy_s_values(f, kind):
    x = kind(X)
    result = f(x)
    assert isinstance(result, tf.Tensor)
    np.testing.assert_allclose(result.numpy(), f(X), rtol=1e-12)
    tf.check_grads(f, [tf.constant(X)], order=1)


def test_operators_keep_their_rules():
    x = tf.constant([1.0, 2.0])
    assert (np.array([1.0, 2.0]) + x).dtype == tf.float32
    assert (np.array([1.0, 2.0]) < x).numpy().tolist() == [False, False]


def test_what_has_no_counterpart_gets_the_values():
    x = tf.constant([3.0, 1.0, 2.0])
    assert np.median(x) == 2.0
    np.testing.assert_array_equal(np.argwhere(x > 1.5), [[0], [2]])
    np.testing.assert_array_equal(np.add.accumulate(x), [3.0, 4.0, 6.0])


@pytest.mark.parametrize(
    "f",
    [np.median, np.add.accumulate, lambda x: np.exp(x, out=np.empty(2))],
    ids=["function", "ufunc", "out"],
)
def test_nothing_leaves_the_tape_unseen(f):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(TypeError, match=r"would not be recorded.*\(t\.numpy\(\)\)"):
            f(x)
        assert f(x.numpy()) is not None


def test_off_again():
    tf.experimental.enable_numpy_dispatch(False)
    assert isinstance(np.sin(tf.constant(1.0)), np.floating)
    tf.experimental.enable_numpy_dispatch(False)  # once more does nothing


@pytest.mark.parametrize(
    "value", [[1.5, 2.5], [[1, 2], [3, 4]], [True, False], [1j], 2.0, [[]], ["a", "b"]]
)
def test_numpy_takes_a_tensor_as_it_is(value):
    t = tf.constant(value)
    found = np.asarray(t)
    assert found.dtype == t.dtype.as_numpy_dtype
    np.testing.assert_array_equal(found, t.numpy())
    if found.ndim:
        assert not found.flags.writeable
    del t
    gc.collect()
    assert found.shape == np.shape(value)
    assert np.array(tf.constant(value)).flags.writeable


def test_numpy_takes_half_precisions_and_turned_tensors():
    half = np.asarray(tf.constant([1.5], tf.bfloat16))
    assert half.dtype == tf.bfloat16.as_numpy_dtype
    assert np.asarray(tf.transpose([[1, 2], [3, 4]])).tolist() == [[1, 3], [2, 4]]
    assert np.asarray(tf.constant(1.0), np.float64).dtype == np.float64
