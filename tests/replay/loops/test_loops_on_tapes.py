"""Tapes inside of recorded functions, around loops: a few recordings for any count."""

import subprocess
import sys

import numpy as np
import pytest

import cinta as tf
from tests.replay.loops.test_loops_over_ranges import COUNTS, check_any_count, compare_gradients

SCALE = tf.Variable(0.7)
WEIGHTS = tf.Variable([[0.3, 0.1, 0.0], [0.2, -0.4, 0.5], [0.1, 0.6, -0.2]])


def by_an_argument(n, x, y):
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = x
        for _ in tf.range(n):
            z = tf.sin(z) * y + x
    return tape.gradient(z, x)


def by_a_variable(n, x, y):
    i = n * 0
    with tf.GradientTape() as tape:
        while i < n:
            x = x * SCALE + tf.cos(x)
            i += 1
        loss = tf.reduce_sum(x * y * SCALE)
    return loss, tape.gradient(loss, SCALE)


def until_a_value(n, x, y):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        size = tf.reduce_sum(x * x) + 0.1
        while size < tf.cast(n, tf.float32):
            size = size * 1.5 + tf.reduce_sum(y * y)
        loss = tf.sin(size)
    return tape.gradient(loss, [x, y], unconnected_gradients="zero"), tape.gradient(size, x)


def of_second_order(n, x, y):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            z = x
            for _ in tf.range(n):
                z = tf.sin(z) * x
        slope = inner.gradient(z, x)
    return slope, outer.gradient(slope, x, unconnected_gradients="zero")


