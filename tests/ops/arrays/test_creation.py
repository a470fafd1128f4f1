"""Tensors made of shapes and numbers: their dtypes, their values, and what is refused."""

import numpy as np
import pytest

import cinta as tf

ERROR = tf.errors.InvalidArgumentError


@pytest.mark.parametrize("shape", [[2, 3], (2, 3), tf.constant([2, 3]), tf.TensorShape([2, 3])])
def test_shapes_of_every_kind(shape):
    assert tf.zeros(shape).shape == tf.ones(shape).shape == tf.fill(shape, 1).shape == (2, 3)


@pytest.mark.parametrize("dtype", [tf.float32, tf.bfloat16, tf.int64, tf.bool, tf.complex64])
def test_every_dtype_has_zeros_and_ones(dtype):
    zeros, ones = tf.zeros([2], dtype), tf.ones_like([1, 2], dtype)
    assert zeros.dtype == ones.dtype == dtype
    assert (zeros.numpy() == 0).all()
    assert (ones.numpy() == 1).all()


def test_strings_have_zeros_but_no_ones():
    assert tf.zeros_like(tf.constant(["a"])).numpy().tolist() == [b""]
    with pytest.raises(TypeError, match="dtype string"):
        tf.ones([1], tf.string)


def test_a_filled_tensor_passes_its_gradient_to_the_value():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.fill([2, 3], x)
    assert tape.gradient(y, x).numpy() == 6.0


def test_a_variable_of_a_filled_tensor_can_change_in_place():
    v = tf.Variable(tf.fill([3], 1.0))
    v.assign_add([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(v.numpy(), [2.0, 3.0, 4.0])


@pytest.mark.parametrize(
    ("arguments", "expected", "dtype"),
    [
        ((3,), [0, 1, 2], tf.int32),
        ((1, 4), [1, 2, 3], tf.int32),
        ((5, 1, -2), [5, 3], tf.int32),
        ((3.0,), [0, 1, 2], tf.float32),
        ((0, 1, 0.25), [0, 0.25, 0.5, 0.75], tf.float32),
        ((np.int64(2),), [0, 1], tf.int64),
        ((np.float64(2.0),), [0, 1], tf.float64),
        ((np.float16(2.0),), [0, 1], tf.float16),
        ((0,), [], tf.int32),
        ((0, 2**31 - 1, 2**30), [0, 2**30], tf.int32),
        ((-(2**31), 2**31 - 1, 2**31 - 1), [-(2**31), -1, 2**31 - 2], tf.int32),
        ((0, 2**62 + 1, 2**61), [0, 2**61, 2**62], tf.int64),
    ],
)
def test_ranges(arguments, expected, dtype):
    got = tf.range(*arguments)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got.numpy(), expected)


@pytest.mark.parametrize(
    "bounds",
    [
        (3, -(2**63), 1),
        (-(2**31), 2**31 - 1, 2**30),
        (-(2**31), 2**31 - 1, -1),
        (-(2**63), 2**63 - 1, 2**62),
        (2**62, -(2**63), -(2**62)),
        (2**63 - 1, -(2**63), -(2**63)),
        (0, 2**62 + 1, 2**61),
        (5, 1, -2),
    ],
)
def test_ragged_ranges_have_room_for_all_integers(bounds):
    rows = tf.ragged.range(*[[each] for each in bounds])
    assert rows.to_list() == [list(range(*bounds))]


@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
def test_ragged_ranges_without_end_are_refused(wrong):
    with pytest.raises(tf.errors.InvalidArgumentError, match="Requires finite starts"):
        tf.ragged.range([1.0, wrong])


@pytest.mark.parametrize(
    ("count", "splits"),
    [(None, [0, 2, 2, 3]), (0, [0]), (1, [0, 2]), (2, [0, 2, 2]), (4, [0, 2, 2, 3, 3])],
)
def test_rows_of_segments_are_as_many_as_were_asked_for(count, splits):
    got = tf.ragged.segment_ids_to_row_splits([0, 0, 2], count)
    assert got.numpy().tolist() == splits


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: tf.ragged.segment_ids_to_row_splits([-1, 5]), "segment_ids must not be negative"),
        (
            lambda: tf.ragged.segment_ids_to_row_splits([0], -1),
            "`num_segments` must not be negative",
        ),
        (
            lambda: tf.strings.unsorted_segment_join([], [], -1),
            "`num_segments` must not be negative",
        ),
    ],
)
def test_negative_segments_are_refused(call, says):
    with pytest.raises(tf.errors.InvalidArgumentError, match=says):
        call()


