"""Branches on values: one recording for all ways that have been seen, where that is sure."""

import functools
import itertools

import numpy as np
import pytest
from branching_programs import Program, gradients, numbers

import cinta as tf

SCALE = tf.Variable(1.5)
MATRIX = tf.constant(np.random.default_rng(0).normal(size=(3, 3)).astype(np.float32))


# -- functions that become one recording --------------------------------------------------------


def one_after_the_other(x):
    if tf.reduce_sum(x) > 0:
        y = x * 2.0
    else:
        x = tf.sin(x)
        y = x * x
    z = y + x
    if tf.reduce_max(z) > 2:
        z = z * z
    if tf.reduce_min(z) > 0:
        z = z * SCALE
    return z


def by_functions(x):
    y = tf.cond(x[0] > 0, lambda: x * 2.0, lambda: x - 1.0)
    return tf.cond(y[1] > 0, lambda: tf.tanh(y) * 2.0, lambda: y * SCALE) + x


def one_in_another(x):
    if x[0] > 0:
        y = x * 2.0
    elif x[1] > 0:
        y = tf.exp(x)
    else:
        y = x * x
    return {"y": y, "x": x}


def in_a_while_loop(x):
    while tf.reduce_max(tf.abs(x)) > 1e-2:
        y = tf.sin(x * 3.7)
        x = x * 0.5 if tf.reduce_sum(y) > 0 else x * 0.9 + y * 0.001
    return x


def in_a_loop_by_functions(x):
    def turn(i, x):
        return i + 1.0, tf.cond(tf.reduce_sum(x) > 0, lambda: x * -0.5, lambda: x * -0.8)

    i = x[0] * 0.0
    return tf.while_loop(lambda i, x: tf.reduce_max(tf.abs(x)) > 0.05, turn, (i, x))


def in_a_for_loop(x):
    for i in range(3):
        if x[i] > 0:
            x = x * 0.7
        else:
            y = tf.linalg.matvec(MATRIX, x)
            x = x + y if i else tf.cos(x)
    return x


def in_a_helper(x):
    return larger(larger(x, -x), x * x) + 1.0


def larger(x, y):
    if tf.reduce_sum(x) > tf.reduce_sum(y):
        return x * 1.0
    return y * 1.0


def with_several_results(x):
    if tf.reduce_sum(x) > 0:
        x, y = x * 2.0, x
    else:
        x, y = x, tf.ones([3])
    return x, y, x


ONE = [
    one_after_the_other,
    by_functions,
    one_in_another,
    in_a_while_loop,
    in_a_loop_by_functions,
    in_a_for_loop,
    in_a_helper,
    with_several_results,
]


@pytest.mark.parametrize("function", ONE, ids=lambda f: f.__name__)
def test_one_recording_goes_all_ways(function):
    compiled = tf.function(function)
    for x in numbers(60):
        expected, found = tf.nest.flatten(function(x)), tf.nest.flatten(compiled(x))
        for one, other in zip(expected, found, strict=True):
            np.testing.assert_array_equal(one, other)
    before = compiled.report().recordings
    for x in numbers(60):
        compiled(x)
    assert compiled.report().recordings == before < 16
    assert "Branch" in str(next(iter(compiled._variants)).serves())


@pytest.mark.parametrize(
    "function", [by_functions, in_a_loop_by_functions], ids=lambda f: f.__name__
)
def test_branches_on_xla(function):
    pytest.importorskip("jax")
    compiled = tf.function(function, jit_compile=True)
    for x in numbers(12):
        expected, found = tf.nest.flatten(function(x)), tf.nest.flatten(compiled(x))
        for one, other in zip(expected, found, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-4)


@pytest.mark.parametrize("function", ONE, ids=lambda f: f.__name__)
def test_gradients_of_first_and_second_order(function):
    compiled = tf.function(function)
    for x in numbers(60):
        compiled(x)
    for x in numbers(12):
        for one, other in zip(
            gradients(function, x, SCALE), gradients(compiled, x, SCALE), strict=True
        ):
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("function", [one_after_the_other, by_functions], ids=lambda f: f.__name__)
def test_jacobians_and_forward_mode(function):
    compiled = tf.function(function)
    for x in numbers(30):
        compiled(x)
    for x in numbers(6):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = compiled(x)
        with tf.GradientTape() as other:
            other.watch(x)
            expected = function(x)
        np.testing.assert_allclose(
            tape.jacobian(y, x), other.jacobian(expected, x), rtol=1e-5, atol=1e-6
        )
        with tf.autodiff.ForwardAccumulator(x, x) as forward:
            y = compiled(x)
        with tf.autodiff.ForwardAccumulator(x, x) as again:
            expected = function(x)
        np.testing.assert_allclose(forward.jvp(y), again.jvp(expected), rtol=1e-6)


def test_variables_that_one_way_assigns():
    state = tf.Variable(0.0)

    def count(x):
        if tf.reduce_sum(x) > 0:
            state.assign_add(1.0)
        return x * 2.0

    compiled = tf.function(count)
    positive = 0
    for x in numbers(20):
        compiled(x)
        positive += float(tf.reduce_sum(x)) > 0
        assert state.numpy() == positive
    assert compiled.report().recordings == 2


