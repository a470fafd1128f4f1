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


def test_blocks_of_names_have_names_by_default():
    v1 = tf.compat.v1

    def named(*given):
        with v1.name_scope(*given) as scope:
            return scope, tf.Variable(1.0).name

    assert named("a", "b", [1.0]) == ("a/", "a/Variable:0")
    assert named(None, "b", [1.0]) == ("b/", "b/Variable:0")
    assert v1.name_scope("a", "b").name == "a"
    with v1.name_scope("outer"):
        assert named("a") == ("outer/a/", "outer/a/Variable:0")
        assert named(None) == named("") == ("", "Variable:0")
    for wrong in (3,), (None, 3):
        with pytest.raises(ValueError, match="must be a string"):
            v1.name_scope(*wrong)


def test_a_session_surrounds_ops_that_run_when_they_are_called():
    v1 = tf.compat.v1
    config = v1.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    assert config.allow_soft_placement
    session = v1.Session(config=config)
    with session.as_default() as entered:
        assert entered is session
        y = tf.constant(2.0) * 3.0
    assert y == 6.0
    with v1.Session() as session, pytest.raises(RuntimeError, match=r"y\.numpy"):
        session.run(y)
    with pytest.raises(NotImplementedError, match=r"tf\.function"):
        v1.Session(graph=object())
