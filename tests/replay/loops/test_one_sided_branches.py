"""Branches in loops of which one side alone uses a variable: gradients as in Python."""
# ruff: noqa: SIM108  (statements are what is to be recorded)

import numpy as np
import pytest

import cinta as tf

COUNTS = (2, 3, 5, 8, 1, 4, 0, 13, 7, 20, 9, 6)
STARTS = (1.7, 0.4, 5.0)


class Parameters:
    """Variables that the functions use, some of which no turn may use."""

    def __init__(self):
        self.a = tf.Variable(0.9, dtype=tf.float64)
        self.b = tf.Variable(0.3, dtype=tf.float64)
        self.c = tf.Variable(2.0, dtype=tf.float64)

    @property
    def all(self):
        return [self.a, self.b, self.c]


def on_one_side(p, n, y):
    for _ in tf.range(n):
        if y > 1.0:
            y = y * 0.5
        else:
            y = y * p.a + 0.4
    return y


def on_each_side_another(p, n, y):
    for _ in tf.range(n):
        if y > 1.0:
            y = y * p.b
        else:
            y = y * p.a + 0.4
    return y


def only_if(p, n, y):
    i = n * 0
    while i < n:
        if y > 1.0:
            y = y * p.b
        y = tf.sin(y) + 0.2
        i += 1
    return y


def on_both_and_besides(p, n, y):
    for _ in tf.range(n):
        y = y * p.a
        if y < 0.5:
            y = y + p.a * p.b
    return y


def in_a_condition(p, n, y):
    def body(i, y):
        return i + 1, tf.cond(y > 1.0, lambda: y * 0.5, lambda: y * p.a + p.b)

    return tf.while_loop(lambda i, y: i < n, body, (0, y))[1]


def in_two_branches(p, n, y):
    for _ in tf.range(n):
        if y > 1.0:
            y = y * p.b
        if y < 0.6:
            y = y + p.a * p.b
    return y


def with_a_value_of_the_branch(p, n, y):
    for _ in tf.range(n):
        z = p.a * 2.0
        if y > 1.0:
            z = p.b * p.a
        y = tf.tanh(y) * z + 0.3
    return y


def that_ends_what_was_before(p, n, y):
    for _ in tf.range(n):
        if y > 1.0:
            y = tf.constant(0.5, tf.float64)
        else:
            y = y * p.a + p.b
    return y


def one_turn_later(p, n, y):
    z = y * 0.0
    for _ in tf.range(n):
        y = y * 0.9 + z
        if y > 0.5:
            z = z * 0.5 - 0.1
        else:
            z = z + p.a
    return y


def side_within_a_side(p, n, y):
    for _ in tf.range(n):
        if y > 0.5:
            if y > 1.0:
                y = y * p.b
            else:
                y = y * p.a
        else:
            y = y + 0.7
    return y


def of_infinite_slope(p, n, y):
    for _ in tf.range(n):
        if y > 1.0:
            y = y * 0.5
        else:
            y = y + tf.sqrt(p.a - 0.9) + 0.1
    return y


def where_the_use_is_in_vain(p, n, y):
    z = y * 0.0
    for _ in tf.range(n):
        if y > 1.0:
            y, z = y * 0.5, y * p.b
        else:
            y, z = y + 0.4 * p.c, y
    return y + tf.stop_gradient(z)


def sides_of_three(p, n, y):
    for i in tf.range(n):
        if i % 6 == 0:
            y = y + p.a
        elif i % 3 == 0 and y > 0.2:
            y = y * p.b
        elif i % 2 == 0:
            y = y - p.a * p.c
        else:
            y = y * 0.9
    return y


def with_a_value_for_one_side(p, n, y):
    for _ in tf.range(n):
        slope = tf.sqrt(p.a - 0.9)  # of infinite slope itself
        if y > 0.6:
            y = y * 0.4
        elif y > 0.3:
            y = y + slope + 0.1
        else:
            y = y + 0.5
    return y


def the_best_so_far(p, n, y):
    best = y + 100.0
    for _ in tf.range(n):
        y = tf.sin(y * 13.0) * p.a
        if y < best:
            best = y
    return best * p.c


def that_ends_an_infinite_slope(p, n, y):
    z = y
    for i in tf.range(n):
        z = 1.0 / z
        if i % 3 == 1:
            y, z = tf.tanh(y + z * p.a), y * 0.0
        elif i % 3 == 2:  # infinity is not used any more
            z = p.b + tf.constant(0.3, tf.float64)
    return y + z * p.c


def delayed(p, n, y):
    first = second = third = y
    for _ in tf.range(n):
        first, second, third = first * p.a, first + p.b, second
    return third


FUNCTIONS = (
    on_one_side,
    on_each_side_another,
    only_if,
    on_both_and_besides,
    in_a_condition,
    in_two_branches,
    with_a_value_of_the_branch,
    that_ends_what_was_before,
    one_turn_later,
    side_within_a_side,
    of_infinite_slope,
    where_the_use_is_in_vain,
    sides_of_three,
    with_a_value_for_one_side,
    delayed,
)
LEFT = (the_best_so_far, that_ends_an_infinite_slope)
"""Functions with a recording for each number of turns: a loop in a loop, as the best value is the
last one or not; and zeros that would be multiplied by infinity."""


