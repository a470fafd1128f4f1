"""Saved models: what was loaded is differentiated as what was saved."""

import numpy as np
import pytest

import cinta as tf
from tests.saved_model.saving import FLOATS, Network, loaded, module, of_specs, same


def test_gradients_of_all_orders(tmp_path):
    network = Network()
    model = loaded(tmp_path, network)
    x = tf.random.stateless_normal([5, 3], [1, 1])

    def derivatives(model):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(model(x) ** 3)
            by_x = inner.gradient(y, x)
        return by_x, *outer.gradient(by_x, [x, model.layers[0].w, model.layers[2].b])

    for one, other in zip(derivatives(model), derivatives(network), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def test_what_was_loaded_learns(tmp_path):
    model = loaded(tmp_path, Network())
    x, wanted = tf.random.stateless_normal([16, 3], [1, 2]), tf.zeros([16, 2])
    losses = []
    for _ in range(30):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - wanted) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        for variable, gradient in zip(model.trainable_variables, gradients, strict=True):
            variable.assign_sub(0.1 * gradient)
        losses.append(float(loss))
    assert losses[-1] < losses[0] / 10


def test_forward_mode_hears_what_a_loaded_function_does(tmp_path):
    model = loaded(tmp_path, module(f=of_specs(([None],))(lambda x: tf.sin(x) * x)))
    x = tf.constant([0.5, 1.5])
    with tf.autodiff.ForwardAccumulator(x, tf.ones([2])) as accumulator:
        y = model.f(x)
    np.testing.assert_allclose(accumulator.jvp(y), np.cos(x) * x + np.sin(x), rtol=1e-6)


@tf.custom_gradient
def clipped(x):
    square = x * x

    def gradient(upstream):
        return tf.clip_by_norm(upstream, 0.5) * square

    return tf.identity(x), gradient


@pytest.mark.parametrize("spec", [[None], [2]])
def test_gradients_that_people_wrote_are_saved(tmp_path, spec):
    f = tf.function(lambda x: clipped(x * 2.0), input_signature=[tf.TensorSpec(spec)])
    model = loaded(tmp_path, module(f=f))
    x = tf.constant([3.0, 4.0])
    found = []
    for function in (f, model.f):
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape() as first:
                first.watch(x)
                y = function(x)
            g = first.gradient(y, x)
        found.append([g, second.gradient(g, x)])
    same(*found)


@tf.custom_gradient
def limited(x):
    return x, lambda upstream: tf.clip_by_norm(upstream, 0.5)


def test_gradients_whose_python_looks_at_values(tmp_path):
    f = tf.function(limited, input_signature=[tf.TensorSpec(None)])
    model = loaded(tmp_path, module(f=f))
    v = tf.Variable(2.0)
    for factor, expected in ((1.0, 2.0), (-1.0, -2.0), (0.0, 0.0), (0.1, 0.4)):
        with tf.GradientTape() as tape:
            y = model.f(v * v) * factor
        np.testing.assert_allclose(tape.gradient(y, v), expected, rtol=1e-6)


def test_a_gradient_with_variables_is_saved(tmp_path):
    w = tf.Variable(3.0)

    @tf.custom_gradient
    def scaled(x):
        def gradient(upstream, variables=None):
            return upstream * 10.0 * w, [upstream * 100.0 for _ in variables]

        return x * w, gradient

    model = loaded(tmp_path, module(w=w, f=of_specs(([],))(scaled)))
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = model.f(x)
    same(tape.gradient(y, [x, model.w]), [30.0, 100.0])


def test_gradients_that_were_not_saved(tmp_path):
    f = tf.function(clipped, input_signature=[FLOATS])
    model = loaded(tmp_path, module(f=f), experimental_custom_gradients=False)
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = model.f(x)
    same(y, [1.0, 2.0])
    with pytest.raises(LookupError, match="No gradient defined for operation 'IdentityN'"):
        tape.gradient(y, x)
