"""ForwardAccumulator: in one another, in tapes, and tapes in them."""

import cinta as tf
from tests.shorthand import values

Accumulator = tf.autodiff.ForwardAccumulator


def cube(x):
    return x * x * x


def test_the_outer_one_sees_the_tangents_of_the_inner_one():
    x, one = tf.constant(2.0), tf.constant(1.0)
    with Accumulator(x, one) as outer, Accumulator(x, one) as inner:
        y = cube(x)
        t = inner.jvp(y)
    assert values(outer.jvp([y, t])) == [12, 12]
    assert inner.jvp([outer.jvp(y), t]) == [None, None]


def test_what_counts_is_who_was_entered_first():
    x, one = tf.constant(2.0), tf.constant(1.0)
    created_first, created_second = Accumulator(x, one), Accumulator(x, one)
    with created_second, created_first:
        y = cube(x)
    assert values(created_second.jvp(created_first.jvp(y))) == 12
    assert created_first.jvp(created_second.jvp(y)) is None


def test_it_does_not_see_its_own_tangents():
    x = tf.constant(2.0)
    with Accumulator(x, tf.constant(1.0)) as acc:
        t = acc.jvp(cube(x))
    assert acc.jvp(t) is None


def test_third_order():
    x, one = tf.constant(2.0), tf.constant(1.0)
    with Accumulator(x, one) as a, Accumulator(x, one) as b, Accumulator(x, one) as c:
        y = x**4
        third = b.jvp(c.jvp(y))
    assert values(a.jvp(third)) == 48


def test_forward_over_reverse():
    x = tf.constant([1.0, 2.0])
    with Accumulator(x, tf.constant([1.0, 0.0])) as acc:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x[0] ** 2 * x[1]
        g = tape.gradient(y, x)
    assert values(acc.jvp(g)) == [4, 2]


def test_a_gradient_taken_after_leaving_has_none():
    x = tf.constant(2.0)
    with Accumulator(x, tf.constant(1.0)) as acc, tf.GradientTape() as tape:
        tape.watch(x)
        y = cube(x)
    assert acc.jvp(tape.gradient(y, x)) is None


def test_reverse_over_forward():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with Accumulator(x, tf.constant(1.0)) as acc:
            y = cube(x)
        t = acc.jvp(y)
    assert values(tape.gradient(t, x)) == 12


def test_a_tape_entered_later_ignores_tangents():
    x, c = tf.constant(2.0), tf.constant(3.0)
    with Accumulator(x, tf.constant(1.0)) as acc, tf.GradientTape() as tape:
        tape.watch(c)
        d = x * c
        t = acc.jvp(d) * 2.0
    assert tape.gradient(t, c) is None


def test_reverse_over_forward_over_reverse():
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with Accumulator(x, tf.constant(1.0)) as acc:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x**5
            g = tape.gradient(y, x)
        second = acc.jvp(g)
    assert values(outer.gradient(second, x)) == 60 * 4


def test_jacobians_inside():
    x = tf.constant([1.0, 2.0])
    with Accumulator(x, tf.constant([1.0, 0.0])) as acc:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        j = tape.jacobian(y, x)
    assert values(acc.jvp(j)) == [[2, 0], [0, 0]]
