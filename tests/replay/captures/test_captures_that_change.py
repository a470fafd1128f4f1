"""Small NumPy arrays that a function takes, and that change before each call."""

import numpy as np
import pytest

import cinta as tf

X = tf.constant([[1.0, 1.0], [2.0, 3.0]])


class Holder:
    def __init__(self, data):
        self.data, self.table = data, {"key": [data]}


def an_operand(data, held):
    return lambda x: x * data + 1.0


def an_argument(data, held):
    return lambda x: tf.matmul(x, data)


def an_attribute(data, held):
    return lambda x: x + held.data


def an_item(data, held):
    return lambda x: tf.add(x, held.table["key"][0])


def a_part(data, held):
    return lambda x: x * data[0]


def within_a_loop(data, held):
    def function(x):
        scale = tf.constant(data)
        for _ in tf.range(3):
            x = x * 0.5 + scale
        return x

    return function


def to_numpy(data, held):
    return lambda x: x * (data * 2.0)


def to_python(data, held):
    return lambda x: x * 2.0 if data[0, 0] > 4.0 else x * data


def called(kind, times=12):
    """The report on a function whose array changes before each call."""
    data = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    function = kind(data, Holder(data))
    compiled = tf.function(function)
    for _ in range(times):
        data[:] += 0.5
        np.testing.assert_array_equal(compiled(X), function(X))
    return compiled.report()


READ = [an_operand, an_argument, an_attribute, an_item, a_part, within_a_loop]


@pytest.mark.parametrize("kind", READ, ids=lambda f: f.__name__)
def test_it_is_read_at_each_call(kind):
    report = called(kind)
    assert report.recordings <= 4
    assert report.replays >= 8


@pytest.mark.parametrize("kind", [to_numpy, to_python], ids=lambda f: f.__name__)
def test_one_with_which_python_computes_is_compared(kind):
    assert called(kind).refused == ()


def test_one_that_changes_its_shape():
    data = np.ones(4, np.float32)
    compiled = tf.function(lambda x: x * data)
    for i in range(8):
        data[:] = i
        compiled(1.0)
    data.shape = 2, 2
    data[:] = 5.0
    np.testing.assert_array_equal(compiled(1.0), np.full((2, 2), 5.0))
