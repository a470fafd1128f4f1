"""Long recordings: nothing is recursive, nothing is quadratic."""

import gc
import sys

import numpy as np
import pytest

import cinta as tf

MILLION = 1_000_000


def chain(x, length):
    for _ in range(length):
        x = x + 0.0
    return x


def test_a_million_records():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = chain(x * x, MILLION)
    assert tape.gradient(y, x).numpy() == 6


def test_a_million_records_are_deleted():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = chain(x * x, MILLION)
    del tape
    assert y.numpy() == 9


def test_a_million_uses_of_one_value():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 0.0
        for _ in range(MILLION // 4):
            y = y + x
    assert tape.gradient(y, x).numpy() == MILLION // 4


@pytest.mark.parametrize("length", [sys.getrecursionlimit() * 20])
def test_a_long_chain_has_second_derivatives(length):
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = chain(x, length)
            y = y * y * y
        d = inner.gradient(y, x)
    assert outer.gradient(d, x).numpy() == 18


def test_a_long_chain_of_custom_gradients():
    @tf.custom_gradient
    def same(x):
        return x * 1.0, lambda upstream: upstream

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(20_000):
            y = same(y)
    assert tape.gradient(y, x).numpy() == 1


def test_a_sum_over_very_many_variables():
    variables = [tf.Variable(float(n)) for n in range(20_000)]
    with tf.GradientTape() as tape:
        y = tf.reduce_sum([v * v for v in variables])
    gradients = tape.gradient(y, variables)
    assert [g.numpy() for g in gradients] == [2 * n for n in range(20_000)]


def test_very_many_lookups_in_one_table():
    table = tf.Variable(tf.ones([10, 2]))
    with tf.GradientTape() as tape:
        y = tf.constant(0.0)
        for n in range(20_000):
            y = y + tf.gather(table, [n % 10])[0, 0]
    g = tape.gradient(y, table)
    assert g.values.shape == (20_000, 2)
    assert tf.convert_to_tensor(g).numpy().tolist() == [[2000, 0]] * 10


def test_a_long_recurrence():
    w = tf.Variable(np.full([3, 3], 1 / 3))
    with tf.GradientTape() as tape:
        h = tf.ones([1, 3], tf.float64)
        for _ in range(20_000):
            h = h @ w
        y = tf.reduce_sum(h)
    np.testing.assert_allclose(tape.gradient(y, w).numpy(), np.full([3, 3], 20_000), rtol=1e-9)


def test_many_tapes_may_be_nested():
    v = tf.Variable(1.0)
    depth = 50
    tapes = [tf.GradientTape() for _ in range(depth)]
    for tape in tapes:
        tape.__enter__()
    y = v * v
    for tape in reversed(tapes):
        tape.__exit__(None, None, None)
    assert [tape.gradient(y, v).numpy() for tape in tapes] == [2] * depth


def test_watching_one_tensor_for_ever_leaves_no_trail():
    x = tf.constant(3.0)
    gc.collect()
    for _ in range(20_000):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        assert tape.gradient(y, x).numpy() == 6
    assert len(gc.get_referents(x)) < 10


def test_functions_may_refer_to_lists_that_are_nested_deeply_or_in_themselves():
    deep, round_about = [], [1]
    for _ in range(5000):
        deep = [deep]
    round_about.append(round_about)
    f = tf.function(lambda x: x + len(deep) + len(round_about))
    assert [f(tf.constant(1.0)).numpy() for _ in range(3)] == [4, 4, 4]
    assert f.report().replays == 2
    deep.append(1)
    assert f(tf.constant(1.0)).numpy() == 5
    round_about.append(1)
    assert f(tf.constant(1.0)).numpy() == 6
