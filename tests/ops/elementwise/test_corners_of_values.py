"""Values at the corners: TensorFlow's, for overflow, NaN, integers and what is out of bounds."""

import numpy as np
import pytest

import cinta as tf

LARGE = 2**31 - 1


@pytest.mark.parametrize(
    ("values", "ends", "count", "wanted"),
    [
        (np.float32([3e38, 100.0]), [-1e38, 3e38], 2, [1, 1]),
        ([-LARGE - 1, LARGE], [-LARGE - 1, LARGE], 2, [1, 1]),
        (np.linspace(0, 1, 11, dtype=np.float32), [0.0, 1.0], 10, [1, 1, 1, 1, 1, 1, 2, 0, 2, 1]),
    ],
)
def test_histograms_neither_overflow_nor_round(values, ends, count, wanted):
    assert tf.histogram_fixed_width(values, ends, count).numpy().tolist() == wanted


@pytest.mark.parametrize(
    "matrix",
    [[[np.nan, 1.0], [1.0, 1.0]], [[1.0, np.nan], [0.0, 1.0]], [[1.0, 0.0], [np.nan, 1.0]]],
)
def test_the_determinant_of_what_is_not_a_number_is_none(matrix):
    both = tf.constant([matrix, np.eye(2)])
    np.testing.assert_array_equal(tf.linalg.det(both), [np.nan, 1.0])
    sign, logarithm = tf.linalg.slogdet(both)
    np.testing.assert_array_equal(sign, [np.nan, 1.0])
    np.testing.assert_array_equal(logarithm, [np.nan, 0.0])


def test_fractional_means_of_integers_lose_their_fractions():
    image = np.arange(36).reshape(1, 6, 6, 1)
    means = tf.nn.fractional_avg_pool(image, [1.0, 2.0, 2.0, 1.0]).output
    assert means.dtype == tf.int64
    assert means.numpy().ravel().tolist() == [3, 5, 7, 15, 17, 19, 27, 29, 31]
    below = tf.nn.fractional_avg_pool(-image, [1.0, 2.0, 2.0, 1.0]).output
    np.testing.assert_array_equal(below, -means)


def test_strings_are_padded_to_the_width():
    def padded(**how):
        return tf.strings.as_string(["ab", "é"], **how).numpy().tolist()

    assert padded(width=5) == [b"   ab", "   é".encode()]
    assert padded(width=5, fill="-") == [b"ab   ", "é   ".encode()]
    assert padded(width=2) == padded(precision=2) == [b"ab", "é".encode()]
    assert tf.strings.as_string(True, width=6) == b"true"
    with pytest.raises(tf.errors.InvalidArgumentError, match='Fill argument not supported: "x"'):
        padded(fill="x")


def test_negative_lengths_of_sparse_tensors_are_not_known():
    assert tf.SparseTensor([[0, 0]], [1], [-1, 5]).shape.as_list() == [None, 5]


def test_sets_with_elements_out_of_bounds_are_refused():
    rows = tf.SparseTensor([[0, 0], [0, 9]], [1, 3], [1, 3])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"indices\[1\] = \[0, 9\] is out"):
        tf.sets.size(rows)
    with pytest.raises(tf.errors.InvalidArgumentError, match="out of bounds"):
        tf.sets.union(rows, tf.constant([[1]]))


@pytest.mark.parametrize(
    ("sizes", "drop", "wanted"),
    [
        ([0, 2, 0, 3], False, [[], [0, 1], [], [2, 3, 4], [], [5, 6], [], [7]]),
        ([2, 0], False, [[0, 1], [], [2, 3], [], [4, 5], [], [6, 7], []]),
        ([2, 3, 0], True, [[0, 1], [2, 3, 4], [], [5, 6]]),
        ([3, 0, 6], False, [[0, 1, 2], [], [3, 4, 5, 6, 7]]),
    ],
)
@pytest.mark.parametrize(
    "made", [tf.data.Dataset.range, lambda n: tf.data.Dataset.range(n).map(abs)]
)
def test_batches_may_be_empty_in_their_turn(made, sizes, drop, wanted):
    batches = made(8).batch(4).rebatch(sizes, drop)
    assert [batch.numpy().tolist() for batch in batches] == wanted


@pytest.mark.parametrize("sizes", [0, [0, 0], [2, -1], []])
def test_batches_without_end_or_of_negative_sizes_are_refused(sizes):
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="must not be negative, and one of them must be more"
    ):
        tf.data.Dataset.range(8).batch(4).rebatch(sizes)
