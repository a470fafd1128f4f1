"""`JaxLayer`: functions of JAX among Keras's layers."""

import numpy as np
import pytest

import cinta as tf
from cinta.keras_engine.jax_functions import converted

jax = pytest.importorskip("jax")
keras = tf.keras


def scaled(params, inputs):
    return jax.numpy.tanh(inputs @ params["w"]) + params["b"]


def initial(rng, inputs):
    return {"w": jax.random.normal(rng, (inputs.shape[-1], 3)), "b": jax.numpy.zeros(3)}


def test_gradients_of_two_orders():
    x = tf.constant([0.1, 0.2])
    f = converted(jax.numpy.sin)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        first = inner.gradient(y, x)
    np.testing.assert_allclose(y, np.sin([0.1, 0.2]), rtol=1e-6)
    np.testing.assert_allclose(first, np.cos([0.1, 0.2]), rtol=1e-6)
    np.testing.assert_allclose(outer.gradient(first, x), -np.sin([0.1, 0.2]), rtol=1e-6)


def test_structures_and_whole_numbers():
    f = converted(lambda given: {"sum": given["x"] * given["n"], "n": (given["n"] + 1, None)})
    x, n = tf.constant([1.0, 2.0]), tf.constant([3, 4])
    with tf.GradientTape() as tape:
        tape.watch(x)
        found = f({"x": x, "n": n})
    np.testing.assert_array_equal(found["n"][0], [4, 5])
    assert found["n"][0].dtype == tf.int32
    assert found["n"][1] is None
    np.testing.assert_array_equal(tape.gradient(found["sum"], x), [3.0, 4.0])


def test_in_a_function_that_is_replayed():
    f = tf.function(converted(lambda x: x**2))
    assert [float(f(tf.constant(x))) for x in (1.0, 2.0, 3.0)] == [1.0, 4.0, 9.0]


def test_a_layer_is_trained():
    keras.utils.set_random_seed(1)
    layer = keras.layers.JaxLayer(scaled, initial)
    model = keras.Sequential([keras.Input([4]), layer, keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    x = np.random.default_rng(0).random((64, 4))
    losses = model.fit(x, x.sum(axis=1), epochs=5, verbose=0).history["loss"]
    assert losses[-1] < losses[0] / 2
    assert len(layer.trainable_variables) == 2
