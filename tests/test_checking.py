"""The gradient checker finds what is wrong, so that its silence means something."""

import numpy as np
import pytest

import cinta as tf
from tests.checking import check_gradients

X = np.array([[0.3, -1.2], [0.8, 2.1]])


def with_rule(rule):
    """The sine, with another gradient."""

    def f(x):
        with tf.override_gradient("Sin", lambda op, upstream: rule(upstream, op.inputs[0])):
            return tf.sin(x)

    return f


def test_a_right_rule_passes():
    check_gradients(tf.sin, X)
    check_gradients(with_rule(lambda g, x: g * tf.cos(x)), X)


WRONG = {
    "sign": lambda g, x: -g * tf.cos(x),
    "factor": lambda g, x: 1.00001 * g * tf.cos(x),
    "one element": lambda g, x: g * tf.cos(x) * [[1.0, 1.0], [1.001, 1.0]],
    "upstream ignored": lambda g, x: tf.cos(x),
    "nan": lambda g, x: g * tf.cos(x) * np.nan,
    "none": lambda g, x: None,
}


@pytest.mark.parametrize("rule", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_rule_is_caught(rule):
    with pytest.raises(AssertionError, match="order 1: the gradient of input 0"):
        check_gradients(with_rule(rule), X)


def test_the_worst_element_is_named():
    with pytest.raises(AssertionError, match=r"input 0 at \[1, 0\] is .*, finite differences"):
        check_gradients(with_rule(WRONG["one element"]), X)


SECOND = {
    "constant": lambda g, x: g * tf.stop_gradient(tf.cos(x)),
    "linear part lost": lambda g, x: tf.stop_gradient(g) * tf.cos(x),
}


@pytest.mark.parametrize("rule", SECOND.values(), ids=SECOND.keys())
def test_a_rule_that_is_wrong_in_second_order_is_caught(rule):
    def f(x):
        y = with_rule(rule)(x)
        return y * y

    check_gradients(f, X, order=1)
    with pytest.raises(AssertionError, match="order 2: the gradient of input 0"):
        check_gradients(f, X)


def test_a_wrong_rule_for_a_later_input_is_caught():
    def f(x, y):
        with tf.override_gradient("Mul", lambda op, g: (g * op.inputs[1], g)):
            return tf.multiply(x, y)

    with pytest.raises(AssertionError, match="order 1: the gradient of input 1"):
        check_gradients(f, X, X)


def test_several_inputs_and_results():
    check_gradients(lambda x, y: {"a": tf.sin(x) * y, "b": [x + y * y]}, X, X.T)


def test_what_is_not_floating_is_constant():
    check_gradients(lambda x, i: tf.gather(tf.sin(x), i), X, [1, 0, 1])
    check_gradients(lambda x: (tf.sin(x), tf.argmax(x)), X)


def test_single_precision_is_checked_in_double_precision():
    seen = []

    def f(x):
        seen.append(x.dtype)
        return tf.sin(x)

    check_gradients(f, X.astype(np.float32))
    assert set(seen) == {tf.float64}


Z = np.array([0.3 + 0.8j, -1.2 + 0.1j])


def test_complex_functions():
    check_gradients(lambda z: z * z * z, Z)
    check_gradients(lambda z: z * z * tf.math.conj(z), Z)
    check_gradients(lambda z: tf.math.real(z) * tf.math.imag(z), Z)


def test_a_wrong_complex_convention_is_caught():
    @tf.custom_gradient
    def square(z):
        return z * z, lambda g: g * 2.0 * z

    with pytest.raises(AssertionError, match="order 1"):
        check_gradients(square, Z)
