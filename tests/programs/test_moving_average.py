"""Moving averages of variables, with TensorFlow's numbers."""

import numpy as np
import pytest

import cinta as tf


def averages_of(values, **options):
    """The averages of a variable that takes these values, after each of them."""
    v = tf.Variable(values[0])
    averages = tf.train.ExponentialMovingAverage(**options)
    found = []
    for value in values:
        v.assign(value)
        averages.apply([v])
        found.append(averages.average(v).numpy())
    return found


def test_an_average_begins_with_the_value_and_follows_it():
    assert np.allclose(averages_of([1.0, 2.0, 3.0], decay=0.9), [1.0, 1.1, 1.29])
    assert np.allclose(averages_of([0.0, 4.0, 5.0], decay=0.9, zero_debias=True), [0.0, 0.4, 0.86])


def test_the_first_values_are_soon_forgotten_if_updates_are_counted():
    assert np.allclose(averages_of([2.0, 10.0], decay=0.9, num_updates=3), [2.0, 7.5384617])
    count = tf.Variable(0)
    assert np.allclose(averages_of([10.0, 0.0], decay=0.9, num_updates=count), [10.0, 1.0])


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16, tf.float32, tf.float64])
def test_an_average_has_the_dtype_of_its_variable(dtype):
    v = tf.Variable(tf.constant([1.0, 2.0], dtype))
    averages = tf.train.ExponentialMovingAverage(0.5)
    averages.apply([v])
    v.assign([3.0, 4.0])
    averages.apply([v])
    average = averages.average(v)
    assert average.dtype == dtype
    assert not average.trainable
    assert average.numpy().astype(float).tolist() == [2.0, 3.0]


def test_a_function_updates_averages_without_recording_anew():
    v = tf.Variable(1.0)
    averages = tf.train.ExponentialMovingAverage(0.5)

    @tf.function
    def step(x):
        v.assign(x)
        averages.apply([v])
        return averages.average(v) + 0.0

    assert [float(step(tf.constant(x))) for x in (2.0, 4.0, 8.0, 8.0)] == [2.0, 3.0, 5.5, 6.75]
    assert step.experimental_get_tracing_count() <= 2


def test_names_are_those_of_variables_and_of_the_averages():
    v, w = tf.Variable(1.0, name="v"), tf.Variable(1.0, name="w")
    averages = tf.train.ExponentialMovingAverage(0.5, name="mean")
    averages.apply([v])
    assert averages.average(w) is None
    assert averages.average(v) is averages.average(v)
    assert averages.average_name(v) == "v/mean"
    assert averages.average_name(w) == "w/mean"
    assert averages.variables_to_restore([v, w])["w/mean"] is w


@pytest.mark.parametrize("wrong", ["x", 3, tf.constant(1.0), tf.Variable(1), tf.Variable("x")])
def test_only_variables_of_floats_have_averages(wrong):
    with pytest.raises(TypeError, match="variables"):
        tf.train.ExponentialMovingAverage(0.5).apply([wrong])
