"""Loops and branches of recorded functions that are called from within others."""

import numpy as np
import pytest

import cinta as tf
from cinta.replay import variant
from tests.replay.loops.test_loops_over_ranges import check_any_count, compare_gradients

STATE = tf.Variable(tf.zeros([3]))


@tf.function
def repeated(n, x, y):
    for _ in tf.range(n):
        x = tf.sin(x) + y * 0.5
    return x


@tf.function
def until(n, x, y):
    count = tf.constant(0)
    while count < n:
        x = x * 0.5 - y if tf.reduce_sum(x) > 0.5 else x + tf.abs(y)
        count += 1
    return x


@tf.function
def counted(n, x):
    for _ in tf.range(n):
        STATE.assign(STATE * 0.5 + x)
    return STATE.read_value()


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.scale = tf.Variable(0.9)

    @tf.function
    def step(self, n, x):
        for _ in tf.range(n):
            x = tf.tanh(x * self.scale)
        return x


MODEL = Model()


def one_call(n, x, y):
    return repeated(n, x, y) * 2.0


def one_behind_another(n, x, y):
    x = repeated(n, x, y)
    return repeated(n - n // 2, until(n // 2, x, y), x)


def a_call_in_each_turn(n, x, y):
    for i in tf.range(n):
        x = repeated(i % 3, x, y) - y
    return x


def a_call_in_a_branch(n, x, y):
    if n % 2 == 0:
        return repeated(n, x, y)
    return until(n, y, x)


def a_method(n, x, y):
    return MODEL.step(n, x) + MODEL.step(n + 1, y)


def a_variable(n, x, y):
    STATE.assign(y)
    return counted(n, x) + y


WITHOUT_VARIABLES = [
    one_call,
    one_behind_another,
    a_call_in_each_turn,
    a_call_in_a_branch,
    a_method,
]
FUNCTIONS = [*WITHOUT_VARIABLES, a_variable]


@pytest.mark.parametrize("jit_compile", [False, True], ids=["numpy", "xla"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_few_recordings_serve_any_count(function, jit_compile):
    check_any_count(function, jit_compile, 8)


@pytest.mark.parametrize("function", WITHOUT_VARIABLES, ids=lambda f: f.__name__)
def test_gradients_are_those_of_the_python(function):
    compare_gradients(function, tf.function(function))


def test_random_ops_of_each_call_draw_the_same_numbers():
    """As TensorFlow's do: the ops of each call are numbered from the beginning."""

    @tf.function
    def drawn(n, x):
        for _ in tf.range(n):
            x = x + tf.random.normal([], seed=5)
        return x

    both = tf.function(lambda n, x: drawn(n, x) - drawn(n, x * 2.0))
    found = [both(tf.constant(n), tf.constant(1.0)) for n in (2, 3, 2, 4)]
    np.testing.assert_allclose(found, [-1.0] * 4, rtol=1e-5)


def test_numbers_that_are_drawn_behind_loops_are_those_of_recordings_without_loops(monkeypatch):
    @tf.function
    def moved(x):
        return tf.sin(x) + 0.1

    @tf.function
    def drawn(x):
        return x + tf.random.normal([])

    def program(n, x):
        for _ in tf.range(n):
            x = moved(x)
        if n % 3 == 1:
            x = drawn(x)
        return drawn(x)

    found = []
    for joined in (True, False):
        if not joined:
            monkeypatch.setattr(variant, "in_one", lambda ways: None)
        tf.random.set_seed(4)
        compiled = tf.function(program)
        given = [(tf.constant(n), tf.constant(0.5)) for n in (2, 5, 0, 3, 1, 2, 4, 6, 5)]
        found.append([float(compiled(*each)) for each in given])
    assert found[0] == found[1]


@pytest.mark.parametrize("function", [one_call, a_call_in_a_branch], ids=lambda f: f.__name__)
def test_a_function_that_calls_another_one_is_saved_with_its_loops(function, tmp_path):
    module = tf.Module()
    module.call = tf.function(
        function,
        input_signature=[tf.TensorSpec([], tf.int32), *[tf.TensorSpec([3])] * 2],
    )
    tf.saved_model.save(module, str(tmp_path))
    loaded = tf.saved_model.load(str(tmp_path))
    x, y = tf.constant([0.1, -0.2, 0.3]), tf.constant([1.0, 0.5, -1.0])
    for n in (4, 0, 1, 7):
        given = tf.constant(n), x, y
        np.testing.assert_allclose(loaded.call(*given), function(*given), rtol=1e-6)
