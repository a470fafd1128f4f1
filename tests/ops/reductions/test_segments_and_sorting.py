"""Segments, order and counting where it matters: gaps, ties, many rows, empty ones, errors."""

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import gradient, refuses

NOBODY = np.zeros(0, np.int32)
UNSORTED = ["sum", "mean", "sqrt_n", "prod", "max", "min"]


# -- segments ----------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.complex64, np.int32])
@pytest.mark.parametrize("shape", [(0, 4), (7,), (3000,), (40, 3), (4000, 5), (60, 20, 30)])
def test_many_rows_are_added_as_one_by_one(shape, dtype):
    draw = np.random.default_rng(0)
    values = (draw.standard_normal(shape) * 8).astype(dtype)
    groups = draw.integers(-2, 9, shape[0])
    expected = np.zeros((9, *shape[1:]), np.result_type(dtype, np.float64))
    for value, group in zip(values, groups, strict=True):
        if group >= 0:
            expected[group] += value
    found = tf.math.unsorted_segment_sum(values, groups, 9)
    assert found.dtype == dtype
    bound = 1e-2 if dtype == np.float16 else 1e-4
    np.testing.assert_allclose(found.numpy(), expected, rtol=bound, atol=bound)


def test_groups_without_rows_give_the_neutral_element():
    x = tf.constant([2.0, 3.0])
    lowest, highest = tf.float32.min, tf.float32.max
    by_name = {"sum": 0, "mean": 0, "prod": 1, "max": 0, "min": 0}
    for name, value in by_name.items():
        assert getattr(tf.math, f"segment_{name}")(x, [0, 2]).numpy().tolist() == [2, value, 3]
    by_name |= {"sqrt_n": 0, "max": lowest, "min": highest}
    for name, value in by_name.items():
        found = getattr(tf.math, f"unsorted_segment_{name}")(x, [0, 2], 3)
        np.testing.assert_array_equal(found, np.float32([2, value, 3]))
        nothing = getattr(tf.math, f"unsorted_segment_{name}")(tf.zeros([0, 2]), NOBODY, 3)
        assert nothing.shape == (3, 2)


@pytest.mark.parametrize("name", UNSORTED)
def test_rows_of_negative_groups_are_dropped(name):
    function = getattr(tf.math, f"unsorted_segment_{name}")
    groups = [1, -1, 0, 1, -7]
    x = np.array([1.5, np.nan, 2.0, 3.0, np.inf])
    assert np.isfinite(function(x, groups, 2).numpy()).all()
    found = gradient(lambda x: function(x, groups, 2), x)
    np.testing.assert_array_equal(found[[1, 4]], [0.0, 0.0])
    assert np.isfinite(found).all()


def test_equal_extremes_of_a_group_share_the_gradient():
    groups, x = [0, 0, 0, 1], [2.0, 2.0, 1.0, 5.0]
    found = gradient(lambda x: tf.math.segment_max(x, groups), x)
    np.testing.assert_array_equal(found, [0.5, 0.5, 0.0, 1.0])
    found = gradient(lambda x: tf.math.unsorted_segment_min(-x, groups, 2), x)
    np.testing.assert_array_equal(found, [-0.5, -0.5, 0.0, -1.0])


def test_a_mean_of_ints_is_cut_off():
    assert tf.math.segment_mean([1, 2, 4], [0, 1, 1]).numpy().tolist() == [1, 3]


def test_rows_of_a_matrix_of_groups():
    x = np.arange(12.0).reshape(2, 3, 2)
    groups = [[0, 2, 0], [2, 2, 0]]
    found = tf.math.unsorted_segment_sum(x, groups, 3)
    np.testing.assert_array_equal(found, [[14, 17], [0, 0], [16, 19]])
    every = tf.math.unsorted_segment_sum([[1.0, 2.0], [3.0, 4.0]], [[0, 1], [1, 0]], 2)
    np.testing.assert_array_equal(every, [5.0, 5.0])


# -- scans -------------------------------------------------------------------------------------


def test_scans_in_all_four_ways():
    x = [1.0, 2.0, 3.0]
    sums = [tf.cumsum(x, 0, ex, rev) for ex in (False, True) for rev in (False, True)]
    assert [s.numpy().tolist() for s in sums] == [[1, 3, 6], [6, 5, 3], [0, 1, 3], [5, 3, 0]]
    products = [tf.math.cumprod(x, 0, ex, rev) for ex in (False, True) for rev in (False, True)]
    assert [p.numpy().tolist() for p in products] == [[1, 2, 6], [6, 6, 3], [1, 1, 2], [6, 3, 1]]
    assert tf.cumsum(tf.constant([200, 100], tf.uint8)).numpy().tolist() == [200, 44]


