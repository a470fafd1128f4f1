"""Classes of programs that become tensors by functions that are registered."""

import numpy as np
import pytest

import cinta as tf
from cinta.engine.registered_conversions import registered


@pytest.fixture(autouse=True)
def only_in_the_test():
    before = list(registered)
    yield
    registered[:] = before


class Box:
    def __init__(self, value):
        self.value = value


def unpack(value, dtype=None, name=None, as_ref=False):
    return tf.convert_to_tensor(value.value, dtype)


def test_ops_take_objects_of_the_class_and_of_those_derived_from_it():
    class Derived(Box):
        pass

    tf.register_tensor_conversion_function(Box, unpack)
    for box in Box([1.0, 2.0]), Derived([1.0, 2.0]):
        np.testing.assert_array_equal(tf.reduce_sum(box), 3.0)
        np.testing.assert_array_equal(tf.constant([3.0, 4.0]) + box, [4.0, 6.0])
        np.testing.assert_array_equal(box + tf.constant([3.0, 4.0]), [4.0, 6.0])
        assert tf.convert_to_tensor(box, tf.float64).dtype == tf.float64
    assert not tf.is_tensor(Box(1.0))


def test_gradients_go_through():
    tf.register_tensor_conversion_function(Box, unpack)
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.square(Box(v))
    assert tape.gradient(y, v) == 6.0


def test_low_priorities_are_asked_first():
    tf.register_tensor_conversion_function(Box, lambda value, **_: tf.constant(1))
    tf.register_tensor_conversion_function(Box, lambda value, **_: tf.constant(2))
    assert tf.convert_to_tensor(Box(0)) == 1
    tf.register_tensor_conversion_function(Box, lambda value, **_: tf.constant(3), priority=50)
    assert tf.convert_to_tensor(Box(0)) == 3
    tf.register_tensor_conversion_function(Box, lambda value, **_: NotImplemented, priority=0)
    assert tf.convert_to_tensor(Box(0)) == 3


def test_what_the_function_gives_is_checked():
    tf.register_tensor_conversion_function(Box, lambda value, **_: value.value)
    with pytest.raises(RuntimeError, match="returned non-Tensor: 3"):
        tf.convert_to_tensor(Box(3))
    with pytest.raises(RuntimeError, match="requested = float32, actual = int32"):
        tf.convert_to_tensor(Box(tf.constant(3)), tf.float32)


def test_arguments_are_checked():
    with pytest.raises(TypeError, match="numeric types"):
        tf.register_tensor_conversion_function((Box, int), unpack)
    with pytest.raises(TypeError, match="must be a type"):
        tf.register_tensor_conversion_function(3, unpack)
    with pytest.raises(TypeError, match="must be callable"):
        tf.register_tensor_conversion_function(Box, 3)


def test_a_kind_of_variable_may_keep_its_value_in_its_own_way():
    class Held(tf.Variable):
        dtype = tf.float32

        def __init__(self, held):  # and none of tf.Variable
            self.held = held

    x, v = tf.constant([1.0, 2.0]), Held(tf.constant([3.0, 4.0]))
    with pytest.raises(AttributeError, match="has no attribute"):
        x * v
    tf.register_tensor_conversion_function(Held, lambda value, **asked: value.held)
    with tf.GradientTape() as tape:
        tape.watch(v.held)
        y = tf.reduce_sum(x * v)
    assert y == 11.0
    np.testing.assert_array_equal(tape.gradient(y, v.held), [1.0, 2.0])


def test_functions_notice_what_a_conversion_refers_to():
    scale = [2.0]

    def scaled(value, dtype=None, name=None, as_ref=False):
        return tf.convert_to_tensor(value.value, dtype) * scale[0]

    tf.register_tensor_conversion_function(Box, scaled)
    box = Box([1.0, 2.0])
    plus = tf.function(lambda x: tf.add(x, box))
    made = tf.function(lambda x: tf.add(x, Box([1.0, 2.0])))
    x = tf.constant([3.0, 4.0])
    for expected in [5.0, 8.0], [5.0, 8.0]:
        np.testing.assert_array_equal(plus(x), expected)
        np.testing.assert_array_equal(made(x), expected)
    scale[0] = 3.0
    np.testing.assert_array_equal(plus(x), [6.0, 10.0])
    np.testing.assert_array_equal(made(x), [6.0, 10.0])
    assert plus.report().replays == 1
