"""Each layer of Keras on the tape: its values are Keras's own, its gradients are true."""

import os
import subprocess
import sys

import numpy as np
import pytest

import cinta as tf
from tests.keras_engine import keras_table


@pytest.fixture(autouse=True, scope="module")
def double_precision():
    for dtype in ("float64", "float32"):
        tf.keras.config.set_floatx(dtype)
        tf.keras.config.set_dtype_policy(dtype)
        if dtype == "float64":
            yield


@pytest.fixture(scope="module")
def of_numpy(tmp_path_factory):
    """Results of Keras with NumPy, in a process of its own."""
    path = tmp_path_factory.mktemp("keras") / "layers.npz"
    environment = {**os.environ, "KERAS_BACKEND": "numpy"}
    subprocess.run([sys.executable, keras_table.__file__, path], env=environment, check=True)
    return np.load(path)


@pytest.mark.parametrize("name", keras_table.ROWS_OF_LAYERS)
def test_values(name, of_numpy):
    layer, inputs = keras_table.built(tf.keras.layers, name)
    result = layer(*inputs)
    assert isinstance(result, tf.Tensor)
    # Keras's NumPy engine rounds to single precision on its way
    np.testing.assert_allclose(result, of_numpy[name], rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("name", keras_table.ROWS_OF_LAYERS)
def test_gradients(name):
    """The derivative along a way through all weights and inputs, against a difference."""
    layer, inputs = keras_table.built(tf.keras.layers, name)
    inputs = tf.nest.map_structure(tf.constant, inputs)
    smooth = [x for x in tf.nest.flatten(inputs) if x.dtype.is_floating]
    sources = [*layer.trainable_variables, *smooth]
    ways = [keras_table.numbers(*x.shape, seed=200 + i) for i, x in enumerate(sources)]
    cotangent = keras_table.numbers(*layer(*inputs).shape, seed=100)

    with tf.GradientTape() as tape:
        tape.watch(smooth)
        loss = tf.reduce_sum(tf.cast(layer(*inputs), "float64") * cotangent)
    gradients = tape.gradient(loss, sources, unconnected_gradients="zero")
    along = sum([np.vdot(tf.convert_to_tensor(g), w) for g, w in zip(gradients, ways, strict=True)])

    step, precision = (0.1, 1e-5) if name in keras_table.IN_SINGLE_PRECISION else (1e-5, 1e-6)
    after, before = [at(layer, inputs, ways, d, cotangent) for d in (step, -step)]
    np.testing.assert_allclose(along, (after - before) / (2 * step), precision, 1e-8)


def at(layer, inputs, ways, step, cotangent):
    """The layer's results with weights and inputs moved a step along their directions."""
    ways = iter(ways)
    weights = [tf.identity(w) for w in layer.trainable_variables]
    for weight in layer.trainable_variables:
        weight.assign_add(step * next(ways))
    there = tf.nest.map_structure(
        lambda x: x + step * next(ways) if x.dtype.is_floating else x, inputs
    )
    result = np.vdot(layer(*there), cotangent)
    for weight, value in zip(layer.trainable_variables, weights, strict=True):
        weight.assign(value)
    return result


class Shaped(tf.keras.layers.Layer):
    """Reshapes its input, whatever the size of that."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape

    def call(self, inputs):
        return tf.reshape(inputs, self.shape)


def test_an_axis_that_one_layer_multiplies_is_divided_by_the_next():
    model = tf.keras.Sequential([tf.keras.Input([7]), Shaped([-1]), Shaped([-1, 7])])
    assert model.output_shape == (None, 7)
    assert model(tf.ones([3, 7])).shape == [3, 7]


class Passing(tf.keras.layers.Layer):
    """Passes the features of the nodes of a graph along its edges."""

    def call(self, inputs):
        nodes, edges = inputs
        return tf.matmul(edges, nodes)


def test_the_size_of_a_graph_may_be_open():
    nodes, edges = tf.keras.Input([3]), tf.keras.Input([None])
    model = tf.keras.Model([nodes, edges], Passing()([nodes, edges]))
    assert model.output_shape == (None, 3)
    assert model([tf.ones([5, 3]), tf.ones([5, 5])]).shape == [5, 3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="7 columns"):
        Passing()([nodes, tf.keras.Input([7])])


def test_words_as_they_stand_are_brought_to_a_length():
    layer = tf.keras.layers.TextVectorization(
        9,
        standardize=None,
        split=None,
        output_sequence_length=3,
        vocabulary=["a", "b", "c"],
    )
    assert layer(tf.constant(["a", "b"])).numpy().tolist() == [2, 3, 0]
    assert layer(tf.constant(["a", "b", "x", "c", "a"])).numpy().tolist() == [2, 3, 1]
    assert layer(tf.constant([["a"], ["c"]])).numpy().tolist() == [[2, 0, 0], [4, 0, 0]]


@pytest.mark.parametrize("kind", [np.asarray, tf.constant])
def test_parts_of_arrays_are_replaced(kind):
    x, part = kind(np.zeros([3, 4], "float32")), kind(np.ones([2, 2], "float32"))
    expected = [[0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]
    for start in ([1, 2], [2, 9]):  # a part that goes too far begins where it fits
        assert tf.keras.ops.slice_update(x, kind(start), part).numpy().tolist() == expected