def test_ranges_of_complex_numbers_are_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="complex64 is not in the list"):
        tf.range(1, 4, dtype=tf.complex64)


def test_linspace_ends_exactly_where_it_should():
    got = tf.linspace(0.1, 0.7, 7).numpy()
    assert (got[0], got[-1]) == (np.float32(0.1), np.float32(0.7))
    np.testing.assert_allclose(got, np.linspace(0.1, 0.7, 7), rtol=1e-6)
    assert [tf.linspace(1.0, 2.0, n).shape[0] for n in range(4)] == [0, 1, 2, 3]
    assert tf.linspace(0, 1, 3).dtype == tf.float64
    assert tf.linspace(tf.constant(0, tf.uint32), 1, 3).dtype == tf.float64
    for small in (tf.int8, tf.uint8, tf.int16, tf.uint16):
        assert tf.linspace(tf.constant(0, small), 1, 3).dtype == tf.float32


def test_one_hot():
    np.testing.assert_array_equal(
        tf.one_hot([[0, 2]], 3, axis=0).numpy()[:, 0].T, np.eye(3)[[0, 2]]
    )
    np.testing.assert_array_equal(tf.one_hot([-1, 3], 3).numpy(), np.zeros((2, 3)))
    got = tf.one_hot([1], 2, on_value=5, off_value=-5)
    assert (got.dtype, got.numpy().tolist()) == (tf.int32, [[-5, 5]])


def test_sequence_mask():
    got = tf.sequence_mask([[1], [3]], 2, tf.int32).numpy()
    np.testing.assert_array_equal(got, [[[1, 0]], [[1, 1]]])
    np.testing.assert_array_equal(tf.sequence_mask([0.5, 1.5]), [[True, False], [True, True]])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: tf.zeros([-1]), ERROR),
        (lambda: tf.eye(-1), ERROR),
        (lambda: tf.fill([2], [1.0, 2.0]), ERROR),
        (lambda: tf.range(0, 1, 0), ERROR),
        (lambda: tf.range(1, 0), ERROR),
        (lambda: tf.range([1, 2]), ERROR),
        (lambda: tf.range(float("inf")), ERROR),
        (lambda: tf.range(float("nan")), ERROR),
        (lambda: tf.linspace(0.0, 1.0, -1), ERROR),
        (lambda: tf.linspace(0, 1.5, 2), TypeError),
        (lambda: tf.linspace([0.0, 1.0], [1.0, 2.0, 3.0], 3), ERROR),
        (lambda: tf.eye(None), TypeError),
        (lambda: tf.eye(2, dtype=tf.string), TypeError),
        (lambda: tf.one_hot([0], -1), ERROR),
        (lambda: tf.one_hot([0.5], 2), ERROR),
        (lambda: tf.one_hot([0], 2, on_value=1.0, off_value=0), TypeError),
        (lambda: tf.one_hot([0], 2, axis=2), ERROR),
    ],
)
def test_what_makes_no_sense_is_refused(call, error):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize("like", [tf.zeros_like, tf.ones_like])
def test_zeros_like_a_watched_tensor_are_a_source_but_give_no_gradient(like):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = like(x)
        y = z * 3.0 + x
    dx, dz = tape.gradient(y, [x, z])
    assert dx.numpy().tolist() == [1, 1]
    assert dz.numpy().tolist() == [3, 3]


@pytest.mark.parametrize(
    "make",
    [
        lambda n: tf.zeros([n]),
        lambda n: tf.ones([n], tf.int64),
        lambda n: tf.constant(0.0, shape=[n]),
        lambda n: tf.range(n),
        lambda n: tf.linspace(0.0, 1.0, n),
        lambda n: tf.eye(n // 10**6),
    ],
)
def test_what_has_no_room_in_memory_is_refused(make):
    with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM when allocating"):
        make(10**14)


def test_shapes_with_more_elements_than_there_are_numbers_are_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="There are no tensors"):
        tf.zeros([10**10, 10**10])


@pytest.mark.parametrize(
    ("length", "error"), [([10, 20], ValueError), ([3], ValueError), (-1, ERROR)]
)
def test_the_length_of_a_mask_is_a_count(length, error):
    with pytest.raises(error, match="maxlen"):
        tf.sequence_mask([1, 2], length)
