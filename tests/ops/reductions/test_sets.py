"""Rows taken for sets, and how far rows are from each other."""

import numpy as np
import pytest

import cinta as tf

InvalidArgument = tf.errors.InvalidArgumentError

A = [[1, 2, 2], [5, 6, 7]]
B = [[2, 9, 3, 3], [7, 7, 5, 0]]
SPARSE = tf.SparseTensor([[1, 1], [0, 2], [0, 0]], [3, 2, 1], [2, 3])  # [[1, 2], [3]], unordered


def rows(x):
    """The sets that a sparse result stands for."""
    count = int(np.prod(x.lengths[:-1]))
    where = np.ravel_multi_index(tuple(x.indices.numpy().T[:-1]), x.lengths[:-1])
    return [x.values.numpy()[where == k].tolist() for k in range(count)]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (tf.sets.union, [[1, 2, 3, 9], [0, 5, 6, 7]]),
        (tf.sets.intersection, [[2], [5, 7]]),
        (tf.sets.difference, [[1], [6]]),
        (lambda a, b: tf.sets.difference(a, b, aminusb=False), [[3, 9], [0]]),
    ],
)
def test_sets_of_rows(function, expected):
    found = function(A, B)
    assert rows(found) == expected
    assert found.dtype == tf.int32
    assert found.lengths == (2, max(map(len, expected)))
    assert rows(function(tf.sparse.from_dense(A), B)) == [
        sorted(row) for row in rows(function(A, B))
    ]
    assert tf.sets.size(found).numpy().tolist() == [len(row) for row in expected]


def test_sparse_rows_hold_only_what_they_name():
    assert rows(tf.sets.union(SPARSE, SPARSE)) == [[1, 2], [3]]
    assert rows(tf.sets.difference([[0, 1], [0, 4]], SPARSE)) == [[0], [0, 4]]
    assert tf.sets.size(SPARSE).numpy().tolist() == [2, 1]


def test_sets_of_strings_and_in_batches():
    found = tf.sets.union([[[b"b", b"a"]], [[b"a", b"a"]]], [[[b"c"]], [[b"c"]]])
    assert found.lengths == (2, 1, 3)
    assert rows(found) == [[b"a", b"b", b"c"], [b"a", b"c"]]
    nothing = tf.sets.intersection(A, [[100], [200]])
    assert (nothing.lengths, nothing.values.shape) == ((2, 0), (0,))
    assert tf.sets.union(np.zeros((0, 2), np.int32), np.zeros((0, 3), np.int32)).lengths == (0, 0)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tf.sets.union([1], [1]), InvalidArgument, "rank 1 < 2"),
        (lambda: tf.sets.union(A, [[1]]), InvalidArgument, "Mismatched shapes"),
        (lambda: tf.sets.union(A, [[1.5], [2.5]]), TypeError, "'b' has invalid dtype"),
        (lambda: tf.sets.union(A, tf.constant(B, tf.int64)), TypeError, "Types don't match"),
        (lambda: tf.sets.size(A), TypeError, "must be a SparseTensor"),
        (lambda: tf.edit_distance([1], SPARSE), TypeError, "Hypothesis must be a SparseTensor"),
        (lambda: tf.edit_distance(SPARSE, words([["a"]])), InvalidArgument, "one dtype"),
        (
            lambda: tf.edit_distance(*[tf.SparseTensor([[0]], [1], [1])] * 2),
            InvalidArgument,
            "rank of at least 2",
        ),
    ],
)
def test_what_is_no_set_and_no_sequence_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def words(rows):
    """Sequences of letters as a sparse tensor."""
    indices = [[i, j] for i, row in enumerate(rows) for j in range(len(row))]
    values = [letter for row in rows for letter in row]
    return tf.SparseTensor(indices, values, [len(rows), max(map(len, rows))])


@pytest.mark.parametrize(
    ("said", "meant", "distance"),
    [
        ("kitten", "sitting", 3),
        ("sitting", "kitten", 3),
        ("abc", "abc", 0),
        ("abc", "a", 2),
        ("a", "abc", 2),
        ("abcdef", "xabcde", 2),
        ("flaw", "lawn", 2),
        ("intention", "execution", 5),
    ],
)
def test_edit_distance_of_words(said, meant, distance):
    found = tf.edit_distance(words([said]), words([meant]), normalize=False)
    assert found.numpy().tolist() == [distance]
    relative = tf.edit_distance(words([said]), words([meant]))
    np.testing.assert_allclose(relative, [distance / len(meant)])


def test_edit_distance_of_sequences_that_are_missing():
    said = tf.SparseTensor([[0, 0, 0], [1, 0, 0]], ["a", "b"], [2, 1, 1])
    meant = tf.SparseTensor(
        [[0, 1, 0], [1, 0, 0], [1, 0, 1], [1, 1, 0]], ["a", "b", "c", "a"], [2, 2, 2]
    )
    assert tf.edit_distance(said, meant).numpy().tolist() == [[np.inf, 1], [0.5, 1]]
    assert tf.edit_distance(said, meant, normalize=False).numpy().tolist() == [[1, 1], [1, 1]]
    nothing = tf.SparseTensor(np.zeros((0, 2), np.int64), np.zeros(0, np.int32), [2, 2])
    assert tf.edit_distance(nothing, nothing).numpy().tolist() == [0, 0]
