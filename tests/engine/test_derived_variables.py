"""Classes that programs derive from ``tf.Variable``; the expected values are TensorFlow's."""

import pytest

import cinta as tf


class Held(tf.Variable):
    """Keeps a tensor in a way of its own, and none of tf.Variable."""

    def __init__(self, held):
        self.held = held

    dtype = tf.float32

    def value(self):
        if self.held is None:
            raise ValueError("no value")
        return self.held


class Doubled(tf.Variable):
    def value(self):
        return super().value() * 2.0


@pytest.mark.parametrize(
    ("compute", "expected"),
    [
        (lambda v: v + 1.0, 4.0),
        (lambda v: 1.0 + v, 4.0),
        (lambda v: -v, -3.0),
        (lambda v: v * v, 9.0),
        (lambda v: tf.constant(2.0) * v, 6.0),
        (lambda v: v < 7.0, True),
        (lambda v: v[...], 3.0),
        (lambda v: abs(v), 3.0),
        (lambda v: tf.function(lambda: v + 1.0)(), 4.0),
    ],
)
def test_operators_take_the_value_that_the_class_gives(compute, expected):
    assert compute(Held(tf.constant(3.0))).numpy() == expected


def test_operators_take_the_value_and_ops_take_what_a_conversion_gives():
    class Both(Held):
        pass

    asked = []

    def convert(value, dtype=None, name=None, as_ref=False):
        asked.append(dtype)
        return tf.constant(10.0, dtype)

    tf.register_tensor_conversion_function(Both, convert)
    v = Both(tf.constant(3.0))
    found = [v + 1.0, 1.0 + v, v * v, -v, v < 5.0, v[...]]
    assert [x.numpy() for x in found] == [4.0, 4.0, 30.0, -3.0, True, 3.0]
    found = [v == 10.0, tf.constant(1.0) + v, tf.square(v), tf.convert_to_tensor(v), tf.identity(v)]
    assert [x.numpy() for x in found] == [True, 11.0, 100.0, 10.0, 10.0]
    assert tf.convert_to_tensor(v, tf.float64).dtype == tf.float64
    assert asked[-1] == tf.float64
    empty = Both(None)
    for compute in (lambda: empty + 1.0, lambda: -empty, lambda: empty[...]):
        with pytest.raises(ValueError, match="no value"):
            compute()


def test_gradients_flow_through_the_value_to_what_the_variable_holds():
    v = Doubled(3.0)
    with tf.GradientTape(persistent=True) as tape:
        by_operator, by_op = v * v, tf.square(v)
    assert (by_operator.numpy(), by_op.numpy(), v.numpy()) == (36.0, 36.0, 6.0)
    assert (tape.gradient(by_operator, v).numpy(), tape.gradient(by_op, v).numpy()) == (24.0, 24.0)
    v.assign(1.0)
    assert (float(v), float(v.read_value())) == (2.0, 1.0)


def test_recorded_functions_compute_with_the_value_and_differentiate_it():
    v = Doubled(3.0)
    f = tf.function(lambda x: x * x * v)
    for _ in range(3):
        with tf.GradientTape() as tape:
            y = f(tf.constant(2.0))
        assert (y.numpy(), tape.gradient(y, v).numpy()) == (24.0, 8.0)
    assert f.report().replays > 0
    v.assign(1.0)
    assert f(tf.constant(2.0)) == 8.0


def test_recorded_functions_notice_what_the_value_depends_on():
    scale = [2.0]

    class Scaled(Held):
        def value(self):
            return self.held * scale[0]

    v, x = Scaled(tf.constant(3.0)), tf.constant(1.0)
    captured, taken = tf.function(lambda x: x * v), tf.function(lambda x, v: tf.multiply(x, v))
    for _ in range(2):
        assert captured(x) == taken(x, v) == 6.0
    scale[0] = 3.0
    assert captured(x) == taken(x, v) == 9.0
    v.held = tf.constant(4.0)
    assert captured(x) == taken(x, v) == 12.0
    Scaled.value = lambda self: self.held
    assert captured(x) == taken(x, v) == 4.0


def test_objects_are_asked_for_the_dtype_that_is_wanted():
    class Exact:
        def __tf_tensor__(self, dtype, name):
            return tf.constant(1.5, dtype)

    assert tf.convert_to_tensor(Exact(), tf.float64).dtype == tf.float64
    assert tf.square(Exact()).dtype == tf.float32
