"""Names of TensorFlow 1 that libraries call to this day."""

import numpy as np
import pytest

import cinta as tf

ROWS = np.arange(6.0, dtype=np.float32).reshape(3, 2)


def test_a_row_of_conditions_chooses_among_rows():
    chosen = tf.compat.v1.where([True, False, True], ROWS, -ROWS)
    np.testing.assert_array_equal(chosen, [[0, 1], [-2, -3], [4, 5]])
    same = tf.compat.v1.where(ROWS > 2, ROWS, -ROWS)
    np.testing.assert_array_equal(same, np.where(ROWS > 2, ROWS, -ROWS))
    np.testing.assert_array_equal(tf.compat.v1.where([False, True]), [[1]])
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.where([True, False, True], ROWS, -ROWS)  # of TensorFlow 2


def test_gradients_go_to_the_chosen_rows():
    x, y = tf.Variable(ROWS), tf.Variable(ROWS)
    with tf.GradientTape() as tape:
        z = tf.reduce_sum(tf.compat.v1.where([True, False, True], x, y))
    by_x, by_y = tape.gradient(z, [x, y])
    np.testing.assert_array_equal(by_x, [[1, 1], [0, 0], [1, 1]])
    np.testing.assert_array_equal(by_y, [[0, 0], [1, 1], [0, 0]])
