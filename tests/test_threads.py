"""Tapes and threads: each thread records for itself."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import numpy as np
import pytest

import cinta as tf
from cinta.engine.gradient_plan import Shared
from cinta.engine.primitives import Mul
from cinta.engine.record_calls import record_call
from cinta.engine.tensor import tracked, wrap


def on_another_thread(f):
    """The result of the function, called on a thread of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(f).result()


def at_once(f, count=8):
    """The results of ``f(0)``, ``f(1)`` ..., called on threads that start at the same time."""
    barrier = threading.Barrier(count)

    def start(i):
        barrier.wait()
        return f(i)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(start, range(count)))


@pytest.fixture
def x():
    return tf.constant(3.0)


def test_what_another_thread_computes_is_not_recorded(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = on_another_thread(lambda: x * x)
        z = y * x
    assert tape.gradient(z, x).numpy() == 9


def test_variables_that_another_thread_reads_are_not_watched():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        on_another_thread(lambda: v * v)
    assert tape.watched_variables() == ()


def test_a_gradient_can_be_taken_on_another_thread(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert on_another_thread(lambda: tape.gradient(y, x)).numpy() == 6


def test_a_gradient_taken_on_another_thread_is_not_recorded_here(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
        d = on_another_thread(lambda: inner.gradient(y, x))
    assert d.numpy() == 27
    assert outer.gradient(d, x) is None


def test_a_tape_can_be_used_on_another_thread(x):
    def differentiate():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x)

    with tf.GradientTape() as tape:
        tape.watch(x)
        d = on_another_thread(differentiate)
        y = x * x * d
    assert tape.gradient(y, x).numpy() == 36


def test_a_tape_can_be_continued_on_another_thread(x):
    tape = tf.GradientTape()

    def go_on(y):
        with tape:
            return y * x

    with tape:
        tape.watch(x)
        y = x * x
    z = on_another_thread(lambda: go_on(y))
    assert tape.gradient(z, x).numpy() == 27


def test_higher_orders_on_another_thread(x):
    assert on_another_thread(lambda: tf.grad(tf.grad(lambda x: x * x * x))(x)).numpy() == 18


def test_many_threads_may_differentiate_one_variable():
    v = tf.Variable(np.arange(1.0, 5.0))

    def steps(i):
        found = []
        for _ in range(200):
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(v * v) * float(i)
            found.append(tape.gradient(y, v).numpy())
        return found

    for i, found in enumerate(at_once(steps)):
        assert np.all(np.array(found) == 2 * i * np.arange(1.0, 5.0))


def test_many_threads_may_watch_one_tensor():
    x = tf.constant(np.arange(1.0, 5.0))

    def steps(i):
        found = []
        for _ in range(200):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(x * x) * float(i)
            found.append(tape.gradient(y, x))
        return found

    for i, found in enumerate(at_once(steps)):
        assert all(np.all(g.numpy() == 2 * i * x.numpy()) for g in found)


def test_many_threads_may_take_second_derivatives_of_one_tensor():
    x = tf.constant(3.0)

    def second(i):
        found = []
        for _ in range(50):
            with tf.GradientTape() as outer:
                outer.watch(x)
                with tf.GradientTape() as inner:
                    inner.watch(x)
                    y = x * x * x
                d = inner.gradient(y, x)
            found.append(outer.gradient(d, x))
        return found

    for found in at_once(second):
        assert [g.numpy() for g in found] == [18] * 50


def watch_for_a_while(x):
    with tf.GradientTape() as tape:
        tape.watch(x)


@pytest.mark.parametrize("count", [1, 2])
def test_another_thread_may_watch_an_input_while_a_call_is_recorded(count):
    """The call has seen who tracks its first input, and then the other thread watches."""
    x = tf.constant(3.0)
    tapes = [tf.GradientTape() for _ in range(count)]
    with ExitStack() as stack:
        for tape in tapes:
            stack.enter_context(tape)
            tape.watch(x)
        first = tracked(x._array, x._recorder, x._number)
        on_another_thread(lambda: watch_for_a_while(x))
        product = wrap(x._array * x._array)
        arrays = first._array, x._array
        record_call(Mul, first._recorder, (first, x), arrays, {}, product._array, product)
    assert [tape.gradient(product, x).numpy() for tape in tapes] == [6.0] * count


def test_many_threads_may_ask_one_persistent_tape():
    v = tf.Variable(np.ones(1000))
    with tf.GradientTape(persistent=True) as tape:
        y = v
        for _ in range(100):
            y = y * 1.0
        y = tf.reduce_sum(y * y)
    gradients = at_once(lambda i: [tape.gradient(y, v).numpy() for _ in range(10)])
    assert all(np.all(g == 2) for found in gradients for g in found)


def test_one_of_many_threads_gets_the_one_set_of_gradients():
    v = tf.Variable(3.0)

    def ask(i):
        try:
            return tape.gradient(y, v).numpy()
        except (RuntimeError, tf.errors.InternalError):
            return None

    for _ in range(50):
        with tf.GradientTape() as tape:
            y = v * v
        results = [g for g in at_once(ask, 4) if g is not None]
        assert results == [6]


def test_plans_and_numbers_are_made_once_for_all_threads():
    def run(i):
        x = tf.constant(0.5 + i)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.tanh(tf.math.softplus(x) * x) + tf.math.xlogy(x, x + 1.0)
        return tape.gradient(y, x).numpy()

    together = at_once(run)
    assert together == [run(i) for i in range(8)]


def test_an_update_on_another_thread_does_not_change_what_was_recorded():
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = v * v
        on_another_thread(lambda: v.assign_add([10.0, 10.0]))
        z = y * v
    assert tape.gradient(z, v).numpy().tolist() == [2 * 1 * 11 + 1, 2 * 2 * 12 + 4]


# -- generators ------------------------------------------------------------------------------------


def recording_generator(tapes):
    with tf.GradientTape() as tape:
        tapes.append(tape)
        yield
        yield


def test_a_generator_leaves_its_tape_on_while_it_waits(x):
    tapes = []
    generator = recording_generator(tapes)
    next(generator)
    tapes[0].watch(x)
    y = x * x
    generator.close()
    z = y * x
    assert tapes[0].gradient([y, z], x).numpy() == 6


def test_a_generator_that_is_dropped_takes_its_tape_off():
    v = tf.Variable(3.0)
    tapes = []
    generator = recording_generator(tapes)
    next(generator)
    del generator
    v * v  # not to be recorded
    assert tapes[0].watched_variables() == ()


def test_a_generator_that_ends_on_another_thread_takes_its_tape_off_here(x):
    tapes = []
    generator = recording_generator(tapes)
    next(generator)
    tapes[0].watch(x)
    y = x * x
    on_another_thread(generator.close)
    z = y * x
    assert tapes[0].gradient([y, z], x).numpy() == 6


def test_a_plan_that_another_thread_is_extending_is_not_taken():
    begun, go_on = threading.Event(), threading.Event()

    class Slow(Shared):
        __slots__ = ()

        def extend(self, base):
            begun.set()
            go_on.wait(10)
            super().extend(base)

    plan = Mul.plan_for([0], [np.float32(3.0), np.float32(3.0)], np.float32(9.0))
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(plan.variant, Slow)
        begun.wait(10)
        second = pool.submit(lambda: plan.variant(Slow).keep)
        go_on.wait(0.2)  # long enough to take what is not complete
        go_on.set()
        assert second.result() is plan.keep
        assert first.result() is plan.variant(Slow)
