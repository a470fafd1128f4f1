"""How often numbers occur: tf.math.bincount and tf.sparse.bincount, dense and sparse."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import cinta as tf

INVALID = tf.errors.InvalidArgumentError
PLACES = [[0, 0], [0, 1], [1, 0], [1, 3]]
DENSE = np.array([[1, 1], [0, 5]], np.int32)
WEIGHTS = np.array([[0.5, 1.0], [2.0, 3.0]], np.float32)


def sparse(values, places=PLACES, shape=(2, 4)):
    return tf.SparseTensor(places, np.ravel(values), shape)


def as_dense(*args, **kwargs):
    return tf.sparse.to_dense(tf.sparse.bincount(*args, **kwargs))


@pytest.mark.parametrize(
    ("numbers", "weights"), [(DENSE, WEIGHTS), (sparse(DENSE), sparse(WEIGHTS))]
)
@pytest.mark.parametrize(
    ("options", "together", "by_row"),
    [
        ({}, [1, 2, 0, 0, 0, 1], [[0, 2, 0, 0, 0, 0], [1, 0, 0, 0, 0, 1]]),
        ({"minlength": 7}, [1, 2, 0, 0, 0, 1, 0], [[0, 2] + [0] * 5, [1, 0, 0, 0, 0, 1, 0]]),
        ({"maxlength": 2}, [1, 2], [[0, 2], [1, 0]]),
        ({"binary_output": True}, [1, 1, 0, 0, 0, 1], [[0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 1]]),
        (
            {"weights": WEIGHTS},
            [2, 1.5, 0, 0, 0, 3],
            [[0, 1.5, 0, 0, 0, 0], [2, 0, 0, 0, 0, 3]],
        ),
    ],
)
def test_counts(numbers, weights, options, together, by_row):
    options = {**options, "weights": weights} if "weights" in options else options
    dtype = tf.float32 if "weights" in options else tf.int32
    for count in (
        tf.math.bincount,
        lambda *a, **k: tf.sparse.to_dense(tf.sparse.bincount(*a, **k)),
    ):
        for axis, expected in ((None, together), (0, together), (-1, by_row)):
            found = count(numbers, axis=axis, **options)
            assert found.dtype is dtype
            assert_array_equal(found, expected)


def test_weights_without_elements_count_one_each():
    for count in (tf.math.bincount, lambda *a, **k: tf.sparse.bincount(*a, **k).values):
        assert count([1, 1], weights=tf.zeros([0], tf.int64)).dtype is tf.int64
    assert_array_equal(tf.math.bincount([1, 1, 3], weights=[]), [0.0, 2.0, 0.0, 1.0])
    assert_array_equal(tf.math.bincount(DENSE, weights=[], axis=-1)[0], [0, 2, 0, 0, 0, 0])
    assert_array_equal(tf.sparse.bincount([1, 1, 3], weights=[]).values, [2.0, 1.0])


def test_the_dtype_is_asked_for():
    for numbers in (DENSE, sparse(DENSE)):
        for dtype in (tf.int64, tf.float32, tf.float64):
            assert tf.math.bincount(numbers, dtype=dtype).dtype is dtype
            assert tf.math.bincount(numbers, dtype=dtype, binary_output=True).dtype is dtype
        assert tf.math.bincount(numbers, dtype=None).dtype is tf.int32


def test_numbers_that_are_not_whole_are_cut_off():
    assert_array_equal(tf.math.bincount([1.7, 1.0]), [0, 2])
    assert_array_equal(tf.math.bincount(sparse([1.7, 1.0, 0.0, 5.0])), [1, 2, 0, 0, 0, 1])


def test_nothing_to_count():
    nothing = sparse(np.zeros(0, np.int32), np.zeros((0, 2)))
    assert tf.math.bincount(nothing).shape == (0,)
    assert tf.math.bincount(nothing, axis=-1).shape == (2, 0)
    assert_array_equal(tf.sparse.bincount(nothing).dense_shape, [1])
    assert_array_equal(tf.sparse.bincount(nothing, axis=-1).dense_shape, [2, 1])


def test_sparse_tensors_of_other_ranks():
    vector = tf.SparseTensor([[0], [2]], [3, 3], [4])
    cube = tf.SparseTensor([[0, 0, 0], [1, 0, 1]], [3, 2], [2, 2, 2])
    assert_array_equal(tf.math.bincount(vector, axis=-1), [0, 0, 0, 2])
    assert_array_equal(tf.math.bincount(cube, axis=-1), [[0, 0, 0, 1], [0, 0, 1, 0]])


@pytest.mark.parametrize("jit_compile", [None, True])
def test_in_functions(jit_compile):
    count = tf.function(
        lambda values, size: tf.math.bincount(
            sparse(DENSE).with_values(values), minlength=size, axis=-1
        ),
        jit_compile=jit_compile,
    )
    for values in ([1, 1, 0, 5], [0, 2, 2, 5], [0, 0, 0, 0]):
        found = count(tf.constant(values), 6)
        expected = [np.bincount(row, minlength=6) for row in np.reshape(values, (2, 2))]
        assert_array_equal(found, expected)


@pytest.mark.parametrize("count", [tf.math.bincount, tf.sparse.bincount])
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"axis": 1}, ValueError, "axis=1"),
        ({"weights": sparse(WEIGHTS), "binary_output": True}, ValueError, "mutually exclusive"),
        ({"weights": WEIGHTS}, ValueError, "must be a SparseTensor if `values`"),
        ({"weights": sparse(WEIGHTS, shape=(2, 5))}, INVALID, "same dense shape"),
        ({"weights": sparse(WEIGHTS, PLACES[::-1])}, INVALID, "same indices"),
        ({"weights": sparse(WEIGHTS).with_values(np.ones(4, np.int8))}, INVALID, "int8"),
        ({"weights": sparse(WEIGHTS[:1], PLACES[:2])}, INVALID, "Incompatible shapes"),
        ({"maxlength": -3}, INVALID, "-3"),
    ],
)
def test_refused_options(count, arguments, error, message):
    with pytest.raises(error, match=message):
        count(sparse(DENSE), **arguments)


@pytest.mark.parametrize("count", [tf.math.bincount, tf.sparse.bincount])
@pytest.mark.parametrize(
    ("numbers", "arguments", "error", "message"),
    [
        (sparse([1, 1, 0, -5]), {}, INVALID, "non-negative"),
        (sparse(DENSE).with_values(np.ones(4, np.uint8)), {}, INVALID, "uint8"),
        (sparse(DENSE, [[0, 0], [0, 1], [1, 0], [5, 3]]), {"axis": -1}, INVALID, "out of bounds"),
        (np.ones((2, 2, 2), np.int32), {"axis": -1}, INVALID, "rank 3"),
        (DENSE, {"weights": [1.0]}, INVALID, "same shape"),
        (DENSE, {"weights": WEIGHTS.ravel(), "axis": -1}, INVALID, "same shape"),
        (DENSE, {"weights": sparse(WEIGHTS)}, ValueError, "SparseTensor"),
    ],
)
def test_refused_numbers(count, numbers, arguments, error, message):
    with pytest.raises(error, match=message):
        count(numbers, **arguments)
