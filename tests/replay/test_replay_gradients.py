"""Functions that were recorded: the gradients of replays are those of Python."""

import numpy as np
import pytest

import cinta as tf
from tests.replaying import by_each, recordings


@pytest.fixture
def w():
    return tf.Variable([[1.0, 2.0], [3.0, 4.0]])


def test_custom_gradients_see_the_values_of_their_own_call():
    @tf.custom_gradient
    def f(x):
        e = tf.exp(x)
        return e, lambda upstream: upstream * e * x

    replayed = tf.function(lambda x: f(x) * 2.0)
    for k in (1.0, 2.0, 3.0):
        by_python, by_replay = by_each([lambda x: f(x) * 2.0, replayed], tf.constant(k))
        np.testing.assert_allclose(by_replay, by_python, rtol=1e-6)


def test_gradient_functions_may_have_state():
    v, x = tf.Variable(0.0), tf.constant(1.0)

    @tf.custom_gradient
    def noted(x):
        def grad(upstream):
            v.assign_add(upstream)
            return upstream

        return x * 1.0, grad

    f = tf.function(lambda x: noted(x))
    for k in (1.0, 2.0, 5.0):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x) * k
        tape.gradient(y, x)
    assert v.numpy() == 8


def test_jacobians_and_forward_mode_go_through(w):
    def function(x):
        return tf.tanh(x @ w)

    x = tf.constant([[0.5, -0.25]])
    replayed = tf.function(function)
    replayed(x)
    for derive in (tf.jacobian, tf.hessian):
        of = (lambda f: lambda x: tf.reduce_sum(f(x))) if derive is tf.hessian else (lambda f: f)
        np.testing.assert_allclose(
            derive(of(replayed))(x).numpy(), derive(of(function))(x).numpy(), rtol=1e-5, atol=1e-6
        )
    found = []
    for f in (function, replayed):
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as forward:
            y = f(x)
        found.append(forward.jvp(y).numpy())
    np.testing.assert_allclose(*found, rtol=1e-6)


def test_a_gradient_is_none_where_python_gives_none(w):
    v = tf.Variable(1.0)
    f = tf.function(lambda x: (tf.reduce_sum(x * w), v * 1.0, tf.round(x)))
    x = tf.constant([1.0, 2.0])
    for _ in range(3):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            by_w, by_v, rounded = f(x)
        assert tape.gradient(by_w, v) is None
        assert tape.gradient(by_v, [w, x]) == [None, None]
        assert tape.gradient(rounded, x) is None
        assert tape.gradient(by_w, x).numpy().tolist() == [4.0, 6.0]


def test_rows_of_a_table_stay_rows(w):
    f = tf.function(lambda i: tf.gather(w, i) ** 2)
    for indices in ([0, 0], [1, 0], [1, 1]):
        with tf.GradientTape() as tape:
            y = f(tf.constant(indices))
        gradient = tape.gradient(y, w)
        assert isinstance(gradient, tf.IndexedSlices)
        assert gradient.indices.numpy().tolist() == indices


def test_one_tensor_may_be_several_arguments():
    def slope(a, b):
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = a * a * b
        return tape.gradient(y, a)

    replayed, x = tf.function(slope), tf.constant(2.0)
    for given in [(x, tf.constant(7.0)), (x, x), (x, tf.constant(5.0)), (x, x)]:
        assert replayed(*given).numpy() == slope(*given).numpy()
    cube = tf.function(lambda a, b: a * a * b)
    for _ in range(3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = cube(x, x)
        assert tape.gradient(y, x).numpy() == 12


def test_second_order_uses_the_random_numbers_of_the_call():
    f = tf.function(lambda x: x**3 * tf.random.normal([], seed=1))
    x = tf.constant(1.0)
    for _ in range(3):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            slope = tape.gradient(y, x)
        np.testing.assert_allclose(slope.numpy(), 3 * y.numpy(), rtol=1e-6)
        np.testing.assert_allclose(outer.gradient(slope, x).numpy(), 6 * y.numpy(), rtol=1e-6)


def test_second_order_by_a_variable_that_is_read_again():
    v, x = tf.Variable(2.0), tf.constant(1.0)

    @tf.function
    def f(x):
        y = x * v
        v.assign_add(1.0)
        return y * v

    for _ in range(3):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as tape:
                y = f(x)
            slope = tape.gradient(y, v)
        assert outer.gradient(slope, v).numpy() == 2


def test_captured_tensors_that_are_watched_have_gradients():
    c = tf.constant(3.0)
    f = tf.function(lambda x: x * c)
    for _ in range(3):
        with tf.GradientTape() as tape:
            tape.watch(c)
            y = f(tf.constant(2.0))
        assert tape.gradient(y, c).numpy() == 2


@pytest.mark.filterwarnings("ignore:.*runs its Python at every call")
def test_a_tape_from_outside_may_be_used_inside():
    x = tf.constant(2.0)
    f = tf.function(lambda x, tape: (tape.watch(x), x * x)[1])
    for _ in range(2):
        with tf.GradientTape() as tape:
            y = f(x, tape)
        assert tape.gradient(y, x).numpy() == 4


def test_init_scope_and_recompute_grad_follow_the_arguments():
    def scoped(x):
        with tf.init_scope():
            z = x * 2.0
        return z + 1.0

    square = tf.recompute_grad(lambda x: x * x)
    f, g = tf.function(scoped), tf.function(lambda x: square(x))
    assert [float(f(tf.constant(k))) for k in (1.0, 2.0, 3.0)] == [3, 5, 7]
    for k in (1.0, 2.0, 3.0):
        x = tf.constant(k)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = g(x)
        assert [float(y), float(tape.gradient(y, x))] == [k * k, 2 * k]


def test_places_of_the_steps_of_gradients():
    @tf.custom_gradient
    def cubed(x):
        def backward(g):
            return 3.0 * g * x * x

        return x**3, backward

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(cubed(tf.sin(x)))
        return tape.gradient(y, x)

    f(tf.constant(1.0))
    (made,) = recordings(f)
    places = [step.place[0].co_name for step in made.calls if step.op.name in ("Mul", "Cos")]
    assert places == ["f", "f", "backward", "backward", "backward", "f", "f"]


def test_another_gradient_is_taken_while_a_replay_runs():
    between = []

    def python():
        if between:
            between.pop()()
        return 1.0

    @tf.function
    def f(x, y):
        one = tf.py_function(python, [], tf.float32)
        return tf.exp(tf.tanh(x)) * one + tf.exp(tf.tanh(y)) * one

    def slope(place):
        given = [tf.constant(0.5), tf.constant(-0.25)]
        with tf.GradientTape() as tape:
            tape.watch(given)
            z = f(*given)
        return float(tape.gradient(z, given[place]))

    expected = [slope(0) for _ in range(4)]
    found = []
    between.append(lambda: found.append(slope(1)))
    assert [slope(0), slope(0)] == expected[:2]
    assert found == [slope(1)]