def loss_and_slope(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = function(x)
    return loss, tape.gradient(loss, x)


def in_a_helper(n, x, y):
    def repeated(x):
        for _ in tf.range(n):
            x = tf.tanh(x) * 1.2 + y
        return tf.reduce_sum(x)

    return loss_and_slope(repeated, x)


def of_a_sum(n, x, y):
    """The gradient is the same in all turns and not recorded, but differs between counts."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = x
        for _ in tf.range(n):
            z = z + x
    return tape.gradient(z, x)


def before_another_loop(n, x, y):
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = x
        for _ in tf.range(n):
            z = tf.sin(z) * y
    slope = tape.gradient(z, x)
    for _ in tf.range(n):
        slope = slope * 0.5 + y
    return slope


def through_states(n, x, y):
    state = tf.zeros([1, 3])
    with tf.GradientTape() as tape:
        for _ in tf.range(n):
            state = tf.tanh(state @ WEIGHTS + x)
        loss = tf.reduce_sum(state * y)
    return tape.gradient(loss, WEIGHTS, unconnected_gradients="zero")


def with_seeds(n, x, y):
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = tf.stack([x, x * x])
        for _ in tf.range(n):
            z = tf.sin(z) * y
    return tape.gradient(z, x, output_gradients=tf.stack([y, x]))


def with_a_rest(n, x, y):
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = x
        for _ in tf.range(n):
            z = tf.sin(z) * y
        with tape.stop_recording():
            scale = tf.abs(z)
            for _ in tf.range(n):
                scale = scale * 0.9
        z = z * scale
    return tape.gradient(z, x)


def with_a_tape_in_each_turn(n, x, y):
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = x
        for _ in tf.range(n):
            with tf.GradientTape() as inner:
                inner.watch(z)
                energy = tf.reduce_sum(tf.sin(z) * y)
            z = z - 0.3 * inner.gradient(energy, z)
    return tape.gradient(z, x)


def with_an_update(n, x, y):
    with tf.GradientTape() as tape:
        for _ in tf.range(n):
            x = x * SCALE + y
        loss = tf.reduce_sum(x * SCALE)
    slope = tape.gradient(loss, SCALE)
    SCALE.assign_sub(0.0 * slope)
    return slope


def with_branches(n, x, y):
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = x
        for i in tf.range(n):
            if i % 3 == 2:
                continue
            z = tf.sin(z) if tf.reduce_sum(z) > 0.5 else z * x
    return tape.gradient(z, x)


WITHOUT_VARIABLES = [
    by_an_argument,
    until_a_value,
    of_second_order,
    in_a_helper,
    of_a_sum,
    before_another_loop,
    with_seeds,
    with_a_rest,
    with_a_tape_in_each_turn,
    with_branches,
]
FUNCTIONS = [*WITHOUT_VARIABLES, by_a_variable, through_states, with_an_update]


@pytest.mark.parametrize("jit_compile", [False, True], ids=["numpy", "xla"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_few_recordings_serve_any_count(function, jit_compile):
    check_any_count(
        function, jit_compile, 6, close=True
    )  # sums over turns may be rounded otherwise


@pytest.mark.parametrize("function", WITHOUT_VARIABLES, ids=lambda f: f.__name__)
def test_a_tape_around_the_call_sees_the_same(function):
    compare_gradients(function, tf.function(function))


def check(function, *cases):
    """A recorded function gives what its Python gives, in the order of these calls."""
    compiled = tf.function(function)
    for case in cases * 2:
        given = [tf.constant(x) for x in case]
        pairs = zip(
            tf.nest.flatten(function(*given)), tf.nest.flatten(compiled(*given)), strict=True
        )
        for one, other in pairs:
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_allclose(other, one, rtol=1e-5)
    return compiled


AT_COUNTS = [(3, 2.0), (4, 2.0), (0, 2.0), (1, 0.5), (2, 1.0), (0, 1.0)]


def test_the_gradient_by_what_the_last_turn_has_made():
    """It is used in that turn; without a turn, it is the argument, which is used before."""

    def function(n, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = x * 3.0
            for _ in tf.range(n):
                x = tf.sin(x)
                total = total + 2.0 * x
        return tape.gradient(total, x)

    check(function, *AT_COUNTS)


def test_a_value_from_before_the_tape_is_a_constant_for_it():
    def function(n, x):
        before = SCALE.read_value()
        with tf.GradientTape() as tape:
            for _ in tf.range(n):
                x = x * before + SCALE
        return tape.gradient(x, SCALE)

    check(function, *AT_COUNTS)


def test_other_looks_at_a_tape():
    def the_variables(n, x):
        with tf.GradientTape() as tape:
            for _ in tf.range(n):
                x = x * SCALE
        return tape.gradient(x, SCALE), tf.constant(len(tape.watched_variables()))

    def a_jacobian(n, x):
        x = tf.stack([x, 1.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            z = x
            for _ in tf.range(n):
                z = tf.sin(z) * x
        return tape.jacobian(z, x)

    check(the_variables, *AT_COUNTS)
    check(a_jacobian, *AT_COUNTS)


def test_a_reset_in_between():
    def function(n, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            for _ in tf.range(n):
                x = tf.sin(x)
            tape.reset()
            tape.watch(x)
            z = x * x
        return tape.gradient(z, x)

    check(function, *AT_COUNTS)


def test_a_manager_that_takes_the_place_of_a_tape():
    """A ``with`` in a loop enters a tape first, then something of which nothing is known."""

    class Doubling:
        def __enter__(self):
            return self

        def __exit__(self, *error):
            self.scale = 2.0

    def function(n, x):
        tape, doubling = tf.GradientTape(), Doubling()
        found = []
        for manager in (tape, doubling):
            with manager:
                if manager is tape:
                    tape.watch(x)
                z = x
                for _ in tf.range(n):
                    z = tf.sin(z) * x
            found.append(z)
        return tape.gradient(found[0], x) * doubling.scale

    check(function, *AT_COUNTS)


def test_errors_within_a_tape():
    def function(n, x):
        z = x
        try:
            with tf.GradientTape() as tape:
                tape.watch(x)
                for _ in tf.range(n):
                    z = tf.sin(z) * x
                if n > 2:
                    raise KeyError
        except KeyError:
            return z
        return tape.gradient(z, x)

    check(function, *AT_COUNTS)


def test_random_numbers_beside_a_loop_on_a_tape():
    def program(n, x):
        noise = tf.random.normal([], seed=3)
        with tf.GradientTape() as tape:
            tape.watch(x)
            z = x * noise
            for _ in tf.range(n):
                z = tf.sin(z) + x
        return noise, tape.gradient(z, x)

    found = []
    for run in (program, tf.function(program)):
        tf.random.set_seed(4)
        found.append([[float(v) for v in run(tf.constant(n), tf.constant(0.5))] for n in COUNTS])
    np.testing.assert_allclose(found[1], found[0], rtol=1e-5)


@pytest.mark.parametrize("manager", [lambda: tf.name_scope("a"), lambda: tf.device("/CPU:0")])
def test_loops_in_blocks_of_other_managers(manager):
    def function(n, x):
        with manager():
            for _ in tf.range(n):
                x = tf.sin(x) + 0.1
            with tf.control_dependencies([x]):
                while x < 3.0:
                    x = x * 1.5
        return x

    assert check(function, *AT_COUNTS).report().recordings <= 4


def test_a_large_captured_array_that_changes():
    data = np.ones(20_000, np.float32)

    @tf.function
    def function(n, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            z = x * data
            for _ in tf.range(n):
                z = tf.sin(z) * x
        return tape.gradient(z, x)

    for n in COUNTS:
        data += 0.1
        found = function(tf.constant(n), tf.constant(2.0))
        np.testing.assert_allclose(
            found, function.python_function(tf.constant(n), tf.constant(2.0)), rtol=1e-5
        )
    assert function.report().recordings <= 5


ON_ANOTHER_DEVICE = """
import cinta as tf

(cpu,) = tf.config.list_physical_devices("CPU")
two = [tf.config.LogicalDeviceConfiguration()] * 2
tf.config.set_logical_device_configuration(cpu, two)

@tf.function
def function(n, x):
    with tf.device("/CPU:1"):
        for _ in tf.range(n):
            x = tf.sin(x) + 0.1
    return x

for n in range(8):
    function(tf.constant(n), tf.constant(2.0))
print(function.report().recordings)
"""


def test_loops_on_a_device_that_is_not_the_first():
    command = [sys.executable, "-c", ON_ANOTHER_DEVICE]
    assert int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) <= 4