def test_a_running_product_is_differentiated_at_zeros():
    found = gradient(tf.math.cumprod, [2.0, 0.0, 3.0])
    np.testing.assert_array_equal(found, [1.0, 8.0, 0.0])


def test_a_running_logsumexp_neither_overflows_nor_underflows():
    x = [1000.0, -1000.0, 999.0]
    top = 1000 + np.log1p(np.exp(-1))
    np.testing.assert_allclose(tf.math.cumulative_logsumexp(x), [1000, 1000, top])
    share = 1 / (1 + np.exp(-1))
    found = gradient(tf.math.cumulative_logsumexp, x)
    np.testing.assert_allclose(found, [2 + share, 0, 1 - share], rtol=1e-4)
    found = gradient(tf.math.cumulative_logsumexp, [1.0, -np.inf])
    np.testing.assert_array_equal(found, [2.0, 0.0])


# -- order -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.float16, np.float32])
def test_sorting_both_ways_along_every_axis(dtype):
    x = np.array([[3, 100, 0], [3, 1, 127]], dtype)
    for axis in (0, 1, -1):
        np.testing.assert_array_equal(tf.sort(x, axis), np.sort(x, axis))
        falling = tf.sort(x, axis, "DESCENDING")
        np.testing.assert_array_equal(falling, np.flip(np.sort(x, axis), axis))
        order = tf.argsort(x, axis, "DESCENDING").numpy()
        np.testing.assert_array_equal(np.take_along_axis(x, order, axis), falling)
    many = np.random.default_rng(0).integers(0, 6, 20_000).astype(dtype)
    np.testing.assert_array_equal(tf.sort(many), np.sort(many.astype(int)).astype(dtype))
    lowest = np.iinfo(np.int8).min
    assert tf.sort(np.int8([0, lowest, 3]), direction="DESCENDING").numpy().tolist() == [
        3,
        0,
        lowest,
    ]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_nan_is_last_in_every_order(dtype):
    x = tf.cast([1.0, -1.0, np.nan, 2.5, -2.5, np.inf, 0.5, 30.0, 7.0], dtype)
    up = [-2.5, -1.0, 0.5, 1.0, 2.5, 7.0, 30.0, np.inf]
    floats = [
        tf.cast(each, tf.float64) for each in (tf.sort(x), tf.sort(x, direction="DESCENDING"))
    ]
    np.testing.assert_array_equal(floats, [[*up, np.nan], [*up[::-1], np.nan]])
    assert tf.argsort(x).numpy().tolist() == [4, 1, 6, 0, 3, 8, 7, 5, 2]
    assert tf.argsort(x, direction="DESCENDING").numpy().tolist() == [5, 7, 8, 3, 0, 6, 1, 4, 2]
    for k, expected in (1, [5]), (3, [5, 7, 8]):
        assert tf.math.top_k(x, k).indices.numpy().tolist() == expected
    assert tf.searchsorted(tf.sort(x), x).numpy().tolist() == [3, 1, 8, 4, 0, 7, 2, 6, 5]


def test_equal_elements_keep_their_order():
    assert tf.argsort([1, 0, 1, 0]).numpy().tolist() == [1, 3, 0, 2]
    assert tf.argsort([1, 0, 1, 0], direction="DESCENDING").numpy().tolist() == [0, 2, 1, 3]
    assert tf.math.top_k([1, 5, 5, 2], 2).indices.numpy().tolist() == [1, 2]
    found = gradient(lambda x: tf.math.top_k(x, 1).values, [[5.0, 5.0], [1.0, 2.0]])
    np.testing.assert_array_equal(found, [[1, 0], [0, 1]])


def test_searching_in_rows():
    rows = [[1.0, 3.0, 5.0], [0.0, 0.0, 9.0]]
    left = tf.searchsorted(rows, [[3.0, 9.0], [0.0, 4.0]])
    right = tf.searchsorted(rows, [[3.0, 9.0], [0.0, 4.0]], side="right", out_type=tf.int64)
    assert left.numpy().tolist() == [[1, 3], [0, 2]]
    assert right.numpy().tolist() == [[2, 3], [2, 2]]
    assert right.dtype == tf.int64
    assert tf.searchsorted([1.0], tf.zeros([0])).shape == (0,)
    assert tf.searchsorted([1.0, 3.0], [[2.0]]).numpy().tolist() == [[1]]


