"""Functions that assign, on several threads: nothing is lost, and nobody waits for ever."""

import sys
import threading
from contextlib import suppress

import numpy as np
import pytest
from test_threads import at_once

import cinta as tf

THREADS, CALLS = 8, 40


@pytest.fixture(autouse=True)
def fast_switching():
    """Threads that give way to each other as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


class Stop(Exception): ...


def calls(f, of=lambda i, k: ()):
    """Call a function on all threads, and return what it raised."""

    def call(i):
        raised = 0
        for k in range(CALLS):
            try:
                f(*of(i, k))
            except Stop:
                raised += 1
        return raised

    return sum(at_once(call, THREADS))


UPDATES = {
    "assign_add": lambda v: v.assign_add([1.0, 1.0]),
    "assign_sub": lambda v: v.assign_sub([-1.0, -1.0]),
    "without a result": lambda v: v.assign_add([1.0, 1.0], read_value=False),
    "scatter_add": lambda v: v.scatter_add(tf.IndexedSlices([1.0, 1.0], [0, 1])),
    "scatter_sub": lambda v: v.scatter_sub(tf.IndexedSlices([-1.0, -1.0], [0, 1])),
    "scatter_nd_add": lambda v: v.scatter_nd_add([[0], [1]], [1.0, 1.0]),
    "scatter_nd_sub": lambda v: v.scatter_nd_sub([[0], [1]], [-1.0, -1.0]),
    "rows": lambda v: v.assign_add(tf.IndexedSlices([1.0, 1.0], [0, 1])),
}


@pytest.mark.parametrize("update", UPDATES.values(), ids=UPDATES)
def test_no_update_is_lost(update):
    v = tf.Variable([0.0, 0.0])
    calls(lambda: update(v))
    assert v.numpy().tolist() == [THREADS * CALLS] * 2


def test_no_update_in_place_is_lost():
    v = tf.Variable(np.zeros(4096, np.float32))
    one = tf.ones(4096)
    calls(lambda: v.assign_add(one))
    assert np.all(v.numpy() == THREADS * CALLS)


def test_parts_are_assigned_by_several_threads():
    v = tf.Variable(np.zeros(THREADS))
    calls(lambda i, k: v[i].assign(float(k)), lambda i, k: (i, k))
    assert np.all(v.numpy() == CALLS - 1)


BODIES = UPDATES | {"read and assigned": lambda v: v.assign(v + 1.0)}


@pytest.mark.parametrize("compiled", [False, True], ids=["numpy", "xla"])
@pytest.mark.parametrize("update", BODIES.values(), ids=BODIES)
def test_no_update_by_a_function_is_lost(update, compiled):
    if compiled:
        pytest.importorskip("jax")
    v = tf.Variable([0.0, 0.0])
    calls(tf.function(lambda: update(v), jit_compile=compiled))
    assert v.numpy().tolist() == [THREADS * CALLS] * 2


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_no_update_by_a_function_that_runs_as_python_is_lost():
    v, log = tf.Variable(0.0), []

    @tf.function
    def f():
        log.append(0)
        v.assign(v + 1.0)
        return v

    calls(f)
    assert f.report().python_calls > THREADS
    assert v.numpy() == THREADS * CALLS


def test_eager_and_replayed_updates_mix():
    v = tf.Variable(0.0)
    f = tf.function(lambda: v.assign(v + 1.0))
    calls(lambda i, k: f() if i % 2 else v.assign_add(1.0), lambda i, k: (i, k))
    assert v.numpy() == THREADS * CALLS


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
@pytest.mark.parametrize("how", ["replayed", "python"])
def test_no_update_is_lost_where_another_thread_raises(how):
    v, log = tf.Variable(0.0), []

    @tf.function
    def f(x):
        v.assign(v + 1.0)
        if how == "python":
            log.append(0)
        if x > 0:
            raise Stop
        return v + x

    raised = calls(f, lambda i, k: (tf.constant(1.0 if (i + k) % 3 == 0 else 0.0),))
    assert raised > THREADS
    assert v.numpy() == THREADS * CALLS - raised


def test_functions_that_take_variables_in_other_orders():
    one, other = tf.Variable(0.0), tf.Variable(0.0)

    @tf.function
    def there():
        one.assign(one + 1.0)
        other.assign(other + one * 0.0 + 1.0)

    @tf.function
    def back():
        other.assign(other + 1.0)
        one.assign(one + other * 0.0 + 1.0)

    calls(lambda i, k: there() if i % 2 else back(), lambda i, k: (i, k))
    assert one.numpy() == other.numpy() == THREADS * CALLS


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_python_that_takes_variables_in_other_orders():
    """Both first calls hold one variable when they come to the other."""
    one, other = tf.Variable(0.0), tf.Variable(0.0)
    meet = threading.Barrier(2)

    def add(first, second):
        first.assign_add(1.0)
        with suppress(threading.BrokenBarrierError):
            meet.wait(0.2)
        second.assign_add(1.0)

    functions = [tf.function(lambda: add(one, other)), tf.function(lambda: add(other, one))]
    at_once(lambda i: functions[i](), 2)
    assert one.numpy() == other.numpy() == 2


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_python_that_catches_everything_is_run_again_too():
    one, other = tf.Variable(0.0), tf.Variable(0.0)
    meet = threading.Barrier(2)

    def add(first, second):
        first.assign_add(1.0)
        with suppress(threading.BrokenBarrierError):
            meet.wait(0.2)
        with suppress(BaseException):
            second.assign_add(1.0)

    functions = [tf.function(lambda: add(one, other)), tf.function(lambda: add(other, one))]
    at_once(lambda i: functions[i](), 2)
    assert one.numpy() == other.numpy() == 2


def test_functions_that_call_functions():
    variables = [tf.Variable(0.0) for _ in range(4)]
    inner = [tf.function(lambda v=v: v.assign(v + 1.0)) for v in variables]

    def outer(order):
        def call():
            for k in order:
                inner[k]()

        return tf.function(call)

    functions = [outer(order) for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3])]
    calls(lambda i, k: functions[i % 4](), lambda i, k: (i, k))
    each = THREADS * CALLS / 4
    assert [v.numpy() for v in variables] == [3 * each, 4 * each, 3 * each, 4 * each]


def test_generators_are_shared():
    g = tf.random.Generator.from_seed(1)
    f = tf.function(lambda: g.uniform_full_int([1], tf.int64))
    drawn = [x for found in at_once(lambda i: [int(f()[0]) for _ in range(CALLS)]) for x in found]
    drawn += [int(g.uniform_full_int([1], tf.int64)[0])]
    assert len({*drawn}) == len(drawn)


def test_what_was_read_does_not_change_while_another_thread_updates():
    v = tf.Variable(np.zeros(4096, np.float32))
    one, done = tf.ones(4096), threading.Event()

    def update():
        for _ in range(500):
            v.assign_add(one)
            v.scatter_add(tf.IndexedSlices(tf.ones([1]), tf.constant([0])))
        done.set()

    thread = threading.Thread(target=update)
    thread.start()
    torn = 0
    while not done.is_set():
        read = v.read_value()
        first = read.numpy()
        torn += not np.array_equal(first, read.numpy()) or not np.all(first[1:] == first[1])
    thread.join()
    assert torn == 0
