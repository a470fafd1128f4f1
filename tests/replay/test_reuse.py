"""Results written over what nobody looks at any more."""

import numpy as np

import cinta as tf
from cinta.replay.numpy.engine import NumpyProgram
from tests.replay.test_passes import recorded, results

X = np.random.default_rng(0).standard_normal((64, 128), dtype=np.float32)
W = np.eye(128, dtype=np.float32)


def written_over(function, *arrays):
    """How many steps write over an input, where the results are seen to be right."""
    made = recorded(function, *arrays)
    program, before = NumpyProgram(made), [a.copy() for a in arrays]
    for _ in range(2):
        for one, other in zip(results(made, arrays), program(arrays)[0], strict=True):
            np.testing.assert_array_equal(one, other)
    for array, same in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, same)
    return program.source.count("out=")


def test_a_layer_adds_its_bias_and_rectifies_in_place():
    assert written_over(lambda x, w, b: tf.nn.relu(x @ w + b), X, W, X[0]) == 2


def test_inputs_and_what_is_taken_again_are_left_alone():
    assert written_over(lambda x, w: x + w[:64], X, W) == 0
    assert written_over(lambda x, w: (y := x @ w, y + 1.0), X, W) == 0
    assert written_over(lambda x, w: ((y := x @ w) + 1.0) * y, X, W) == 1


def test_what_others_may_share_memory_with_is_left_alone():
    def function(x, w):
        y = x @ w
        return tf.transpose(y), y + 1.0

    assert written_over(function, X, W) == 0


def test_other_orders_of_memory_are_kept():
    def function(x, w):
        y = x @ w
        return tf.reduce_sum(tf.transpose(w)[:64] * y, -1), y * 1.5

    assert written_over(function, X, W) == 1


def test_small_values_are_not_worth_it():
    assert written_over(lambda x, w: x @ w + 1.0, X[:2], W) == 0
