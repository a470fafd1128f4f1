"""Functions of Python called on ragged and sparse tensors."""

import numpy as np
import pytest

import cinta as tf

RAGGED = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
SPEC = tf.RaggedTensorSpec([None, None], tf.float32)


def test_ragged_arguments():
    total = tf.py_function(tf.reduce_sum, [RAGGED], tf.float32)
    assert float(total) == 6.0
    (total,) = tf.py_function(lambda x, y: tf.reduce_sum(x * y), [RAGGED, 2.0], [tf.float32])
    assert float(total) == 12.0


@pytest.mark.parametrize("decorator", [lambda f: f, tf.function])
def test_ragged_results_and_their_gradients(decorator):
    call = decorator(lambda x: x + tf.py_function(lambda v: v * v, [x], SPEC))
    for _ in range(3):
        with tf.GradientTape() as tape:
            tape.watch(RAGGED.flat_values)
            y = call(RAGGED)
        assert y.to_list() == [[2.0, 6.0], [], [12.0]]
        np.testing.assert_array_equal(
            tape.gradient(y.flat_values, RAGGED.flat_values), [3.0, 5.0, 7.0]
        )


def test_several_results():
    made = tf.py_function(
        lambda v, n: (tf.RaggedTensor.from_row_lengths(v, n), tf.size(v)),
        [[1.0, 2.0, 3.0], tf.constant([1, 2], tf.int64)],
        [SPEC, tf.int32],
    )
    assert made[0].to_list() == [[1.0], [2.0, 3.0]]
    assert int(made[1]) == 3
    sparse = tf.py_function(
        lambda x: x, [tf.sparse.eye(2)], tf.SparseTensorSpec([None, None], tf.float32)
    )
    np.testing.assert_array_equal(tf.sparse.to_dense(sparse), np.eye(2))
    assert tf.py_function(lambda x: None, [RAGGED], []) == []


@pytest.mark.parametrize(
    ("function", "given", "declared"),
    [
        (lambda x: x + 3.0, RAGGED, tf.float32),
        (lambda x: x, tf.constant([[1.0]]), SPEC),
        (lambda x: x, RAGGED, tf.RaggedTensorSpec([None, None], tf.int32)),
    ],
)
def test_other_results_than_declared_are_refused(function, given, declared):
    with pytest.raises(tf.errors.InvalidArgumentError, match="did not match Tout="):
        tf.py_function(function, [given], declared)
    with pytest.raises(tf.errors.InvalidArgumentError, match="returns 2 values"):
        tf.py_function(lambda x: (x, x), [RAGGED], [SPEC])