def test_distinct_elements_come_as_they_first_appear():
    y, idx, count = tf.unique_with_counts(["b", "a", "b"])
    assert (y.numpy().tolist(), idx.numpy().tolist()) == ([b"b", b"a"], [0, 1, 0])
    assert count.numpy().tolist() == [2, 1]
    assert tf.unique([np.nan, 1.0, np.nan]).idx.numpy().tolist() == [0, 1, 2]
    assert tf.unique(tf.zeros([0])).y.shape == (0,)


def test_distinct_elements_have_no_registered_gradient():
    x = tf.constant([1.0, 2.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.unique(x).y
    with pytest.raises(LookupError, match="Unique"):
        tape.gradient(y, x)


def test_targets_among_the_largest():
    scores = [[1.0, 2.0, 3.0], [3.0, 3.0, 3.0], [np.nan, 1.0, 2.0], [1.0, 2.0, 3.0]]
    found = tf.math.in_top_k([0, 0, 2, 7], scores, 1)
    assert found.numpy().tolist() == [False, True, False, False]
    assert tf.math.invert_permutation(tf.constant([2, 0, 1], tf.int64)).dtype == tf.int64


# -- counting ----------------------------------------------------------------------------------


def test_counting_numbers():
    x = [[1, 1], [0, 3]]
    assert tf.math.bincount(x).numpy().tolist() == [1, 2, 0, 1]
    assert tf.math.bincount(x, axis=-1).numpy().tolist() == [[0, 2, 0, 0], [1, 0, 0, 1]]
    assert tf.math.bincount(x, maxlength=2).numpy().tolist() == [1, 2]
    assert tf.math.bincount(x, minlength=6, dtype=tf.float32).numpy().tolist() == [1, 2, 0, 1, 0, 0]
    assert tf.math.bincount(x, binary_output=True).numpy().tolist() == [1, 1, 0, 1]
    weighted = tf.math.bincount(x, weights=[[0.5, 0.5], [2.0, 3.0]], axis=-1)
    assert weighted.numpy().tolist() == [[0, 1, 0, 0], [2, 0, 0, 3]]
    assert tf.math.bincount(tf.zeros([0], tf.int32)).shape == (0,)


def test_weights_of_a_count_have_no_registered_gradient():
    w = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(w)
        y = tf.math.bincount([0, 1], weights=w)
    with pytest.raises(LookupError, match="DenseBincount"):
        tape.gradient(y, w)


def test_histograms_and_confusion():
    x = [-1.0, 0.0, 1.5, 2.0, 5.0, 15.0]
    assert tf.histogram_fixed_width(x, [0.0, 5.0], 5).numpy().tolist() == [2, 1, 1, 0, 2]
    bins = tf.histogram_fixed_width_bins(x, [0.0, 5.0], 5)
    assert bins.numpy().tolist() == [0, 0, 1, 2, 4, 4]
    matrix = tf.math.confusion_matrix([[0], [1], [1]], [1, 1, 1], 3, [0.5, 1.0, 2.0], tf.float32)
    np.testing.assert_array_equal(matrix, [[0, 0.5, 0], [0, 3, 0], [0, 0, 0]])


# -- errors ------------------------------------------------------------------------------------

INVALID = tf.errors.InvalidArgumentError


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tf.math.segment_sum([1.0, 2.0], [1, 0]), INVALID, "not increasing"),
        (lambda: tf.math.segment_sum([1.0, 2.0], [-1, 0]), INVALID, "out of range [0, 1)"),
        (lambda: tf.math.segment_sum([1.0, 2.0], [0]), INVALID, "same size as dimension 0"),
        (lambda: tf.math.segment_max([1j], [0]), INVALID, "complex"),
        (lambda: tf.math.segment_sum([1.0], [0.0]), INVALID, "float"),
        (lambda: tf.math.unsorted_segment_sum([1.0], [5], 3), INVALID, "segment_ids[0] = 5"),
        (lambda: tf.math.unsorted_segment_sum([1.0], [0, 1], 3), INVALID, "does not start with"),
        (lambda: tf.math.unsorted_segment_sum([1.0], [0], -1), INVALID, "-1"),
        (lambda: tf.sparse.segment_sum([1.0], [4], [0]), INVALID, "indices[0] == 4"),
        (lambda: tf.sparse.segment_sum([1.0], [0], [3], num_segments=2), INVALID, "num_segments"),
        (lambda: tf.cumsum([1.0], axis=2), INVALID, "[-1, 1)"),
        (lambda: tf.cumsum([[1.0]], axis=[0, 1]), INVALID, "scalar"),
        (lambda: tf.math.cumulative_logsumexp([1]), INVALID, "int32"),
        (lambda: tf.sort([1.0], direction="UP"), ValueError, "UP"),
        (lambda: tf.sort([1j]), INVALID, "complex"),
        (lambda: tf.math.top_k([1.0], 3), INVALID, "Had 1, needed 3"),
        (lambda: tf.math.top_k(1.0), INVALID, "1-D"),
        (lambda: tf.searchsorted([1.0], [1.0], side="up"), ValueError, "up"),
        (lambda: tf.searchsorted([[1.0]], [[1.0], [2.0]]), INVALID, "Leading"),
        (lambda: tf.unique([[1.0]]), INVALID, "1D vector"),
        (lambda: tf.math.in_top_k([0], [1.0], 1), INVALID, "2-dimensional"),
        (lambda: tf.math.invert_permutation([0, 0]), INVALID, "[0, 0]"),
        (lambda: tf.math.bincount([-1]), INVALID, "non-negative"),
        (lambda: tf.math.bincount([1], axis=1), ValueError, "axis=1"),
        (lambda: tf.math.bincount([1], weights=[1.0, 2.0]), INVALID, "weights"),
        (lambda: tf.histogram_fixed_width([1.0], [5.0, 0.0]), INVALID, "value_range"),
        (lambda: tf.histogram_fixed_width([np.nan], [0.0, 1.0]), INVALID, "NaN"),
        (lambda: tf.math.confusion_matrix([-1], [0]), INVALID, "negative"),
        (lambda: tf.math.confusion_matrix([3], [0], num_classes=2), INVALID, "class 3"),
    ],
)
def test_errors_name_what_was_given(call, error, message):
    refuses(call, error, message)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float16", "bfloat16", "float32"])
