"""Loops whose count depends on values: one recording for any count, where that is sure."""

from unittest.mock import patch

import numpy as np
import pytest

import cinta as tf
from cinta.replay import differentiate
from cinta.replay.gradient_steps import gradient_steps
from cinta.replay.loops import adjoints

STEP = tf.Variable(0.9)
COUNTED = tf.Variable(0.0)


def goes_on(x):
    return tf.reduce_max(x) > 1e-3


def argument(turns):
    """A value that ``while goes_on(x): x = x * 0.9`` takes so many turns for."""
    return tf.constant(np.float32([1e-3 * 0.9**-turns * 0.99, 1e-4]))


# -- loops that run for any number of turns -----------------------------------------------------


def plain(x):
    while goes_on(x):
        x = x * 0.9
    return x


def by_function(x):
    def more(i, x):
        return i + 1, x * STEP

    return tf.while_loop(lambda i, x: goes_on(x), more, (tf.constant(0), x))


def with_a_variable(x):
    COUNTED.assign(0.0)
    while goes_on(x):
        x = x * 0.9
        COUNTED.assign_add(1.0)
    return x, COUNTED + 0.0


def with_a_break(x):
    y = x * 0.0
    while True:
        y, x = x, x * 0.9
        if tf.reduce_max(x) < 1e-3:
            break
    return x, y


def of_second_order(x):
    a, b = x, x
    while goes_on(a):
        a, b = b * 0.9, a
    return a, b


def with_a_loop_inside(x):
    while goes_on(x):
        y = x
        for _ in range(4):
            y = tf.sin(y)
        x = y * 0.8
    return x


def until_it_changes_little(x):
    error = tf.reduce_max(x)
    while error > 1e-3:
        before = x
        x = x * 0.9
        error = tf.reduce_max(tf.abs(x - before))
    return x, error


class Model(tf.Module):
    def __init__(self):
        self.step, self.smallest = tf.Variable(0.9), 1e-3

    def __call__(self, x):
        while tf.reduce_max(x) > self.smallest:
            x = x * self.step
        return x


MODEL = Model()


def counting(x):
    i, total = tf.constant(0), tf.constant(0.5)
    while goes_on(x):
        x = x * 0.9
        i += 1
        total = tf.minimum(total * 1.5, 20.0)
    return x, i, total


GENERAL = [
    plain,
    by_function,
    with_a_variable,
    with_a_break,
    of_second_order,
    with_a_loop_inside,
    until_it_changes_little,
    lambda x: MODEL(x),
    counting,
]


@pytest.mark.parametrize("jit_compile", [False, True], ids=["numpy", "xla"])
@pytest.mark.parametrize("function", GENERAL, ids=lambda f: f.__name__ if callable(f) else None)
def test_one_recording_serves_any_number_of_turns(function, jit_compile):
    if jit_compile:
        pytest.importorskip("jax")
    compiled = tf.function(function, jit_compile=jit_compile)
    for turns in (*range(1, 12), 40, 1, 25, 100):
        x = argument(turns)
        expected, found = tf.nest.flatten(function(x)), tf.nest.flatten(compiled(x))
        for one, other in zip(expected, found, strict=True):
            if jit_compile:
                np.testing.assert_allclose(one, other, rtol=1e-5)
            else:
                np.testing.assert_array_equal(one, other)
    assert compiled.report().recordings <= 5
    assert compiled.report().refused == ()


def test_a_thousand_turns_need_no_recording_of_their_own():
    compiled = tf.function(plain)
    for turns in range(1, 1000, 7):
        np.testing.assert_array_equal(compiled(argument(turns % 200)), plain(argument(turns % 200)))
    assert compiled.report().recordings <= 4


class Solver:
    """Not a module: its attributes are compared before each call."""

    def __init__(self):
        self.smallest = 1e-3

    @tf.function
    def solve(self, x):
        while tf.reduce_max(x) > self.smallest:
            x = x * 0.9
        return x