def compare(expected, found):
    """Two gradients are the same, or both are none."""
    expected, found = tf.nest.flatten(expected), tf.nest.flatten(found)
    for one, other in zip(expected, found, strict=True):
        if one is None or other is None:
            assert one is other
        else:
            np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("jit_compile", [False, True], ids=["numpy", "xla"])
@pytest.mark.parametrize("function", FUNCTIONS + LEFT, ids=lambda f: f.__name__)
def test_a_tape_in_the_function(function, jit_compile):
    p = Parameters()

    def gradients(n, y):
        with tf.GradientTape() as tape:
            tape.watch(y)
            z = function(p, n, y)
        return z, tape.gradient(z, [*p.all, y])

    recorded = tf.function(gradients, jit_compile=jit_compile)
    for start in STARTS:
        for n in COUNTS:
            given = tf.constant(n), tf.constant(start, tf.float64)
            compare(gradients(*given), recorded(*given))
    if function in FUNCTIONS:
        assert recorded.report().recordings <= 10  # of 36; each may use other variables


@pytest.mark.parametrize("function", FUNCTIONS + LEFT, ids=lambda f: f.__name__)
def test_a_tape_around_the_function(function):
    p = Parameters()
    recorded = tf.function(lambda n, y: function(p, n, y))

    def gradients(call, n, y):
        with tf.GradientTape() as tape:
            tape.watch(y)
            z = call(n, y)
        return tape.gradient(z, [*p.all, y])

    for start in STARTS:
        for n in COUNTS:
            given = tf.constant(n), tf.constant(start, tf.float64)
            expected = gradients(lambda n, y: function(p, n, y), *given)
            compare(expected, gradients(recorded, *given))


@pytest.mark.parametrize("function", FUNCTIONS + LEFT, ids=lambda f: f.__name__)
def test_second_derivatives_and_jacobians(function):
    p = Parameters()

    def slopes(n, y):
        with tf.GradientTape() as outer:
            outer.watch(y)
            with tf.GradientTape() as inner:
                inner.watch(y)
                z = function(p, n, y)
            first = inner.gradient(z, [p.a, p.b, y])
            total = tf.add_n([y, *[tf.sin(g) for g in first if g is not None]])
        return outer.gradient(total, [p.a, p.b, y])

    recorded = tf.function(slopes)
    call = tf.function(lambda n, y: function(p, n, y))

    def jacobian(call, n, y):
        with tf.GradientTape() as tape:
            tape.watch(y)
            z = call(n, y)
            many = tf.stack([z, z * z, tf.sin(y)])
        return tape.jacobian(many, [p.a, p.b, y])

    for start in STARTS[:2]:
        for n in COUNTS[:8]:
            given = tf.constant(n), tf.constant(start, tf.float64)
            compare(slopes(*given), recorded(*given))
            expected = jacobian(lambda n, y: function(p, n, y), *given)
            compare(expected, jacobian(call, *given))


def test_a_side_that_the_last_turn_alone_takes_in_vain():
    p = Parameters()

    @tf.function
    def recorded(n, y):
        return one_turn_later(p, n, y)

    def gradients(call, n):
        with tf.GradientTape() as tape:
            z = call(tf.constant(n), tf.constant(5.0, tf.float64))
        return tape.gradient(z, p.a)

    counts = (3, 14, 12, 11, 10, 0, 5)
    found = [gradients(recorded, n) for n in counts]
    expected = [gradients(lambda n, y: one_turn_later(p, n, y), n) for n in counts]
    assert expected[3] is None
    assert expected[2] is not None
    compare(expected, found)


def test_a_thousand_turns_have_the_recordings_of_a_few():
    p = Parameters()

    @tf.function
    def gradient(n, y):
        with tf.GradientTape() as tape:
            z = on_each_side_another(p, n, y)
        return tape.gradient(z, p.all, unconnected_gradients="zero")

    for n in range(1, 1001, 37):
        gradient(tf.constant(n), tf.constant(1.7, tf.float64))
    assert gradient.report().recordings <= 4


def test_second_derivatives_through_rows_where_branches_end_what_was_before():
    def function(n, x):
        table, a = tf.sin(x), x * 1.0
        for i in tf.range(n):
            a = tf.gather(table, [1, 1, 0]) * 1.5 if i % 3 == 1 else a * a
        return a

    def second(call, n, x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = call(n, x)
            slopes = inner.gradient(y, x)
            total = tf.reduce_sum(slopes**2)
        return outer.gradient(total, x)

    recorded = tf.function(function)
    x = tf.constant([0.3, 1.1, 0.7], tf.float64)
    for n in (2, 3, 5, 8, 1, 4, 7):
        compare(second(function, tf.constant(n), x), second(recorded, tf.constant(n), x))
