"""GradientTape.gradient: output_gradients, by which targets are weighed."""

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import tape_gradient, values


@pytest.fixture
def x():
    return tf.constant(3.0)


def test_output_gradients_weigh_the_elements():
    x = tf.constant([1.0, 2.0])
    gradient = tape_gradient(lambda x: x * x, x, output_gradients=tf.constant([10.0, 100.0]))
    assert gradient.numpy().tolist() == [20, 400]


def test_output_gradients_are_matched_with_targets_by_position(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, z = x * x, x * 10.0
    seeds = {"p": tf.constant(2.0), "q": tf.Variable(5.0)}
    assert tape.gradient([y, z], x, output_gradients=seeds).numpy() == 2 * 6 + 5 * 10


@pytest.mark.parametrize(
    ("given", "expected"), [([], 6), (5.0, 30), ([5.0, 7.0, 9.0], 30), (np.float32(2), 12)]
)
def test_missing_output_gradients_are_ones_and_surplus_ones_are_ignored(x, given, expected):
    assert values(tape_gradient(lambda x: x * x, x, output_gradients=given)) == expected


@pytest.mark.parametrize("given", [5, [5], np.float64(5), tf.constant(5)])
def test_output_gradients_of_another_dtype_are_refused(x, given):
    with pytest.raises(tf.errors.InvalidArgumentError, match="cannot compute Mul"):
        tape_gradient(lambda x: x * x, x, output_gradients=given)


def test_a_scalar_output_gradient_stands_for_all_elements():
    x = tf.constant([1.0, 2.0])
    assert values(tape_gradient(lambda x: x * x, x, output_gradients=5.0)) == [10, 20]


def test_output_gradients_that_do_not_fit_are_refused():
    x = tf.constant([1.0, 2.0, 3.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes"):
        tape_gradient(lambda x: x * x, x, output_gradients=tf.constant([1.0, 2.0]))


def test_a_target_that_is_its_own_source_gives_its_output_gradient(x):
    with tf.GradientTape() as tape:
        pass
    assert tape.gradient(x, x, output_gradients=tf.constant(7.0)).numpy() == 7


def test_none_among_output_gradients_is_refused(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y, z = x * x, x * 10.0
    with pytest.raises(ValueError, match="an entry of output_gradients is None"):
        tape.gradient([y, z], x, output_gradients=[None, tf.constant(2.0)])


def test_output_gradients_that_are_tracked_are_differentiated(x):
    weight = tf.constant(5.0)
    with tf.GradientTape() as outer:
        outer.watch(weight)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x
        d = inner.gradient(y, x, output_gradients=weight)
    assert outer.gradient(d, weight).numpy() == 6


def test_gradients_that_do_not_fit_into_memory_are_refused_by_name():
    x = tf.constant(3.0, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.broadcast_to(x, [2, 2**45])
    with pytest.raises(tf.errors.ResourceExhaustedError, match=r"\(2, 35184372088832\)"):
        tape.gradient(y, x)