def test_methods_of_objects():
    solver = Solver()
    for turns in (3, 0, 12, 1, 30, 7):
        x = argument(turns)
        np.testing.assert_array_equal(solver.solve(x), plain(x))
    assert solver.solve.report().recordings <= 3
    solver.smallest = 1e-2
    assert tf.reduce_max(solver.solve(argument(30))) > 1e-3


# -- gradients of such loops ----------------------------------------------------------------------


def with_a_weight(x):
    while goes_on(x):
        x = x * WEIGHT * STEP + tf.sin(x) * 0.001 * WEIGHT
    return x * WEIGHT


def with_products(x):
    h = tf.stack([x, 0.5 * x])
    while tf.reduce_max(tf.abs(h)) > 1e-3:
        h = tf.tanh(h @ MATRIX)
    return h


def with_a_sum(x):
    total = tf.zeros([2])
    while goes_on(x):
        x = x * 0.9
        total += tf.sin(x) * WEIGHT
    return total


def with_gathered_rows(x):
    while goes_on(x):
        x = x * tf.gather(MATRIX, [0, 0])[0] + x * 0.2
    return x


def in_a_chain(x):
    a, b, c = x * WEIGHT, x * 0.0, 0.0 * x
    while goes_on(a):
        a, b, c = a * 0.9, a * a, b * WEIGHT
    return c


WEIGHT = tf.Variable(0.97)
MATRIX = tf.Variable([[0.5, 0.2], [-0.1, 0.6]])
SOURCES = [STEP, WEIGHT, MATRIX]
DIFFERENTIATED = [with_a_weight, with_products, with_a_sum, with_gathered_rows, in_a_chain]


def dense(gradients):
    """Gradients by Python are rows of a table where those of loops are sums of such."""
    return [g if g is None else tf.convert_to_tensor(g) for g in gradients]


def derivatives(f, x):
    """Results, gradients, rows of Jacobians and second derivatives, None where there is none."""
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            results = [y for y in tf.nest.flatten(f(x)) if y.dtype.is_floating]
            total = tf.add_n([tf.reduce_sum(y) for y in results])
        first = tape.gradient(total, [x, *SOURCES])
        first = dense(first)
        each = [tape.gradient(y, x) for y in results]
        jacobian = tape.jacobian(results[0], [x, STEP])
    second = [None if g is None else dense(outer.gradient(g, [x, *SOURCES])) for g in first]
    return tf.nest.flatten([results, first, each, jacobian, second])


@pytest.mark.parametrize("jit_compile", [False, True], ids=["numpy", "xla"])
@pytest.mark.parametrize("function", [*GENERAL, *DIFFERENTIATED], ids=lambda f: f.__name__)
def test_one_recording_has_the_gradients_for_any_number_of_turns(function, jit_compile):
    if jit_compile:
        pytest.importorskip("jax")
    compiled = tf.function(function, jit_compile=jit_compile)
    for turns in (5, 6, 9, 5, 1, 2, 3, 4, 40, 13, 1):
        x = argument(turns)
        expected, found = derivatives(function, x), derivatives(compiled, x)
        for one, other in zip(expected, found, strict=True):
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(other, one, rtol=1e-3 if jit_compile else 1e-6)
    most = 11 if function is with_a_variable else 4  # its variable is read again in its turns
    assert compiled.report().recordings <= most
    assert compiled.report().refused == ()


def test_gradients_on_xla_are_compiled_for_any_number_of_turns(monkeypatch):
    pytest.importorskip("jax")
    from cinta.replay.xla import sweeps

    monkeypatch.delattr(sweeps, "Sweeps")  # NumPy's
    made = len(sweeps._compiled)
    compiled = tf.function(plain, jit_compile=True)
    for turns in (3, 5, 20, 100, 30, 2):
        found = []
        for function in (plain, compiled):
            x = argument(turns)
            with tf.GradientTape() as outer, tf.GradientTape() as tape:
                outer.watch(x)
                tape.watch(x)
                y = tf.reduce_sum(function(x) ** 3)
                first = tape.gradient(y, x)
            found.append((first, outer.gradient(first, x)))
        for one, other in zip(*found, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-4)
    assert len(sweeps._compiled) > made


