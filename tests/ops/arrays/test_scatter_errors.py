"""Scattering what does not fit, and strings."""

import numpy as np
import pytest

import cinta as tf

INVALID = tf.errors.InvalidArgumentError
METHODS = ("update", "add", "sub", "max", "min")


def variable():
    return tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def in_function(function):
    return tf.function(lambda: function())


@pytest.mark.parametrize("wrap", [lambda f: f, in_function])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("indices", "updates"),
    [
        ([[[0]]], [1.0]),
        ([[0]], [1.0]),
        ([0], [1.0]),
        ([0, 1], 9.0),
        (0, 1.0),
        ([[0, 0, 0]], [1.0]),
        ([[0.0]], [[1.0, 2.0]]),
        ([[0], [1]], [[7.0, 8.0]]),
        ([], []),
        ([[9]], [[1.0, 2.0]]),
    ],
)
def test_a_variable_refuses_index_vectors(method, indices, updates, wrap):
    v = variable()
    with pytest.raises(INVALID):
        wrap(lambda: getattr(v, f"scatter_nd_{method}")(indices, updates))()
    np.testing.assert_array_equal(v, variable())


def test_a_variable_takes_index_vectors():
    v = variable()
    v.scatter_nd_update([0, 2], [[7.0, 8.0], [9.0, 9.0]])  # a vector lists rows
    v.scatter_nd_add([[1, 1]], [10.0])
    v.scatter_nd_update([[[0, 0]]], [[0.0]])
    np.testing.assert_array_equal(v, [[0, 8], [3, 14], [9, 9]])
    v.scatter_nd_update(np.zeros((0, 1), np.int32), np.zeros((0, 2), np.float32))
    np.testing.assert_array_equal(v, [[0, 8], [3, 14], [9, 9]])


@pytest.mark.parametrize("method", ["update", "add", "sub", "mul", "div", "max", "min"])
def test_rows_that_do_not_fit(method):
    v = variable()
    for values, indices in (
        ([1.0, 2.0], [0]),
        ([[1.0, 2.0]], [0.0]),
        ([[1.0, 2.0]], [0, 1]),
        ([[1.0, 2.0, 3.0]], [0]),
        ([[1.0, 2.0]], [9]),
    ):
        with pytest.raises(INVALID):
            getattr(v, f"scatter_{method}")(
                tf.IndexedSlices(tf.constant(values), tf.constant(indices))
            )
    np.testing.assert_array_equal(v, variable())


def test_one_number_for_all_of_a_row():
    v = variable()
    v.scatter_add(tf.IndexedSlices(tf.constant(5.0), tf.constant([0, 2])))
    np.testing.assert_array_equal(v, [[6, 7], [3, 4], [10, 11]])


def test_dtypes_that_do_not_compute():
    words, flags = tf.Variable(["a", "b"]), tf.Variable([True, False])
    words.scatter_nd_update([[0]], ["z"])
    assert words.numpy().tolist() == [b"z", b"b"]
    flags.scatter_nd_add([[1]], [True])
    assert flags.numpy().tolist() == [True, True]
    for v, value in ((words, "z"), (flags, True)):
        for method in ("sub", "max", "min"):
            with pytest.raises(INVALID, match="only be updated by replacing"):
                getattr(v, f"scatter_nd_{method}")([[0]], [value])
    for method in METHODS[1:]:
        with pytest.raises(INVALID, match="list of allowed values"):
            getattr(tf, f"tensor_scatter_nd_{method}")(["a"], [[0]], ["b"])


def test_scattered_strings():
    scattered = tf.scatter_nd([[1], [3], [1]], ["a", "b", "c"], [4])
    assert scattered.numpy().tolist() == [b"", b"ac", b"", b"b"]
    assert tf.scatter_nd([[1]], [["a", "b"]], [2, 2]).numpy().tolist() == [[b"", b""], [b"a", b"b"]]
    assert tf.tensor_scatter_nd_update(["p", "q"], [[1]], ["z"]).numpy().tolist() == [b"p", b"z"]
    many = tf.scatter_nd(np.arange(3000)[:, None], np.full((3000, 2), "x"), [3000, 2])
    assert many.numpy().tolist() == [[b"x", b"x"]] * 3000
    twice = tf.function(lambda words: tf.scatter_nd([[0], [0]], words, [2]))
    for words in (["a", "b"], ["c", "d"]):
        assert twice(tf.constant(words)).numpy().tolist() == ["".join(words).encode(), b""]


@pytest.mark.parametrize(
    "segments", [tf.sparse.segment_sum, tf.sparse.segment_mean, tf.sparse.segment_sqrt_n]
)
def test_segments_of_nothing(segments):
    x = tf.ones([3, 2])
    assert segments(x, [], []).shape == [0, 2]
    np.testing.assert_array_equal(segments(x, [], [], num_segments=2), tf.zeros([2, 2]))
    assert segments(x, [], [], num_segments=0).shape == [0, 2]
    assert segments(tf.ones([2]), [], []).shape == [0]
    with pytest.raises(INVALID, match="float"):
        segments(x, tf.constant([]), tf.constant([]))


@pytest.mark.parametrize(
    ("pattern", "indices", "updates", "shape"),
    [
        (r"Dimensions \[0,1\) of indices\[shape=\[3,2\]\]", (3, 2), (2,), (4, 4)),
        (r"Dimensions \[1,2\) of input\[shape=\[4,4\]\]", (3, 1), (3, 2), (4, 4)),
        (r"Indices and updates specified for empty output", (3, 1), (3, 2), (0, 2)),
        (r"do not hold vectors that index into shape \[4\]", (3, 2), (3,), (4,)),
        (r"Output must be at least 1-D", (3, 1), (3,), ()),
    ],
)
def test_updates_that_are_no_slices(pattern, indices, updates, shape):
    where, by = tf.zeros(indices, tf.int32), tf.ones(updates)
    for scatter in (
        lambda: tf.scatter_nd(where, by, shape),
        lambda: tf.tensor_scatter_nd_add(tf.zeros(shape), where, by),
        lambda: tf.Variable(tf.zeros(shape)).scatter_nd_update(where, by),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=pattern):
            scatter()


def test_index_vectors_beside_a_variable():
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"indices\[1\] = \[6\] does not index"
    ):
        tf.Variable(tf.zeros([6])).scatter_nd_add([[0], [6]], [1.0, 1.0])
