"""Answers of a tape about a gradient that is None, when explanations were off."""

import numpy as np
import pytest

import cinta as tf

weights = tf.Variable([1.0, 2.0])
fixed = tf.Variable(3.0, trainable=False)
whole = tf.Variable(3)
constant = tf.constant(2.0)


@pytest.mark.filterwarnings("ignore:.*floating:UserWarning")
@pytest.mark.parametrize(
    ("target", "source", "cause", "certain"),
    [
        (lambda: fixed * constant, fixed, "not-trainable", True),
        (lambda: tf.cast(whole, tf.float32), whole, "integer-dtype", True),
        (lambda: tf.cast(weights, tf.int32), weights, "integer-dtype", True),
        (lambda: constant**2, constant, "not-watched", True),
        (lambda: constant**2, weights, "no-path", False),
        (lambda: tf.sqrt(np.mean(weights * weights)), weights, "unknown", False),
        (lambda: tf.stop_gradient(weights * 2.0), weights, "unknown", False),
    ],
)
def test_the_cause_is_told_as_far_as_it_can_be_known(target, source, cause, certain):
    with tf.GradientTape(persistent=True) as tape:
        result = target()
    why = tape.explain(result, source)
    assert tape.gradient(result, source) is None
    assert (why.cause, why.certain, why.line) == (cause, certain, None)


def test_an_answer_without_a_line_says_how_to_find_it():
    with tf.GradientTape(persistent=True) as tape:
        result = tf.stop_gradient(weights * 2.0)
    assert "tf.debugging.explain" in tape.explain(result, weights).advice


def test_a_gradient_that_is_there_needs_no_explanation():
    with tf.GradientTape(persistent=True) as tape:
        result = weights * 2.0
    assert tape.explain(result, {"weights": weights}) == {"weights": None}