def test_gradients_of_loops_are_recorded_a_few_times_for_any_number_of_turns():
    compiled = tf.function(with_a_weight)
    with patch.object(differentiate, "gradient_steps", wraps=gradient_steps) as recorded:
        for turns in range(1, 60):
            derivatives(compiled, argument(turns))
            if turns == 6:
                before = recorded.call_count
        assert recorded.call_count == before
    assert compiled.report().recordings <= 4


def test_gradients_for_one_number_of_turns_are_those_for_all():
    """Rules that look at values, as those of no op of these loops do."""
    for function in (*DIFFERENTIATED, until_it_changes_little, with_a_break):
        x, y, compiled = argument(40), argument(50), tf.function(function)
        found = derivatives(compiled, x), derivatives(compiled, y)
        with patch.object(adjoints, "_derivative", return_value=None) as none:
            alone = tf.function(function)
            expected = derivatives(alone, x), derivatives(alone, y)
            none.assert_called()
        for one, other in zip(*map(tf.nest.flatten, (expected, found)), strict=True):
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(other, one, rtol=1e-6)


@pytest.mark.parametrize("function", [by_function, with_a_weight, with_a_break])
def test_forward_mode_agrees_for_any_number_of_turns(function):
    compiled = tf.function(function)
    for turns in (5, 9, 2, 5):
        x = argument(turns)
        found = []
        for f in (function, compiled):
            f(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
                    result = tf.nest.flatten(f(x))[-1]
                slope = accumulator.jvp(result)
            found.append((slope.numpy(), tape.gradient(slope, x)))
        np.testing.assert_array_equal(found[0][0], found[1][0])
        assert (found[0][1] is None) == (found[1][1] is None)
        if found[0][1] is not None:
            np.testing.assert_array_equal(found[0][1], found[1][1])


def test_gradients_that_people_write_are_called_for_each_turn():
    @tf.custom_gradient
    def shrunk(x):
        return x * 0.9, lambda g: g * 2.0

    def custom(x):
        while goes_on(x):
            x = shrunk(x)
        return x

    compiled = tf.function(custom)
    for turns in (3, 4, 5, 3, 4, 5):
        x = argument(turns)
        found = []
        for f in (custom, compiled):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            found.append(tape.gradient(y, x).numpy())
        np.testing.assert_array_equal(*found)
        np.testing.assert_array_equal(found[0], np.float32([2.0**turns] * 2))


# -- values that are the same by chance -----------------------------------------------------------


def of_the_first_turn(x, n, d, c):
    """``y`` is another value after the first turn, and the same from then on."""
    y, z, i = x * 2.0, x * 3.0, n * 0
    while True:
        if i >= n:
            break
        y = z
        i = i + 1
    return y


def with_two_names(x, n, d, c):
    """Two names for one value, of which each may get another one."""
    y = z = x * 1.0
    i = n * 0
    while True:
        z = y if d < 2.0 else z * 2.0
        y, d, i = x, d + c, i + 1
        if i >= n:
            break
    return z + y


@pytest.mark.parametrize("function", [of_the_first_turn, with_two_names])
def test_values_that_were_the_same_on_all_ways_are_not_taken_for_one(function):
    calls = [(6, 1.0, 5.0), (0, 1.0, 5.0), (5, 5.0, -3.0), (1, 5.0, 0.0), (4, 1.0, 0.5)]
    for first in range(len(calls)):
        compiled = tf.function(function)
        for n, d, c in calls[first:] + calls[:first]:
            given = [tf.constant(each) for each in (1.0, n, d, c)]
            np.testing.assert_array_equal(compiled(*given), function(*given))
