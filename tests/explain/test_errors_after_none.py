"""Errors that follow a gradient that is None end with the line that says how to find out why."""

import numpy as np
import pytest

import cinta as tf

W = tf.Variable([1.0, 2.0])


@tf.function
def updated():
    W.assign_sub(None)


def gradient(target, **seeds):
    with tf.GradientTape() as tape:
        y = W * 2.0
    return tape.gradient(y if target else None, W, **seeds)


def jvp():
    with tf.autodiff.ForwardAccumulator(W, None):
        pass


CALLS = {
    "assign": lambda: W.assign(None),
    "assign_sub": lambda: W.assign_sub(None),
    "assign a part": lambda: W[0].assign(None),
    "assign in a function": updated,
    "scatter": lambda: W.scatter_nd_add([[0]], None),
    "scatter rows": lambda: W.scatter_sub(None),
    "a variable": lambda: tf.Variable(None),
    "times": lambda: tf.constant(0.1) * None,
    "minus": lambda: W - None,
    "from": lambda: None - W,
    "convert": lambda: tf.convert_to_tensor(None),
    "a list": lambda: tf.constant([1.0, None]),
    "a list of arrays": lambda: tf.constant([np.ones(2), None]),
    "norm": lambda: tf.norm(None),
    "clip": lambda: tf.clip_by_norm(None, 1.0),
    "stack": lambda: tf.stack([W, None]),
    "add_n": lambda: tf.add_n([W, None]),
    "where": lambda: tf.where(True, W, None),
    "check": lambda: tf.debugging.check_numerics(None, "gradient"),
    "a target": lambda: gradient(False),
    "output_gradients": lambda: gradient(True, output_gradients=[None]),
    "a tangent": jvp,
}


@pytest.mark.parametrize("name", CALLS)
def test_the_end_says_how_to_find_out_why(name):
    with pytest.raises((TypeError, ValueError)) as error:
        CALLS[name]()
    assert str(error.value).rstrip().endswith("CINTA_EXPLAIN=1 says why it is None.")
