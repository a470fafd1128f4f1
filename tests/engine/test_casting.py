"""Casts, bit casts, and tensors that are the same but for what flows back."""

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import gradient

TOP = float(np.finfo(np.float32).max)


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        ([1.8, -2.2], tf.int32, [1, -2]),
        ([300, -1], tf.uint8, [44, 255]),
        ([0.0, 0.5, float("nan")], tf.bool, [False, True, True]),
        ([1 + 2j], tf.float32, [1.0]),
        ([True, False], tf.float16, [1.0, 0.0]),
        ([1.5], "bfloat16", [1.5]),
        ([1, 2], float, [1.0, 2.0]),
        (float("nan"), tf.int32, -(2**31)),
    ],
    ids=repr,
)
def test_cast_truncates_wraps_and_drops(value, dtype, expected):
    result = tf.cast(value, dtype)
    assert result.dtype == dtype
    np.testing.assert_array_equal(result.numpy(), np.array(expected, result.dtype.dtype))


def test_a_cast_to_the_own_dtype_is_the_tensor_itself():
    x = tf.constant(1.0)
    assert tf.cast(x, tf.float32) is x


@pytest.mark.parametrize(("value", "dtype"), [("1.5", tf.float32), (1.5, tf.string)])
def test_strings_are_not_cast(value, dtype):
    with pytest.raises(tf.errors.UnimplementedError, match="is not supported"):
        tf.cast(value, dtype)


@pytest.mark.parametrize(
    ("through", "expected"),
    [("float64", 2.0), ("float16", 2.0), ("complex64", 2.0), ("int32", None), ("bool", None)],
)
def test_gradients_flow_between_floating_dtypes_alone(through, expected):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.cast(tf.cast(x, through), tf.float32) * 2.0
    gradient = tape.gradient(y, x)
    assert gradient is None if expected is None else gradient.numpy() == expected


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        ([-5.0, 300.0], tf.uint8, [0, 255]),
        ([1e10, -1e10], tf.int32, [2147483520, -(2**31)]),
        ([-1], tf.uint32, [0]),
        ([1e30], tf.float16, [65504.0]),
    ],
)
def test_saturate_cast_stays_within_the_range(value, dtype, expected):
    assert tf.saturate_cast(value, dtype).numpy().tolist() == expected


def test_bitcast_reads_the_bytes():
    assert tf.bitcast([1.0, 2.0], tf.int32).numpy().tolist() == [1065353216, 1073741824]
    assert tf.bitcast(tf.constant([1], tf.int64), tf.int32).numpy().tolist() == [[1, 0]]
    assert tf.bitcast([[1, 0]], tf.int64).numpy().tolist() == [1]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot bitcast"):
        tf.bitcast([1, 2, 3], tf.int64)
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in the list of allowed values"):
        tf.bitcast([True], tf.uint8)


def test_bitcast_has_no_gradient_and_says_so():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.bitcast(x, tf.float32)
    with pytest.raises(LookupError, match="Bitcast"):
        tape.gradient(y, x)


def test_identity_is_a_tensor_of_its_own_through_which_gradients_flow():
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        (y,) = tf.identity_n([x])
        loss = y * y
    assert y is not x
    assert tape.gradient(loss, [x, y])[0].numpy() == 4.0


def test_stop_gradient_stops_and_does_not_watch():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.stop_gradient(v) * 2.0
    assert tape.watched_variables() == ()
    assert tape.gradient(y, v) is None
    assert tf.stop_gradient("a").numpy() == b"a"
    with pytest.raises(ValueError, match="unsupported type"):
        tf.stop_gradient(None)


@pytest.mark.parametrize("value", [3.0, [1.0, 2.0], "text", np.ones(2), True])
def test_stop_gradient_gives_a_new_tensor_of_the_same_value(value):
    x = tf.constant(value)
    stopped = tf.stop_gradient(x)
    assert stopped is not x
    assert (stopped.dtype, stopped.shape) == (x.dtype, x.shape)
    assert np.all(stopped.numpy() == x.numpy())
    assert np.all(tf.stop_gradient(value).numpy() == x.numpy())


def test_stop_gradient_leaves_other_paths_alone():
    assert gradient(lambda x: tf.stop_gradient(x * x) * x, 3.0) == 9


@pytest.mark.parametrize("value", [None, {"a": 1.0}])
def test_stop_gradient_refuses_what_is_no_tensor(value):
    with pytest.raises(ValueError, match="Attempt to convert a value"):
        tf.stop_gradient(value)


@pytest.mark.parametrize(
    ("given", "dtype", "expected"),
    [
        (np.array([1e300 - 1e300j, 1 + 2j]), "complex64", [TOP - TOP * 1j, 1 + 2j]),
        (np.array([1e300 - 1e300j, -1e300 + 2j]), "float32", [TOP, -TOP]),
        (np.array([1e300, -1e300, 2.0]), "complex64", [TOP, -TOP, 2]),
        (np.array([300.0 - 2j, -5.0 + 7j]), "uint8", [255, 0]),
    ],
)
def test_complex_numbers_are_saturated_part_by_part(given, dtype, expected):
    found = tf.saturate_cast(given, dtype)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, expected)
