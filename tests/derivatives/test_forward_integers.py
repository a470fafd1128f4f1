"""Forward mode through results that have no derivatives."""

import pytest

import cinta as tf

Accumulator = tf.autodiff.ForwardAccumulator


INTEGER_RESULTS = {
    "bitcast": lambda x: tf.bitcast(x, tf.int32),
    "bitcast and back": lambda x: tf.bitcast(tf.bitcast(x, tf.int32), tf.float32),
    "in_top_k": lambda x: tf.math.in_top_k([0, 1], x, 2),
    "non_max_suppression_overlaps": lambda x: tf.image.non_max_suppression_overlaps(
        x, [1.0, 2.0], 2
    ),
    "searchsorted": lambda x: tf.searchsorted(x, x),
}


@pytest.mark.parametrize("function", INTEGER_RESULTS.values(), ids=INTEGER_RESULTS)
def test_results_that_are_no_floats_have_no_tangent(function):
    x = tf.constant([[0.1, 0.5], [0.2, 0.3]])
    with Accumulator(x, tf.ones_like(x)) as acc:
        y = function(x)
    assert acc.jvp(y) is None
