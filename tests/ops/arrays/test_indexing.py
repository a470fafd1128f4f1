"""Indexing: what NumPy gives, TensorFlow's errors, and gradients that go back to where it was."""

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import label

ARRAY = np.arange(24.0).reshape(2, 3, 4)

KEYS = [
    0,
    -1,
    (1, 2),
    (1, 2, 3),
    (slice(1, None),),
    (slice(None), slice(None, None, -1)),
    (slice(None), slice(2, 0, -1), 1),
    (slice(-10, 10), slice(5, None)),
    ...,
    (..., 1),
    (0, ..., slice(None, None, 2)),
    None,
    (slice(None), None, 1),
    (1, None, ..., None),
    (),
    np.int64(1),
    np.array(1),
]


@pytest.mark.parametrize("key", KEYS, ids=label)
def test_parts_are_those_that_numpy_gives(key):
    x = tf.constant(ARRAY)
    np.testing.assert_array_equal(x[key].numpy(), ARRAY[key])


@pytest.mark.parametrize("key", KEYS, ids=label)
def test_the_gradient_goes_back_to_the_part_and_is_zero_elsewhere(key):
    x = tf.constant(ARRAY)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x[key] * 3.0
    expected = np.zeros_like(ARRAY)
    expected[key] = 3.0
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), expected)


def test_tensors_and_variables_of_whole_numbers_are_indices():
    x = tf.constant(ARRAY)
    one, two = tf.constant(1), tf.Variable(2, dtype=tf.int64)
    np.testing.assert_array_equal(x[one, two].numpy(), ARRAY[1, 2])
    np.testing.assert_array_equal(x[:, one:two].numpy(), ARRAY[:, 1:2])


def test_a_list_means_what_a_tuple_does():
    assert tf.constant(ARRAY)[[1, 2, 3]].numpy() == ARRAY[1, 2, 3]


@pytest.mark.parametrize("convert", [np.array, tf.constant])
def test_a_mask_picks_elements(convert):
    x = tf.constant(ARRAY)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x[convert(ARRAY > 20)]
    np.testing.assert_array_equal(y.numpy(), [21, 22, 23])
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), ARRAY > 20)


def test_single_strings_stay_tensors():
    words = tf.constant(["a", "b"])
    assert words[1].numpy() == b"b"
    assert words[..., 0].shape == ()
    assert [word.numpy() for word in tf.unstack(words)] == [b"a", b"b"]


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (2, r"slice index 2 of dimension 0 out of bounds"),
        ((0, -4), r"slice index -1 of dimension 1 out of bounds"),
        ((..., 4), r"slice index 4 of dimension 2 out of bounds"),
        (2**70, "out of bounds"),
        ((0, 0, 0, 0), r"Index out of range using input dim 3; input has only 3 dims"),
        ((..., ...), r"Multiple ellipses in slice spec not allowed"),
        (slice(None, None, 0), r"strides\[0\] must be non-zero"),
        ((0, slice(1, 2, 0)), r"strides\[1\] must be non-zero"),
    ],
)
def test_what_is_out_of_range_is_named(key, message):
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        tf.constant(ARRAY)[key]


def test_scalars_have_no_parts():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Attempting to slice scalar input"):
        tf.constant(1.0)[0]
    assert tf.constant(1.0)[...].shape == ()
    assert tf.constant(1.0)[None].shape == (1,)


@pytest.mark.parametrize(
    "key",
    [
        "a",
        1.0,
        [[0], [1]],
        object(),
        {},
        np.array([0, 1]),
        np.float32(1),
        slice("a", None),
        slice(0.5, None),
        tf.constant([1]),
        tf.constant(1.0),
        (0, tf.constant([True, False, True])),
    ],
    ids=label,
)
def test_what_is_no_index_is_refused(key):
    with pytest.raises(TypeError, match="Only integers, slices"):
        tf.constant(ARRAY)[key]