@pytest.mark.parametrize("k", [1, 3, 8, 9])
@pytest.mark.parametrize("distinct", [5, 1000])
def test_the_largest_of_many_come_in_order_and_the_first_of_equal_ones(dtype, k, distinct):
    drawn = np.random.default_rng(0).integers(0, distinct, (2, 5, 64)) % 120
    x = tf.cast(drawn, dtype)
    values, places = tf.math.top_k(x, k)
    expected = np.argsort(-drawn, axis=-1, stable=True)[..., :k]
    np.testing.assert_array_equal(places, expected)
    np.testing.assert_array_equal(values, np.take_along_axis(x.numpy(), expected, -1))


def test_the_largest_of_many_with_nan():
    x = np.arange(100, dtype=np.float32)
    x[[3, 50]] = np.nan, np.inf
    assert tf.math.top_k(x, 3).indices.numpy().tolist() == [50, 99, 98]


@pytest.mark.parametrize(
    ("call", "default", "refused"),
    [
        (lambda d: tf.searchsorted([1.0], [2.0], out_type=d), tf.int32, [tf.uint16, tf.float32]),
        (lambda d: tf.unique([1, 1], out_idx=d).idx, tf.int32, [tf.int16, tf.float32]),
        (lambda d: tf.unique_with_counts([1], out_idx=d).count, tf.int32, [tf.int16, tf.bool]),
        (lambda d: tf.argmax([1, 2], output_type=d), tf.int64, [tf.uint8, tf.float32]),
        (lambda d: tf.argmin([1, 2], output_type=d), tf.int64, [tf.int16, tf.uint16]),
        (lambda d: tf.shape([1], out_type=d), tf.int32, [tf.int16, tf.float32]),
    ],
)
def test_dtypes_of_indices(call, default, refused):
    assert call(None).dtype == default
    assert {call(dtype).dtype for dtype in (tf.int32, tf.int64)} == {tf.int32, tf.int64}
    for dtype in refused:
        with pytest.raises(tf.errors.InvalidArgumentError, match="list of allowed values: int"):
            call(dtype)
