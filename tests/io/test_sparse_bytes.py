"""Sparse tensors as strings of bytes, and back."""

import numpy as np
import pytest

import cinta as tf

SPARSE = tf.sparse.SparseTensor([[0, 1], [2, 0]], [5.0, 6.0], [3, 3])


def test_the_rows_come_back():
    stored = tf.io.serialize_many_sparse(SPARSE)
    assert stored.shape == (3, 3)
    again = tf.io.deserialize_many_sparse(stored, tf.float32, rank=2)
    np.testing.assert_array_equal(tf.sparse.to_dense(again), tf.sparse.to_dense(SPARSE))


@pytest.mark.parametrize("values", [[1, 2], [1.5, 2.5], [True, True], ["a", "bc"], [1j, 2.0]])
def test_rows_of_several_lengths_become_as_long_as_the_longest(values):
    values = tf.constant(values)
    rows = [tf.sparse.SparseTensor([[0], [n]], values, [n + 1]) for n in (1, 3)]
    stored = tf.stack([tf.io.serialize_sparse(row) for row in rows])
    made = tf.io.deserialize_many_sparse(stored, values.dtype)
    assert made.shape == (2, 4)
    assert made.indices.numpy().tolist() == [[0, 0], [0, 1], [1, 0], [1, 3]]
    assert made.values.numpy().tolist() == [*values.numpy()] * 2


def test_bytes_are_those_of_tensorflow():
    indices, values, dense_shape = tf.io.serialize_sparse(SPARSE).numpy()
    assert indices[:12] == b"\x08\t\x12\x08\x12\x02\x08\x02\x12\x02\x08\x02"
    assert tf.io.parse_tensor(values, tf.float32).numpy().tolist() == [5.0, 6.0]
    assert tf.io.parse_tensor(dense_shape, tf.int64).numpy().tolist() == [3, 3]


def parts(*, indices=((1,),), values=(5.0,), dense_shape=(3,)):
    row = [np.array(indices, np.int64), np.array(values, np.float32), np.array(dense_shape)]
    return [tf.io.serialize_tensor(part) for part in row]


@pytest.mark.parametrize(
    "rows",
    [
        [["a", "b", "c"]],
        np.empty((0, 3), object),
        ["a", "b", "c"],
        [parts(indices=[[3]])],
        [parts(indices=[[-1]])],
        [parts(indices=[[1, 1]])],
        [parts(indices=[1])],
        [parts(values=[1.0, 2.0])],
        [parts(dense_shape=[-3])],
        [parts(dense_shape=[3, 3])],
        [parts(dense_shape=[2.5])],
        [parts(), parts(indices=[[0, 0]], dense_shape=[2, 2])],
    ],
)
def test_damaged_rows_are_refused(rows):
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.io.deserialize_many_sparse(rows, tf.float32)


def test_other_dtypes_and_ranks_are_refused():
    stored = tf.io.serialize_many_sparse(SPARSE)
    with pytest.raises(tf.errors.InvalidArgumentError, match="int32"):
        tf.io.deserialize_many_sparse(stored, tf.int32)
    with pytest.raises(ValueError, match="rank"):
        tf.io.deserialize_many_sparse(stored, tf.float32, rank=3)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"tf\.string"):
        tf.io.serialize_sparse(SPARSE, tf.variant)
    with pytest.raises(TypeError, match="SparseTensor"):
        tf.io.serialize_many_sparse([1.0])
