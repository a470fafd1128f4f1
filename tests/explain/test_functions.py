"""Why functions are recorded again, and gradients in functions."""

import pytest

import cinta as tf

from . import function_programs
from .marks import marks, programs

PROGRAMS = programs(function_programs)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_cause_and_the_line_are_found(name):
    with tf.debugging.explaining() as found:
        PROGRAMS[name]()
    assert [(each.cause, each.line.lineno) for each in found] == marks(PROGRAMS[name])
    assert str(found[0])


def test_recordings_are_as_without_explanations():
    @tf.function
    def f(x):
        return x * 2.0 if x > 0.0 else -x

    with tf.debugging.explaining():
        for value in (1.0, -1.0, 2.0, -2.0, 3.0):
            f(tf.constant(value))
    assert f.experimental_get_tracing_count() == 2
    assert f(tf.constant(4.0)).numpy() == 8.0


def test_random_numbers_are_those_without_explanations():
    def draw():
        tf.random.set_seed(1)
        f = tf.function(lambda: tf.random.normal([2]))
        return [f().numpy().tolist() for _ in range(3)]

    plain = draw()
    with tf.debugging.explaining():
        assert draw() == plain
