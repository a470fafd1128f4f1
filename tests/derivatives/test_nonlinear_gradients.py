"""Gradient functions that are not linear are asked once, with the sum of all that arrives.

The figures are TensorFlow's.
"""

import numpy as np
import pytest

import cinta as tf

GRADIENTS = {
    "clip": lambda u: tf.clip_by_value(u, -0.3, 0.3),
    "normalize": lambda u: u / tf.norm(u),
    "square": lambda u: u * u,
    "shift": lambda u: u + 1.0,
}
POINT = [0.3, 0.5]
ENGINES = [None, pytest.param(True, id="xla")]

# Of sum(sin(f(x) * x)), with f(x) = sin(x): the first, second and third derivative.
BY_VALUE = {
    "clip": [[0.593181, 0.765717], [1.280491, 0.245428], [-0.262178, -0.407045]],
    "normalize": [[0.818365, 1.317432], [1.20196, 0.357737], [-2.936912, 0.111253]],
    "square": [[0.383654, 0.701624], [1.550068, 1.567937], [1.710479, 2.401289]],
    "shift": [[1.593181, 1.95142], [2.960745, 2.715058], [0.473268, -1.307905]],
}


def sine(name):
    return tf.custom_gradient(lambda a: (tf.sin(a), GRADIENTS[name]))


def derivative(function, x, order):
    if order == 0:
        return tf.reduce_sum(tf.sin(function(x)))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = derivative(function, x, order - 1)
    return tape.gradient(y, x)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("name", GRADIENTS)
def test_all_orders_at_each_call(name, order, engine):
    f = sine(name)
    function = tf.function(lambda x: f(x) * x, jit_compile=engine)
    for _ in range(3):
        found = derivative(function, tf.constant(POINT), order)
        np.testing.assert_allclose(found, BY_VALUE[name][order - 1], rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("name", GRADIENTS)
def test_all_orders_where_a_variable_is_the_source(name):
    f, v = sine(name), tf.Variable(POINT)
    function = tf.function(lambda: f(v) * v)
    for _ in range(3):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(tf.sin(function()))
            slope = tape.gradient(y, v)
        np.testing.assert_allclose(
            outer.gradient(slope, v), BY_VALUE[name][1], rtol=2e-5, atol=2e-6
        )


HESSIANS = {
    "clip": [[1.280491, 0.0], [0.0, 0.245428]],
    "normalize": [[2.248234, -0.668264], [-0.766368, 1.38573]],
    "shift": [[2.960745, 1.0], [1.0, 2.715058]],
}


@pytest.mark.parametrize("name", HESSIANS)
def test_jacobians_of_gradients(name):
    f = sine(name)
    function = tf.function(lambda x: f(x) * x)
    for _ in range(3):
        x = tf.constant(POINT)
        with tf.GradientTape() as outer:
            outer.watch(x)
            slope = derivative(function, x, 1)
        np.testing.assert_allclose(outer.jacobian(slope, x), HESSIANS[name], rtol=2e-5, atol=2e-6)


def test_a_hessian_from_one_tape():
    f = sine("normalize")
    function = tf.function(lambda x: f(x) * x)
    for _ in range(3):
        x = tf.constant(POINT)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.sin(function(x)))
        np.testing.assert_allclose(tape.hessian(y, x), HESSIANS["normalize"], rtol=2e-5)


TALL = {
    "normalize": [0.1030, 0.1374, 0.1725, 0.2082],
    "square": [0.0031, 0.0054, 0.0085, 0.0123],
    "shift": [63.0060, 63.0105, 63.0162, 63.0232],
}


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("mode", ["auto", "forward", "reverse"])
@pytest.mark.parametrize("name", TALL)
def test_jacobians_ask_row_by_row_where_columns_were_cheaper(name, mode, recorded):
    f = sine(name)

    def body(x):
        return f(x) * x

    function = tf.function(body) if recorded else body
    for _ in range(2):
        x = tf.constant(0.3)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x * tf.linspace(0.1, 2.0, 60))
        found = tape.jacobian(y, x, mode=mode)
        np.testing.assert_allclose(found[:4], TALL[name], atol=6e-5)


def test_jacobians_ask_registered_gradients_row_by_row():
    x = tf.constant(0.5)
    with tf.override_gradient("Sin", lambda op, u: u + 1.0), tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(x * tf.ones([60]))
    np.testing.assert_array_equal(tape.jacobian(y, x), [61.0] * 60)


def test_a_saved_gradient_function_is_asked_once(tmp_path):
    f = sine("clip")
    module = tf.Module()
    spec = tf.TensorSpec([2], tf.float32)
    module.function = tf.function(lambda x: f(x) * x, input_signature=[spec])
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=True)
    tf.saved_model.save(module, tmp_path, options=options)
    loaded = tf.saved_model.load(tmp_path)
    for _ in range(3):
        found = derivative(loaded.function, tf.constant(POINT), 2)
        np.testing.assert_allclose(found, BY_VALUE["clip"][1], rtol=2e-5, atol=2e-6)


def test_gradient_functions_of_rows_meet_dense_gradients_within():
    @tf.custom_gradient
    def rows(table):
        def gradient(u):
            return tf.IndexedSlices(u * u, tf.constant([0, 1]), [3, 1])

        return tf.gather(table, [0, 1]), gradient

    def body(table):
        doubled = table * table
        return rows(doubled) * tf.gather(doubled, [1, 2]) + tf.reduce_sum(doubled**2)

    function = tf.function(body)
    for call in (body, function, function, function):
        found = derivative(call, tf.constant([[0.5], [0.25], [2.0]]), 2)
        np.testing.assert_allclose(found, [[6.427843], [893.13824], [671.58069]], rtol=1e-5)
