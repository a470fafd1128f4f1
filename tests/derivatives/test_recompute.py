"""tf.recompute_grad, the same gradients for less memory, and tf.grad_pass_through."""

import pytest

import cinta as tf
from tests.shorthand import tape_gradient, values


def counted(f):
    """The function, with a list that grows at each call."""
    calls = []

    def wrapped(*args, **kwargs):
        calls.append(1)
        return f(*args, **kwargs)

    return wrapped, calls


def gradients_of(f, *sources):
    with tf.GradientTape() as tape:
        tape.watch([s for s in sources if not isinstance(s, tf.Variable)])
        y = f()
    return [g if g is None else g.numpy() for g in tape.gradient(y, sources)]


@pytest.fixture
def x():
    return tf.constant(3.0)


def test_value_and_gradient_are_the_same(x):
    f = tf.recompute_grad(lambda x: x * x * x)
    assert f(x).numpy() == 27
    assert gradients_of(lambda: f(x) * 2.0, x) == [54]


def test_runs_once_forward_and_once_backward(x):
    f, calls = counted(lambda x: x * x)
    g = tf.recompute_grad(f)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = g(x)
    assert len(calls) == 1
    tape.gradient(y, x)
    assert len(calls) == 2


def test_keeps_the_function_and_its_name():
    def f(x):
        return x

    wrapped = tf.recompute_grad(f)
    assert wrapped.__wrapped__ is f
    assert wrapped.__name__ == "f"


def test_variables_have_gradients(x):
    v, w = tf.Variable(5.0), tf.Variable(7.0, trainable=False)
    f = tf.recompute_grad(lambda x: x * v * w)
    assert gradients_of(lambda: f(x), x, v, w) == [35, 21, None]


def test_several_arguments_and_nests(x):
    y = tf.constant(5.0)
    f = tf.recompute_grad(lambda pair, n: pair["a"] * pair["b"] * n)
    assert gradients_of(lambda: f({"a": x, "b": y}, 2.0), x, y) == [10, 6]


def test_keyword_tensors_have_no_gradient(x):
    y = tf.constant(5.0)
    f = tf.recompute_grad(lambda x, y: x * y)
    assert gradients_of(lambda: f(x, y=y), x, y) == [5, None]


def test_several_results(x):
    f = tf.recompute_grad(lambda x: (x * 2.0, x * x))
    assert gradients_of(lambda: f(x)[0] + f(x)[1] * 10.0, x) == [62]


def test_an_argument_that_does_not_matter_has_a_gradient_of_zero(x):
    y = tf.constant(5.0)
    f = tf.recompute_grad(lambda x, y: x * 2.0)
    assert gradients_of(lambda: f(x, y), x, y) == [2, 0]


def test_an_integer_argument_may_be_passed(x):
    i = tf.constant(2)
    f = tf.recompute_grad(lambda x, i: x * tf.cast(i, tf.float32))
    assert gradients_of(lambda: f(x, i), x) == [2]


def test_a_chain_of_blocks(x):
    f = tf.recompute_grad(lambda x: x * x)
    assert gradients_of(lambda: f(f(f(x * 0.5))), x) == [8 * 1.5**7 * 0.5]


def test_second_order(x):
    f = tf.recompute_grad(lambda x: x * x * x)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        d = inner.gradient(y, x)
    assert outer.gradient(d, x).numpy() == 18


def test_without_a_tape_it_is_just_the_function(x):
    f, calls = counted(lambda x: x * x)
    assert tf.recompute_grad(f)(x).numpy() == 9
    assert len(calls) == 1


def test_an_error_in_the_function_leaves_the_tape_on(x):
    def refuses(x):
        raise KeyError

    with tf.GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(KeyError):
            tf.recompute_grad(refuses)(x)
        y = x * x
    assert tape.gradient(y, x).numpy() == 6


# -- passing gradients through ---------------------------------------------------------------------


def test_grad_pass_through_has_the_gradient_of_the_identity(x):
    y = tf.grad_pass_through(tf.round)(x * 0.9)
    assert y.numpy() == 3
    assert values(tape_gradient(lambda x: tf.grad_pass_through(tf.round)(x * 0.5) * 3.0, x)) == 1.5


def test_grad_pass_through_passes_assignments(x):
    v = tf.Variable(0.0)
    assert values(tape_gradient(lambda x: tf.grad_pass_through(v.assign)(x * x), x)) == 6
    assert v.numpy() == 9


def test_grad_pass_through_gives_variables_no_gradient(x):
    v = tf.Variable(5.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.grad_pass_through(lambda x: x * v)(x)
    gradients = tape.gradient(y, [x, v])
    assert [g if g is None else g.numpy() for g in gradients] == [1, None]


def test_grad_pass_through_needs_as_many_results_as_arguments(x):
    with pytest.raises(ValueError, match="return 2 gradients, but returned 1 instead"):
        tape_gradient(lambda x: tf.grad_pass_through(lambda a, b: a * b)(x, x), x)
