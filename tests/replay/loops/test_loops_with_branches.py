"""Loops whose turns take one branch or another, by which values depend on others or do not."""

import numpy as np
import pytest

import cinta as tf
from tests.branching_programs import Program

COUNTS = [3, 1, 0, 5, 2, 7, 4, 6, 8, 3, 1, 9, 0]


def changed_about(n, x, y):
    while n > 0:
        if n % 2 == 0:
            x, y = y, x
        else:
            x, y = x * 2.0, y * 3.0
        n = n - 1
    return x


def changed_about_on_two_ways(n, x, y):
    a, b, i = x, y, n
    while i > 0:
        if n > 3:
            a, b = b * 0.5, a
        else:
            a, b = b, a
        i = i - 1
    return a, b + 1.0


def replaced_on_one_way(n, x, y):
    a, b = x, y
    while n > 0:
        if n % 3 == 0:
            a, b = tf.ones([3]), a * b
        elif n % 3 == 1:
            a, b = b, tf.stop_gradient(a)
        n = n - 1
    return a * 1.0


def constant_on_one_way(n, x, y):
    """At the look behind the loop one value or another is recorded."""
    i = n + 1
    while i > 0:
        if i % 2 == 0:
            x = y * 2.0
        y = tf.ones([3])
        x, y = y, x
        i = i - 1
    if n > 2:
        x, y = y, x
    return x, y


class Moving(Program):
    """A random program that moves values about, so that its results depend on some of them."""

    BEGIN = ("def function(n, a, b, c):", "    x, i = a, n")
    END = ("    return a, b * 1.0",)

    def _move(self, one, other, third):
        kinds = [
            f"{one} = {other} * 0.7 + {third} * 0.1",
            f"{one} = {other}",
            f"{one}, {other} = {other}, {one}",
            f"{one} = {one} * 0.9",
            f"{one} = tf.ones([3])",
            f"{one} = tf.stop_gradient({other})",
            "a, b, c = b, c, a",
        ]
        return self._draw.choice(kinds)

    def _condition(self, one, other):
        kinds = ["i % 2 == 0", "n > 3", f"tf.reduce_sum({one}) > tf.reduce_sum({other})"]
        return self._draw.choice(kinds)

    def _loop(self, pad, one):
        return [f"{pad}i = n + {self._draw.integers(0, 2)}", f"{pad}while i > 0:"]

    def _end_of_turn(self, pad):
        return f"{pad}    i = i - 1"


def outcomes(function, n, x, y, *others):
    """Results, and the gradients of each and of all, with and without None."""
    sources = [x, y, *others]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(sources)
        results = tf.nest.flatten(function(tf.constant(n), *sources))
    found = [tape.gradient(each, sources) for each in [*results, results]]
    zeros = tape.gradient(results, sources, unconnected_gradients="zero")
    return [*results, *[g for each in (*found, zeros) for g in each]]


def check(function, sources):
    compiled = tf.function(function)
    for n in COUNTS:
        values = [tf.constant(x) for x in sources.normal(size=(3, 3)).astype(np.float32)]
        given = values[: function.__code__.co_argcount - 1]
        for one, other in zip(
            tf.nest.flatten(function(tf.constant(n), *given)),
            tf.nest.flatten(compiled(tf.constant(n), *given)),
            strict=True,
        ):
            np.testing.assert_array_equal(one, other)
        pairs = zip(outcomes(function, n, *given), outcomes(compiled, n, *given), strict=True)
        for one, other in pairs:
            assert (one is None) == (other is None)
            if one is not None:
                assert one.dtype == other.dtype
                np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "function",
    [changed_about, changed_about_on_two_ways, replaced_on_one_way, constant_on_one_way],
    ids=lambda f: f.__name__,
)
def test_gradients_are_none_on_the_ways_on_which_they_are_for_python(function):
    check(function, np.random.default_rng(0))


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_that_move_values_about(seed):
    check(Moving(seed).function, np.random.default_rng(seed))