def test_errors_on_one_way_are_raised_on_that_way_alone():
    @tf.function
    def looked_up(i):
        return tf.gather(tf.constant([1.0, 2.0]), i) if i < 2 else tf.cast(i, tf.float32)

    for i in (0, 5, 1, 7):
        assert looked_up(tf.constant(i)).numpy() == (i if i > 1 else i + 1)
    with pytest.raises(tf.errors.InvalidArgumentError):
        looked_up(tf.constant(-1))


# -- ways that must not be joined ----------------------------------------------------------------


def a_number_on_the_stack(x):
    y = (1.0 if x[0] > 0 else 2.0) * (x if x[1] > 0 else -x)
    return y + 1.0


def numbers_that_differ(x):
    k = 1 if x[0] > 0 else 2
    if x[1] > 0:
        x = x * 2.0
    return x * float(k)


def a_list_that_grows(x):
    steps = []
    for i in range(3):
        if x[i] > 0:
            steps.append(x)  # noqa: PERF401
    return tf.add_n([x, *steps])


def an_iterator(x):
    values = iter([1.0, 2.0, 3.0])
    if x[0] > 0:
        next(values)
    if x[1] > 0:
        x = x * 2.0
    return x * next(values)


def an_iterator_of_a_loop(x):
    for k in [1.0, 1.0, 3.0]:
        if x[0] > 0:
            x = x - k
            continue
        if x[1] > 0:
            x = x * k
    return x


def a_tape(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 3.0 if x[0] > 0 else x * x
        if x[1] > 0:
            y = y + 1.0
    return tape.gradient(y, x)


def a_tape_around_a_helper(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = larger(x, x * x)
    return tape.gradient(y, x)


def random_numbers(x):
    if x[0] > 0:
        x = x + tf.random.stateless_uniform([3], seed=[1, 2])
    return x * tf.random.stateless_uniform([3], seed=[3, 4])


def values_that_meet_by_chance(x):
    low, high = x * 0.0, tf.abs(x)
    for _ in range(6):
        middle = (low + high) / 2.0
        if tf.reduce_sum(middle * middle) > 1.0:
            high = middle
        else:
            low = middle
    return low


def calls_by_a_function_in_c(x):
    def turn(x, k):
        return x - 0.3 if tf.reduce_max(x) > 0 else x - 2.0

    return functools.reduce(turn, [1.0] * 3, x)


def looks_by_a_function_in_c(x):
    return x * 2.0 if all([x[0] > 0, x[1] > 0, x[2] > 0]) else x


def shapes_that_differ(x):
    return x[:2] if x[0] > 0 else x


APART = [
    a_number_on_the_stack,
    numbers_that_differ,
    a_list_that_grows,
    an_iterator,
    an_iterator_of_a_loop,
    a_tape,
    a_tape_around_a_helper,
    random_numbers,
    values_that_meet_by_chance,
    calls_by_a_function_in_c,
    looks_by_a_function_in_c,
    shapes_that_differ,
]


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
@pytest.mark.parametrize("function", APART, ids=lambda f: f.__name__)
def test_ways_that_differ_in_more_than_tensors_are_kept_apart(function):
    compiled = tf.function(function)
    for x in numbers(40) * 2:
        np.testing.assert_array_equal(compiled(x), function(x))


# -- random programs -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(24))
def test_random_programs(seed):
    program = Program(seed)
    compiled = tf.function(program.function)
    for x in numbers(50):
        for one, other in zip(program.function(x), compiled(x), strict=True):
            np.testing.assert_array_equal(one, other, err_msg=program.source)


# -- values that decide more than once -------------------------------------------------------------


def answers_twice(x, a, b):
    y = x * 2.0 if a else x + 1.0
    if b:
        y = y * 3.0
    y = y * 5.0 if a else y - 1.0
    return y + 7.0 if b else y * 11.0


CALLS = [*itertools.product((True, False), repeat=2)]


@pytest.mark.parametrize("order", [*itertools.permutations(range(4))])
def test_a_value_decides_again_behind_a_branch_on_it(order):
    compiled = tf.function(answers_twice)
    expected = [67.0, 220.0, 15.0, 22.0]
    for i in order * 2:
        assert compiled(tf.constant(2.0), *map(tf.constant, CALLS[i])).numpy() == expected[i]


def test_a_number_is_looked_at_again_behind_a_branch_in_which_it_was():
    def function(x, n, a, b):
        y = x * int(n) if a else x + int(n)
        return y * 2.0 ** int(n) if b else y

    compiled = tf.function(function)
    for n, a, b in [(1, True, False), (3, False, True), (1, True, True)] * 2:
        given = tf.constant(2.0), *map(tf.constant, (n, a, b))
        assert compiled(*given).numpy() == function(*given).numpy()


def test_a_value_decides_in_each_turn():
    def function(x, n, a):
        for i in tf.range(n):
            if a:
                x = (x + 100.0 if i % 2 == 1 else x + 1.0) * 0.5
        return x

    compiled = tf.function(function)
    expected = {True: [1.0, 1.0, 50.5, 25.75], False: [1.0] * 4}
    for n, a in [(1, True), (2, False), (0, True), (1, False), (2, True), (3, True), (3, False)]:
        assert compiled(tf.constant(1.0), tf.constant(n), tf.constant(a)).numpy() == expected[a][n]
    assert compiled.report().recordings <= 3
