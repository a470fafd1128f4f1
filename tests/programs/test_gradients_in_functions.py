"""tf.gradients: between any values of a tf.function."""

import numpy as np
import pytest

import cinta as tf


def test_a_derivative_of_any_order():
    @tf.function
    def derivative(x, order):
        y = tf.sin(x)
        for _ in range(order):
            (y,) = tf.gradients(y, [x])
        return y

    expected = np.sin(2.0), np.cos(2.0), -np.sin(2.0), -np.cos(2.0)
    for order, value in enumerate(expected):
        assert float(derivative(tf.constant(2.0, tf.float64), order)) == pytest.approx(value)
    assert derivative.report().replays == 0
    assert float(derivative(tf.constant(0.0), 1)) == 1.0
    assert float(derivative(tf.constant(np.pi), 1)) == -1.0
    assert derivative.report().replays == 1


def test_sources_are_arguments_variables_constants_and_what_is_computed():
    outside, variable = tf.constant(2.0), tf.Variable(3.0)

    @tf.function
    def slopes(x):
        inside = tf.constant(5.0)
        between = outside * x
        y = between * inside * variable
        return tf.gradients(y, [x, outside, variable, inside, between])

    assert [float(g) for g in slopes(tf.constant(7.0))] == [30.0, 105.0, 70.0, 42.0, 15.0]


def test_variables_change_once_in_the_call_that_runs_the_python_again():
    variable = tf.Variable(1.0)

    @tf.function
    def step(x):
        variable.assign_add(1.0)
        return tf.gradients(variable * x, x)[0]

    assert [float(step(tf.constant(1.0))) for _ in range(3)] == [2.0, 3.0, 4.0]
    assert float(variable) == 4.0


def test_a_function_within_another_has_gradients_of_its_own():
    inner = tf.function(lambda x: tf.gradients(x**3, x)[0])
    outer = tf.function(lambda x: tf.gradients(inner(x), x)[0])
    assert [float(outer(tf.constant(x))) for x in (1.0, 2.0, 3.0)] == [6.0, 12.0, 18.0]


def test_a_loop_and_looked_up_rows():
    @tf.function
    def slope():
        x = tf.constant([1.0, 1.0])
        _, y = tf.while_loop(
            lambda i, _: i < 3, lambda i, y: (i + 1, y + tf.gather(y, [0])), [0, x[:1]]
        )
        return tf.gradients(y * 3.0, x)[0]

    np.testing.assert_array_equal(slope(), [24.0, 0.0])


def test_factors_and_what_targets_do_not_depend_on():
    @tf.function
    def found(x, z):
        ys = [2.0 * x, 3.0 * x]
        plain = tf.gradients(ys, [x, z], grad_ys=[None, tf.constant(10.0)])
        zeros = tf.gradients(ys, z, unconnected_gradients=tf.UnconnectedGradients.ZERO)
        return plain[0], plain[1], zeros[0]

    factor, unconnected, zero = found(tf.constant(1.0), tf.constant(1.0))
    assert (float(factor), unconnected, float(zero)) == (32.0, None, 0.0)


def test_hessians():
    second = tf.function(lambda x: tf.hessians(tf.reduce_prod(x), x)[0])
    np.testing.assert_allclose(second(tf.constant([2.0, 3.0])), [[0.0, 1.0], [1.0, 0.0]])


def test_a_concrete_function_and_a_recording():
    square = tf.function(lambda x: tf.gradients(x**2, x)[0])
    concrete = square.get_concrete_function(tf.TensorSpec([None], tf.float32))
    np.testing.assert_array_equal(concrete(tf.constant([1.0, 2.0])), [2.0, 4.0])
    assert tf.function(lambda x: tf.gradients(x**2, x)[0]).recording(tf.constant(1.0)).steps


def test_refusals():
    with pytest.raises(RuntimeError, match=r"Use tf\.GradientTape instead"):
        tf.gradients(tf.constant(1.0), tf.constant(1.0))

    @tf.function
    def of_values_made_otherwise():
        x = tf.ones([2])
        return tf.gradients(x * 2.0, x)[0]

    for _ in range(2):
        with pytest.raises(ValueError, match=r"of which no tape knows: .* what tf\.constant makes"):
            of_values_made_otherwise()
    with pytest.raises(TypeError, match=r"by tensors and variables, not 3\.0"):
        tf.function(lambda x: tf.gradients(x, x, stop_gradients=[3.0])[0])(tf.constant(1.0))
    with pytest.raises(TypeError, match="by tensors and variables, not 'x'"):
        tf.function(lambda x: tf.gradients(x, [x, "x"])[0])(tf.constant(1.0))


@pytest.mark.parametrize("method", [0, 1, 2, None])
def test_ways_to_add_up_make_no_difference(method):
    @tf.function
    def slopes(x):
        y = x * 2
        return tf.gradients(y + y + y, [x, y], aggregation_method=method)

    assert [float(each) for each in slopes(tf.constant(1.0))] == [6, 3]


def test_ways_to_add_up():
    ways = tf.AggregationMethod
    assert (ways.ADD_N, ways.DEFAULT) == (0, 0)
    assert (ways.EXPERIMENTAL_TREE, ways.EXPERIMENTAL_ACCUMULATE_N) == (1, 2)
    for function in (tf.gradients, tf.hessians):
        with pytest.raises(ValueError, match="Invalid `aggregation_method` specified: 3"):
            tf.function(lambda x, f=function: f(x, x, aggregation_method=3))(tf.constant(1.0))


def test_gradients_stop_at_values():
    @tf.function
    def slopes(x):
        a = x * 2
        b = a + x
        c = a * b
        return [
            tf.gradients(c, [x, a, b], stop_gradients=[a]),
            tf.gradients(c, [x, a, b], stop_gradients=[a, b]),
            tf.gradients(c, [x, a, b], stop_gradients=x),
            tf.gradients([c, a], [a, x], stop_gradients=[a]),
            tf.gradients(a, x, stop_gradients=[c]),
            tf.gradients(c, [x, a, b]),
        ]

    expected = [[6, 15, 6], [None, 9, 6], [36, 15, 6], [16, 6], [2], [36, 15, 6]]
    for _ in range(2):
        assert slopes(tf.constant(3.0)) == expected


def test_second_gradients_of_what_stops():
    @tf.function
    def slopes(x):
        a = x * x
        first = tf.gradients(a * x * x, x, stop_gradients=[a])[0]  # 2 a x
        return first, tf.gradients(first, x)[0], tf.gradients(first, x, stop_gradients=[a])[0]

    assert slopes(tf.constant(3.0)) == (54, 54, 18)


def test_gradients_stop_at_results_of_an_op_that_has_several():
    @tf.function
    def slopes(x):
        one, other = tf.split(x, 2)
        return tf.gradients(one * other, [x, one, other], stop_gradients=[one, other])

    of_x, of_one, of_other = slopes(tf.constant([3.0, 5.0]))
    assert of_x is None
    assert (of_one.numpy().item(), of_other.numpy().item()) == (5, 3)
