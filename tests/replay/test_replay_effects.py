"""Functions that were recorded: what else a call does is done in every replay."""

import sys

import numpy as np
import pytest

import cinta as tf
from tests.replaying import by_each


def test_python_and_numpy_functions_run_in_every_replay():
    seen = []

    def noted(x):
        seen.append(float(x))
        return x * x

    def function(x):
        y = tf.py_function(noted, [x], tf.float32)
        return y + tf.numpy_function(lambda a: a + 1, [x], tf.float32)

    replayed = tf.function(function)
    for k in (1.0, 2.0, 3.0):
        by_python, by_replay = by_each([function, replayed], tf.constant(k))
        np.testing.assert_allclose(by_replay, by_python, rtol=1e-6)
    assert {1.0, 2.0, 3.0} <= set(seen)


def test_printing_happens_in_every_replay_and_once(capsys):
    @tf.function
    def f(x):
        tf.print("x =", x, output_stream=sys.stdout)
        return x if x > 0 else -x

    for k in (1, 2, -3, 4, -5):
        f(tf.constant(k))
    assert capsys.readouterr().out.split("\n")[:-1] == [f"x = {k}" for k in (1, 2, -3, 4, -5)]


@pytest.mark.filterwarnings("error")
def test_what_cannot_be_replayed_runs_as_python_and_says_so_once():
    calls = []

    @tf.function
    def f(x):
        calls.append(0)
        return x

    f(tf.constant(1.0))
    with pytest.warns(UserWarning, match=r"f runs its Python at every call: calls changed"):
        f(tf.constant(1.0))
    f(tf.constant(1.0))
    assert len(calls) == 3


@pytest.mark.filterwarnings("ignore:.*runs its Python at every call")
def test_iterators_run_as_python():
    it = iter([1.0, 2.0, 3.0])
    f = tf.function(lambda x: x * next(it))
    assert [float(f(tf.constant(1.0))) for _ in range(3)] == [1, 2, 3]
