"""GradientTape.gradient: how contributions meet on the way back."""

import pytest

import cinta as tf
from tests.shorthand import tape_gradient, values


@pytest.fixture
def x():
    return tf.constant(3.0)


# -- aggregation -----------------------------------------------------------------------------------


def test_contributions_are_summed_before_the_producer_sees_them(x):
    seen = []

    @tf.custom_gradient
    def watched(x):
        def grad(upstream):
            seen.append(upstream.numpy())
            return upstream

        return x * 1.0, grad

    def f(x):
        y = watched(x)
        return y * 2.0 + y * 3.0 + y

    assert values(tape_gradient(f, x)) == 6
    assert seen == [6]


def test_the_many_uses_of_one_value_leave_every_gradient_intact():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        parts = [y + y, y + y]
        z = parts[0] + parts[1] + y
    gradients = tape.gradient(z, [x, y, *parts])
    assert [g.numpy().tolist() for g in gradients] == [[10, 20], [5, 5], [1, 1], [1, 1]]


def test_gradients_never_share_what_can_be_changed():
    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = x + y
    dx, dy = tape.gradient(z, [x, y])
    dx.numpy()[:] = 100
    assert dy.numpy().tolist() == [1, 1]


def test_a_gradient_that_is_assigned_and_updated_leaves_the_other_alone():
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        z = v + w
    dv, dw = tape.gradient(z, [v, w])
    v.assign(dv)
    v.assign_add([10.0, 10.0])
    assert dv.numpy().tolist() == dw.numpy().tolist() == [1, 1]


@pytest.mark.parametrize("shape", [(), (2,), (3, 1), (3, 2), (1, 1, 2)])
def test_the_gradient_of_a_broadcast_has_the_shape_of_the_source(shape):
    x, y = tf.ones(shape), tf.ones([3, 2])
    gradient = tape_gradient(lambda x: x * y, x)
    assert gradient.shape == shape
    assert tf.reduce_sum(gradient).numpy() == 6


def test_a_gradient_may_be_asked_of_no_elements():
    x = tf.zeros([0, 3])
    assert tape_gradient(lambda x: tf.reduce_sum(x * x), x).shape == (0, 3)


# -- ops with several results ----------------------------------------------------------------------


def test_results_that_are_not_used_count_as_zeros():
    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    gradient = tape_gradient(lambda x: tf.split(x, 2)[1] * 5.0, x)
    assert gradient.numpy().tolist() == [0, 0, 5, 5]


def test_an_op_whose_results_got_nothing_is_not_asked(x):
    asked = []

    @tf.custom_gradient
    def f(x):
        def grad(upstream):
            asked.append(upstream)
            return upstream

        return x * 1.0, grad

    assert tape_gradient(lambda x: tf.round(f(x)), x) is None
    assert asked == []
