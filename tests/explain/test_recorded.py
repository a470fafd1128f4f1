"""Answers of functions: why they were recorded again, and what a gradient keeps."""

import inspect

import numpy as np
import pytest

import cinta as tf


def line_in(function, text):
    """The number of the line of a function that has this text."""
    lines, first = inspect.getsourcelines(function)
    return first + next(i for i, line in enumerate(lines) if text in line)


def test_a_function_tells_why_it_was_recorded_again():
    @tf.function
    def f(x, n):
        return x * n

    f(tf.constant(1.0), 2.0)
    f(tf.constant(1.0), 3.0)
    f(tf.ones([2]), 3.0)
    f(tf.constant(1, tf.int32), 3)
    found = f.explain()
    assert [x.cause for x in found] == ["argument-value", "argument-shape", "argument-dtype"]
    assert {x.line.lineno for x in found} == {
        line_in(test_a_function_tells_why_it_was_recorded_again, "@tf.function")
    }
    assert "3.0" in found[0].headline


def test_a_function_tells_what_changed_beside_its_arguments():
    rate = 0.1

    @tf.function
    def f(x):
        y = x + 1.0
        return y * rate

    f(tf.constant(1.0))
    rate = 0.2
    f(tf.constant(1.0))
    (why,) = f.explain()
    assert why.cause == "captured-changed"
    assert why.line.source == "return y * rate"


@pytest.mark.filterwarnings("ignore:tf.function f runs")
def test_a_function_tells_why_it_runs_as_python():
    log = []

    @tf.function
    def f(x):
        log.append(1)
        return x * 2.0

    for _ in range(3):
        f(tf.constant(1.0))
    assert [x.cause for x in f.explain()] == ["not-replayable"]


def test_a_function_tells_why_a_gradient_is_none():
    w, b = tf.Variable(2.0), tf.Variable(1.0)

    @tf.function
    def loss(x):
        w.assign_add(0.0)
        return tf.stop_gradient(w) * x + b

    before = w.numpy()
    (why,) = loss.explain(tf.constant(3.0))
    assert (why.kind, why.cause) == ("none", "stop-gradient")
    assert why.line.source == "return tf.stop_gradient(w) * x + b"
    assert w.numpy() == before
    assert loss.explain() == []


def test_a_function_without_variables_is_explained_by_its_arguments():
    @tf.function(jit_compile=True)
    def root(x, i):
        return tf.sqrt(x) * tf.cast(i, tf.float32)

    (why,) = root.explain(tf.constant([0.0, 1.0]), i=2)
    assert why.cause == "sqrt-at-zero"
    assert root.explain(tf.constant([1.0, 1.0]), i=2) == []


def test_wrong_arguments_are_refused():
    with pytest.raises(TypeError, match="missing"):
        tf.function(lambda x, y: x).explain(1.0)


def test_a_call_before_the_block_is_known():
    @tf.function
    def f(x):
        return x * 2.0

    f(tf.ones([2]))
    with tf.debugging.explaining() as found:
        f(tf.ones([2]))
        assert found == []
        f(tf.ones([3]))
    assert [x.cause for x in found] == ["argument-shape"]


def test_a_summary_of_a_call_has_lines():
    w = tf.Variable(np.ones(1000, np.float32))

    @tf.function
    def loss(x):
        h = tf.exp(w * x)
        return tf.reduce_sum(h * 2.0)

    for _ in range(2):
        loss(tf.constant(1.0))
    found = loss.summary(tf.constant(1.0))
    assert found.lines[0].line.source == "h = tf.exp(w * x)"
    assert found.lines[0].bytes == 4000
    assert type(found) is type(tf.GradientTape(persistent=True).summary())
    assert found._repr_html_().startswith("<table>")
    assert loss.summary().bytes >= 8000


def test_a_summary_needs_a_recording_or_arguments():
    with pytest.raises(ValueError, match="no recording yet"):
        tf.function(lambda x: x).summary()


def test_a_variable_whose_gradient_is_stopped_is_among_the_sources_of_a_function():
    v = tf.Variable([1.0, 2.0])
    steps = tf.Variable(0)

    @tf.function
    def f(x):
        steps.assign_add(1)
        return tf.reduce_sum(tf.stop_gradient(v) * x)

    x = tf.constant([1.0, 2.0])
    f(x)
    assert [why.cause for why in f.explain(x)] == ["stop-gradient"]
