"""Memory: values that are kept, and when they are freed."""

import contextlib
import gc
import subprocess
import sys
import tracemalloc
import weakref

import numpy as np
import pytest

import cinta as tf

N = 250_000
"""The elements of a large array; it has a megabyte."""

MB = 4 * N


@pytest.fixture(autouse=True)
def without_the_collector():
    """All must be freed by reference counts alone."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@contextlib.contextmanager
def allocating(at_least, at_most):
    """Check how many bytes are in use at the worst moment in the block, beyond those before it.

    The least are those that the block cannot do without: they show that they are counted at all.
    """
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert at_least <= peak <= at_most, f"{peak / MB:.2f} MB"


def in_use():
    return tracemalloc.get_traced_memory()[0]


def large():
    return tf.constant(np.ones(N, np.float32))


def array_of(x):
    """A weak reference to the array that a tensor shows."""
    return weakref.ref(x._array)


# -- reference counts suffice ----------------------------------------------------------------------


def everything():
    """One of each: nested tapes, variables, custom gradients, slices, errors, functions."""
    x, v = tf.constant([1.0, 2.0]), tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(x)
            y = tf.recompute_grad(lambda x: x * v)(x)
            z = tf.custom_gradient(lambda y: (y * 1.0, lambda g: g * y))(y)
            w = tf.reduce_sum(tf.gather(v, [1, 1]) * z)
        d = inner.gradient(w, [x, v])
        inner.jacobian(z, x)
    outer.gradient(d[0], x)
    tf.grad(tf.grad(lambda x: x * x * x))(2.0)
    with contextlib.suppress(TypeError), tf.GradientTape() as tape:
        tape.watch(x)
        tape.gradient(x * x, None)
    with tf.GradientTape() as tape:
        with tape.stop_recording():
            pass
        tape.reset()
        y = v * v


def test_no_reference_cycles_are_made():
    """In a process of its own: elsewhere, caches drop what other tests have left there."""
    program = "from tests.test_memory import check_cycles; check_cycles()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def check_cycles():
    everything()  # caches are filled
    gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        everything()
        gc.collect()
        left = [x for x in gc.garbage if type(x).__module__.startswith("cinta")]
        arrays = [x for x in gc.garbage if isinstance(x, np.ndarray)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
    assert left == []
    assert arrays == []


def test_a_step_frees_everything():
    x = tf.Variable(tf.ones([10]))
    with tf.GradientTape() as tape:
        y = tf.exp(x)
        z = y * y
    intermediate = array_of(y)
    tape_reference = weakref.ref(tape)
    tape.gradient(z, x)
    del y, z, tape
    assert intermediate() is None
    assert tape_reference() is None


# -- values that a recording keeps -----------------------------------------------------------------


def test_a_value_that_nobody_needs_is_freed_while_the_tape_is_on():
    x = large()
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x + 1.0
        array = array_of(y)
        z = y * 2.0
        del y
        assert array() is None
    assert tape.gradient(z, x).numpy()[0] == 2


def test_a_value_that_a_rule_needs_is_kept():
    x = large()
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.exp(x)
        array = array_of(y)
        del y
        assert array() is not None
    del tape
    assert array() is None


def test_relu_keeps_its_result_and_not_its_input():
    x = large()
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 2.0
        array = array_of(y)
        z = tf.nn.relu(y)
        del y
        assert array() is None
    assert tape.gradient(z, x).numpy()[0] == 2


def test_only_what_leads_to_a_source_is_kept():
    x, constant = large(), large()
    with tf.GradientTape() as tape:
        tape.watch(x)
        factor = tf.exp(constant)
        y = x * factor
        array = array_of(y)
        z = y * 3.0
        del y
        assert array() is None
    assert tape.gradient(z, x) is not None


def test_an_untracked_computation_keeps_nothing():
    with tf.GradientTape(), allocating(2 * MB, 2.2 * MB):
        x = large()
        for _ in range(5):
            x = x * 1.5


def test_deleting_the_tape_frees_the_recording_while_its_results_live():
    x = large()
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.exp(x)
        array = array_of(y)
        z = tf.reduce_sum(y)
    del y
    assert array() is not None
    del tape
    assert array() is None
    assert z.numpy() > 0


def test_reset_frees_the_recording():
    x = large()
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.exp(x)
        array = array_of(y)
        z = tf.reduce_sum(y)
        del y
        assert array() is not None
        tape.reset()
        assert array() is None
    assert z.numpy() > 0


def test_the_gradient_frees_the_recording():
    x = large()
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.exp(x)
        array = array_of(y)
        z = tf.reduce_sum(y)
    del y
    tape.gradient(z, x)
    assert array() is None


def test_a_persistent_tape_keeps_the_recording():
    x = large()
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.exp(x)
        array = array_of(y)
        z = tf.reduce_sum(y)
    del y
    tape.gradient(z, x)
    assert array() is not None
    del tape
    assert array() is None


def test_an_error_in_the_context_frees_everything():
    x = large()
    arrays = []

    def refuses():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.exp(x)
            arrays.append(array_of(y))
            raise KeyError

    with contextlib.suppress(KeyError):
        refuses()
    assert arrays[0]() is None


def test_an_error_in_the_gradient_frees_what_is_used_up():
    x = large()

    def grad(upstream):
        raise KeyError

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.custom_gradient(lambda x: (x * 1.0, grad))(x)
        z = tf.exp(y)
        array = array_of(z)
    with contextlib.suppress(KeyError):
        tape.gradient(z, x)
    del y, z
    assert array() is None


def test_a_tensor_outlives_the_tapes_that_watched_it():
    x = tf.constant(3.0)
    for _ in range(100):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
        assert tape.gradient(y, x).numpy() == 6
    recorder = weakref.ref(tape)
    del tape
    assert recorder() is None


# -- peaks -----------------------------------------------------------------------------------------


def test_records_are_freed_while_they_are_used():
    """Going backward needs no more than going forward left: each step frees one array."""
    x = large()
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(20):
            y = tf.exp(y * 0.1)
        loss = tf.reduce_sum(y)
        del y
    with allocating(2 * MB, 5.2 * MB):
        tape.gradient(loss, x)


def test_gradients_are_dropped_when_they_are_spent():
    """A chain of sums keeps nothing, so a long one needs no more memory than a short one."""
    x = large()
    with allocating(2 * MB, 4.2 * MB):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(50):
                y = y + 1.0
        tape.gradient(y, x)


def test_contributions_are_added_in_place():
    x = large()
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 1.0
        loss = tf.reduce_sum(tf.stack([tf.reduce_sum(y * 2.0) for _ in range(20)]))
        del y
    with allocating(3 * MB, 4.2 * MB):
        tape.gradient(loss, x)


def test_the_gradient_of_a_lookup_never_allocates_the_table():
    rows, columns, batch = 100_000, 64, 256
    table = tf.Variable(tf.zeros([rows, columns]))
    indices = tf.constant(np.arange(batch) * 7)
    table.assign_add(tf.ones([rows, columns]))

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(table, indices) ** 2)
        g = tape.gradient(loss, table)
        table.scatter_sub(tf.IndexedSlices(0.25 * g.values, g.indices, g.dense_shape))

    step()  # modules that load at first use do not count
    looked_up = batch * columns * 4
    with allocating(3 * looked_up, 20 * looked_up):
        step()
    assert table.numpy()[[0, 1, 7]].tolist() == [[0.25] * columns, [1] * columns, [0.25] * columns]


def test_recompute_grad_needs_less_memory():
    def block(x):
        for _ in range(10):
            x = tf.exp(x * 0.1)
        return x

    def peak(block):
        x = large()
        tracemalloc.start()
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(10):
                y = block(y)
        tape.gradient(y, x)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    usual, recomputed = peak(block), peak(tf.recompute_grad(block))
    assert usual > 100 * MB
    assert recomputed < 30 * MB


def test_updates_are_done_in_place():
    v, delta = tf.Variable(large()), large()
    v.assign_add(delta)
    with allocating(200, 0.1 * MB):
        for _ in range(3):
            v.assign_sub(delta)
    held = tf.convert_to_tensor(v)
    with allocating(MB, 1.1 * MB):
        v.assign_sub(delta)
    assert held.numpy()[0] == -1


def test_memory_is_flat_over_thousands_of_steps():
    v = tf.Variable([1.0, 2.0])

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * v)
        v.assign_sub(0.01 * tape.gradient(loss, v))

    for _ in range(10):
        step()
    tracemalloc.start()
    try:
        step()
        before = in_use()
        for _ in range(3_000):
            step()
        grown = in_use() - before
    finally:
        tracemalloc.stop()
    assert grown < 15_000  # a leak of one object per step would be ten times more


def test_a_persistent_tape_that_stays_on_grows_only_by_what_it_records():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        tracemalloc.start()
        try:
            with tape.stop_recording():
                tape.gradient(y, x)
                before = in_use()
                for _ in range(1000):
                    tape.gradient(y, x)
                grown = in_use() - before
        finally:
            tracemalloc.stop()
    assert grown < 50_000  # a leak of one object per step would be ten times more