@pytest.mark.parametrize("key", [True, tf.constant(False)], ids=label)
def test_a_single_truth_value_is_no_mask(key):
    with pytest.raises(ValueError, match="mask cannot be scalar"):
        tf.constant(ARRAY)[key]


def test_parts_of_variables_can_be_assigned():
    v = tf.Variable(np.zeros((3, 2), np.float32))
    assert v[0].assign([1.0, 2.0]) is v
    v[1:, 0].assign(5.0)
    v[::-1, 1].assign([7, 8, 9])
    np.testing.assert_array_equal(v.numpy(), [[1, 9], [5, 8], [5, 7]])


def test_assigning_to_a_part_leaves_what_was_read_alone():
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = v[0] * v[1]
        v[0].assign(10.0)
    assert y.numpy() == 2.0
    np.testing.assert_array_equal(tape.gradient(y, v).numpy(), [2.0, 1.0])


def test_assigning_to_a_part_needs_a_shape_that_fits():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"shape \[3\] into .* \[2\]"):
        tf.Variable([[1.0, 2.0]])[0].assign([1.0, 2.0, 3.0])


def test_slice_takes_sizes():
    x = tf.constant(ARRAY)
    np.testing.assert_array_equal(tf.slice(x, [0, 1, 2], [1, -1, 2]).numpy(), ARRAY[:1, 1:, 2:4])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"begin\[1\] in \[0, 3\], but got 4"):
        tf.slice(x, [0, 4, 0], [1, 1, 1])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"size\[2\] in \[0, 3\], but got 4"):
        tf.slice(x, [0, 0, 1], [1, 1, 4])
    with pytest.raises(tf.errors.InvalidArgumentError, match="1-D tensors of size 3"):
        tf.slice(x, [0], [1])


def test_strided_slice_takes_masks():
    x = tf.constant(ARRAY)
    got = tf.strided_slice(x, [0, 1, 0], [9, 9, 2], [1, 1, 1], begin_mask=1, shrink_axis_mask=2)
    np.testing.assert_array_equal(got.numpy(), ARRAY[:, 1, 0:2])
    got = tf.strided_slice(x, [0, 1], [1, 2], ellipsis_mask=1, new_axis_mask=2)
    np.testing.assert_array_equal(got.numpy(), ARRAY[..., None])


def test_a_mask_must_fit_the_tensor():
    with pytest.raises(ValueError, match=r"Shapes \(2,\) and \(3,\) are incompatible"):
        tf.boolean_mask(ARRAY, [True, False, True])


def test_where_chooses_and_finds():
    chosen = tf.where([[True], [False]], [1.0, 2.0], 0)
    np.testing.assert_array_equal(chosen.numpy(), [[1, 2], [0, 0]])
    places = tf.where([[True, False], [True, True]])
    assert places.dtype == tf.int64
    np.testing.assert_array_equal(places.numpy(), [[0, 0], [1, 0], [1, 1]])


def test_where_lets_nothing_back_from_the_branch_that_was_not_taken():
    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = tf.where([True, False], x, y)
    of_x, of_y = tape.gradient(z, [x, y], tf.constant(np.array([np.inf, np.nan], np.float32)))
    np.testing.assert_array_equal(of_x.numpy(), [np.inf, 0.0])
    np.testing.assert_array_equal(of_y.numpy(), [0.0, np.nan])


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (([True], 1, 2.0), TypeError),
        (([True], [1.0], None), ValueError),
        ((tf.constant([1.0]), 1.0, 2.0), tf.errors.InvalidArgumentError),
        (([True], tf.constant(1.0), tf.constant(1)), tf.errors.InvalidArgumentError),
        (([True, False], tf.zeros(2), tf.zeros(3)), tf.errors.InvalidArgumentError),
        ((True,), tf.errors.InvalidArgumentError),
    ],
)
def test_where_refuses(arguments, error):
    with pytest.raises(error):
        tf.where(*arguments)
