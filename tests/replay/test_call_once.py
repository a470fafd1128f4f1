"""Functions of Python's world in recordings: called once in a call, whatever the guards say."""

import numpy as np
import pytest

import cinta as tf

f32 = tf.float32
engines = pytest.mark.parametrize("xla", [False, True], ids=["numpy", "xla"])
kinds = pytest.mark.parametrize("kind", [tf.py_function, tf.numpy_function])


class Counter:
    """A call that may happen once only: it counts its calls, and tells the numbers."""

    def __init__(self):
        self.seen = []

    def __call__(self, x):
        self.seen.append(float(x))
        return np.float32(x + len(self.seen))


@engines
@kinds
def test_a_guard_that_does_not_hold_calls_nothing_again(kind, xla):
    count = Counter()

    @tf.function(jit_compile=xla)
    def f(x):
        y = kind(lambda a: count(a), [x], f32)
        return y * 10 if y > 3 else y

    found = [f(tf.constant(x)).numpy() for x in (0.0, 0.0, 5.0, 5.0, -9.0, 5.0)]
    assert found == [1, 2, 80, 90, -4, 110]
    assert count.seen == [0, 0, 5, 5, -9, 5]


@engines
def test_a_loop_takes_as_many_steps_of_the_world_as_the_python_says(xla):
    state = [0]

    def step(by):
        state[0] += int(by)
        return np.int32(state[0]), np.bool_(state[0] >= 7)

    @tf.function(jit_compile=xla)
    def play(by):
        total = tf.constant(0)
        done = tf.constant(False)
        while not done:
            place, done = tf.numpy_function(step, [by], [tf.int32, tf.bool])
            total += place
        return total

    for by in (1, 1, 2, 3, 1, 2):
        state[0] = 0
        places = np.cumsum(np.full(-(-7 // by), by))
        assert play(tf.constant(by)).numpy() == places.sum()
        assert state[0] == places[-1]


@engines
def test_several_functions_give_what_they_gave_in_their_order(xla):
    log = []
    note = log.append

    @tf.function(jit_compile=xla)
    def f(x):
        a = tf.py_function(lambda v: note("a") or v + 1, [x], f32)
        b = tf.numpy_function(lambda v: note("b") or v * 2, [a], f32)
        if b > 4:
            b += tf.py_function(lambda v: note("c") or v, [b], f32)
        if b > 20:
            b += tf.py_function(lambda v: note("d") or v, [b], f32)
        return b

    for x, expected, names in [(0.0, 2, "ab"), (3.0, 16, "abc"), (9.0, 80, "abcd"), (1.0, 4, "ab")]:
        for _ in range(2):
            log.clear()
            assert f(tf.constant(x)).numpy() == expected
            assert "".join(log) == names


def test_a_function_that_raises_is_not_called_again_when_the_error_is_caught():
    calls = []

    def picky(x):
        calls.append(float(x))
        if x < 0:
            raise ValueError("below 0")
        return x

    @tf.function
    def f(x):
        try:
            return tf.py_function(picky, [x], f32)
        except tf.errors.InvalidArgumentError:
            return tf.constant(-1.0)

    assert [f(tf.constant(x)).numpy() for x in (1.0, 2.0, -3.0, 4.0)] == [1, 2, -1, 4]
    assert calls == [1, 2, -3, 4]


def test_functions_that_run_as_python_after_a_guard_get_what_was_given(tmp_path):
    path = str(tmp_path / "seen")
    count = Counter()
    inner = tf.function(lambda x: tf.py_function(lambda a: count(a), [x], f32))

    @tf.function
    def f(x):
        y = inner(x)
        if y > 3:
            tf.io.write_file(path, "seen")  # cannot be replayed
            y += 4
        return y

    with pytest.warns(UserWarning, match="it writes a file"):
        found = [f(tf.constant(x)).numpy() for x in (0.0, 0.0, 5.0, 5.0, -9.0, 5.0)]
    assert found == [1, 2, 12, 13, -4, 15]
    assert count.seen == [0, 0, 5, 5, -9, 5]


def gradients(f, x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = f(x)
        dx = tape.gradient(y, x)
    return [dx.numpy(), tape.jacobian(y, x).numpy(), outer.jacobian(dx, x).numpy()]


@engines
def test_derivatives_go_through_a_function_that_is_called_in_a_replay(xla):
    def function(x):
        return x * tf.py_function(lambda a: a**3, [x], f32)

    replayed = tf.function(function, jit_compile=xla)
    for x in ([2.0, 3.0], [1.0, -1.0], [0.5, 0.0]):
        x = tf.constant(x)
        for found, expected in zip(gradients(replayed, x), gradients(function, x), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_a_gradient_does_not_call_the_function_again():
    calls = []
    f = tf.function(lambda x: tf.py_function(lambda a: calls.append(1) or a * a, [x], f32))
    for k in (1.0, 2.0, 3.0):
        x = tf.Variable(k)
        with tf.GradientTape() as tape:
            y = f(x)
        assert tape.gradient(y, x).numpy() == 2 * k
    assert len(calls) == 3


def test_a_gradient_in_a_function_does_not_call_it_again():
    calls = []

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.py_function(lambda a: calls.append(1) or a * a, [x], f32)
        return tape.gradient(y, x)

    assert [slope(tf.constant(k)).numpy() for k in (1.0, 2.0, 3.0)] == [2, 4, 6]
    assert len(calls) == 3


def test_complex_gradients_are_the_same_in_a_function():
    def function(x):
        return tf.py_function(lambda a: a * a, [x], tf.complex64)

    replayed, x = tf.function(function), tf.constant(1 + 2j, tf.complex64)
    found = []
    for f in (function, replayed, replayed):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        found.append(tape.gradient(y, x).numpy())
    assert found[0] == found[1] == found[2]


def test_functions_in_functions_are_called_once_too():
    calls = []
    note = calls.append

    def inside(x):
        note("inside")
        return x * 2

    def around(x):
        note("around")
        return tf.numpy_function(inside, [x], f32) + 1.0

    @tf.function
    def f(x):
        y = tf.py_function(around, [x], f32)
        return y * 2 if y > 0 else y * 3

    for x, expected in ((1.0, 6), (1.0, 6), (-1.0, -3)):
        calls.clear()
        assert f(tf.constant(x)).numpy() == expected
        assert calls == ["around", "inside"]


def test_random_numbers_of_functions_are_drawn_once():
    def function(x):
        drawn = tf.py_function(lambda q: q + tf.random.uniform([]), [x], f32)
        sign = 1.0 if x > 0 else -1.0
        return tf.stack([drawn - x, sign * tf.random.uniform([])])

    f, of_a_function = tf.function(function), tf.function(lambda: tf.random.uniform([]))
    tf.random.set_seed(1)
    found = [f(tf.constant(x)).numpy() for x in (1.0, 1.0, -1.0, 1.0)]
    tf.random.set_seed(1)
    signs = (1.0, 1.0, -1.0, 1.0)
    expected = [[tf.random.uniform([]).numpy(), sign * of_a_function().numpy()] for sign in signs]
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_python_functions_may_print_and_draw():
    y = tf.py_function(lambda x: x + 0 * tf.random.uniform([]), [tf.constant(1.0)], f32)
    assert y.numpy() == 1
