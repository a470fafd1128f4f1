"""The source of recordings on NumPy."""

import numpy as np
import pytest

import cinta as tf
from cinta.replay.numpy.engine import NumpyProgram
from tests.replay.test_passes import recorded

X = np.linspace(0.1, 1.0, 4, dtype=np.float32)
LARGE = np.ones((256, 256), np.float32)


def program(function, *arrays):
    return NumpyProgram(recorded(function, *arrays))


def test_a_long_chain_needs_one_name():
    def function(x):
        for _ in range(20):
            x = tf.sin(x * 1.5)
        return x

    made = program(function, X)
    assert {line.split()[0] for line in made.source.splitlines()[1:-1]} == {"v0"}
    np.testing.assert_array_equal(made([X])[0][0], function(tf.constant(X)))


def test_what_is_needed_later_keeps_its_name():
    def function(x):
        y = tf.sin(x)
        z = tf.cos(y)
        return x + z, y * z, tf.exp(z)

    made = program(function, X)
    for one, other in zip(made([X])[0], function(tf.constant(X)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_large_values_are_dropped_at_once():
    made = program(lambda x: tf.reduce_sum(tf.transpose(x) @ x) + 1.0, LARGE)
    assert "del " in made.source
    assert (
        "del " not in program(lambda x: tf.reduce_sum(tf.transpose(x) @ x) + 1.0, X[:, None]).source
    )


def test_an_error_tells_of_the_inputs_though_their_names_were_used_before():
    def function(x, i):
        for _ in range(3):
            x = tf.sin(x) * 2.0
        return tf.gather(x, i)

    made = program(function, X, np.int32(1))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"9 is not in \[0, 4\)"):
        made([X, np.int32(9)])
