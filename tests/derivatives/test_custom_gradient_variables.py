"""tf.custom_gradient: functions that read variables."""

import pytest

import cinta as tf
from tests.shorthand import tape_gradient, values


@pytest.fixture
def x():
    return tf.constant(3.0)


def variable_function(v, answer, **defaults):
    """x * v, with a gradient function that takes variables."""
    seen = []

    @tf.custom_gradient
    def f(x):
        def grad(upstream, variables=None):
            seen.append(variables)
            return answer(upstream, variables)

        return x * v, grad

    return f, seen


def test_variables_that_are_read_have_a_gradient_too(x):
    v = tf.Variable(5.0)
    f, seen = variable_function(v, lambda g, variables: (10.0 * g, [20.0 * g]))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert [g.numpy() for g in tape.gradient(y, [x, v])] == [10, 20]
    assert [[w.ref() for w in variables] for variables in seen] == [[v.ref()]]


def test_variables_come_in_the_order_in_which_they_were_made(x):
    first, second = tf.Variable(2.0), tf.Variable(5.0)

    @tf.custom_gradient
    def f(x):
        def grad(upstream, variables):
            return upstream, [upstream * (10.0 ** (i + 1)) for i in range(len(variables))]

        return second * x * first, grad

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert [g.numpy() for g in tape.gradient(y, [first, second])] == [10, 100]


def test_a_gradient_function_must_take_the_variables(x):
    v = tf.Variable(5.0)
    f = tf.custom_gradient(lambda x: (x * v, lambda upstream: upstream))
    with pytest.raises(TypeError, match="must accept keyword argument 'variables'"):
        f(x)


@pytest.mark.parametrize("trainable", [True, False])
def test_variables_are_passed_only_if_trainable_ones_were_read(x, trainable):
    v = tf.Variable(5.0, trainable=trainable)
    f, seen = variable_function(v, lambda g, variables: (g, [g]) if variables else g)
    assert values(tape_gradient(f, x)) == 1
    assert (seen[0] is not None) is trainable


def test_any_keywords_take_the_variables(x):
    v = tf.Variable(5.0)
    f = tf.custom_gradient(lambda x: (x * v, lambda upstream, **kw: (upstream, [2.0 * upstream])))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert tape.gradient(y, v).numpy() == 2


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (lambda g, variables: (g, [g, g]), ValueError),
        (lambda g, variables: (g, []), ValueError),
        (lambda g, variables: (g, (g,)), TypeError),
        (lambda g, variables: g, TypeError),
    ],
)
def test_the_gradients_of_variables_must_be_a_list_as_long(x, answer, error):
    f, _ = variable_function(tf.Variable(5.0), answer)
    with pytest.raises(error):
        tape_gradient(f, x)


def test_the_gradient_of_a_variable_may_be_none(x):
    v = tf.Variable(5.0)
    f, _ = variable_function(v, lambda g, variables: (g, [None]))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert tape.gradient(y, v) is None


def test_a_variable_as_an_argument_is_an_ordinary_argument(x):
    v = tf.Variable(5.0)

    @tf.custom_gradient
    def f(x, v):
        return x * v, lambda upstream: (10.0 * upstream, 20.0 * upstream)

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, v)
    assert [g.numpy() for g in tape.gradient(y, [x, v])] == [10, 20]


def test_an_unwatched_variable_is_passed_and_has_no_gradient(x):
    v = tf.Variable(5.0)
    f, seen = variable_function(v, lambda g, variables: (g, [g]))
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(x)
        y = f(x)
    gradients = tape.gradient(y, [x, v])
    assert [g if g is None else g.numpy() for g in gradients] == [1, None]
    assert len(seen[0]) == 1
