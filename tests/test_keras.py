"""Keras over cinta: how it is loaded, and what tapes see of it."""

import os
import subprocess
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from types import ModuleType

import numpy as np
import pytest

import cinta as tf
from cinta.keras_engine import load_keras
from cinta.keras_engine.tensorflow import NamesModule
from tests.left_out import TABLES_AND_PLOTS


def run(code, **environment):
    """A fresh interpreter's answer to the code."""
    path = os.pathsep.join([TABLES_AND_PLOTS, *sys.path])
    environment = {**os.environ, "PYTHONPATH": path, **environment}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_a_name_that_keras_looks_up_is_searched_for_once():
    below, asked = ModuleType("below"), []
    below.__getattr__ = lambda name: asked.append(name) or 1
    above = NamesModule("above", below)
    assert above.constant == above.constant == 1
    assert asked == ["constant"]
    with pytest.raises(AttributeError, match=r"above\.__wrapped__"):
        _ = above.__wrapped__


@pytest.mark.parametrize("nested", [lambda x: x, lambda x: [1, {"a": x}], lambda x: (None, x)])
def test_symbols_are_found_among_arguments(nested):
    symbol, find = tf.keras.Input([3]), import_module("keras.src.backend").any_symbolic_tensors
    assert find((tf.ones(3), nested(symbol)))
    assert find((), {"x": nested(symbol)})
    assert not find((tf.ones(3), nested(tf.ones(3)), tf.Variable(1.0)), {"y": "y", "z": None})
    assert not find()


# -- loading -------------------------------------------------------------------------------------


def test_keras_is_loaded_when_it_is_asked_for():
    code = """
import os, sys
import cinta as tf
assert "keras" not in sys.modules
from cinta.keras.layers import Dense
import keras
assert keras.layers.Dense is tf.keras.layers.Dense is Dense
assert tf.keras.__version__ == keras.__version__
assert "tensorflow" not in sys.modules
assert os.environ["KERAS_BACKEND"] == "jax"
"""
    done = run(code, KERAS_BACKEND="jax")
    assert done.returncode == 0, done.stderr


def test_names_of_tf_that_are_those_of_keras():
    assert tf.losses.Huber is tf.keras.losses.Huber
    assert tf.metrics.AUC is tf.keras.metrics.AUC
    assert tf.optimizers.Adam is tf.keras.optimizers.Adam
    assert tf.initializers.get is tf.keras.initializers.get
    assert "Adam" in dir(tf.optimizers)
    assert {"keras", "losses", "metrics", "optimizers"} <= set(dir(tf))
    with pytest.raises(AttributeError):
        _ = tf.losses.Nonsense


def test_keras_that_runs_on_another_engine_is_refused():
    done = run("import keras, cinta as tf; tf.keras.layers", KERAS_BACKEND="numpy")
    assert "ImportError: Keras was imported before, with numpy as its backend" in done.stderr


def test_keras_of_another_version_is_refused(monkeypatch):
    monkeypatch.setattr("importlib.metadata.version", lambda name: "2.11.0")
    with pytest.raises(ImportError, match=r"Keras 2\.11\.0 is installed.*pip install 'cinta"):
        load_keras.load("cinta.keras")


def test_no_keras(monkeypatch):
    def nothing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", nothing)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'cinta\[keras\]'"):
        load_keras.load("cinta.keras")


# -- tapes ---------------------------------------------------------------------------------------


@pytest.fixture
def layer():
    layer = tf.keras.layers.Dense(2)
    layer.build([None, 3])
    layer.set_weights([np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([0.5, -0.5])])
    return layer


X = [[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]]


def test_variables_are_watched_when_they_are_read(layer):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(tf.constant(X)))
    gradients = tape.gradient(loss, {"kernel": layer.kernel, "bias": layer.bias})
    np.testing.assert_array_equal(gradients["kernel"], [[1.0, 1.0], [3.0, 3.0], [3.0, 3.0]])
    np.testing.assert_array_equal(gradients["bias"], [2.0, 2.0])
    assert [v is w.value for v, w in zip(tape.watched_variables(), layer.weights, strict=True)]


def test_variables_that_are_watched_by_hand(layer):
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(layer.bias)
        loss = tf.reduce_sum(layer(tf.constant(X)))
    kernel, bias = tape.gradient(loss, layer.trainable_variables)
    assert kernel is None
    np.testing.assert_array_equal(bias, [2.0, 2.0])


def test_a_variable_alone(layer):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer.kernel * layer.kernel)
    np.testing.assert_array_equal(tape.gradient(loss, layer.kernel), 2 * layer.kernel)


def test_jacobians_and_hessians(layer):
    with tf.GradientTape(persistent=True) as tape:
        y = layer(tf.constant(X))
        z = tf.reduce_sum(y**2)
    assert tape.jacobian(y, layer.kernel).shape == (2, 2, 3, 2)
    hessian = tape.hessian(z, layer.bias)
    np.testing.assert_array_equal(hessian, [[4.0, 0.0], [0.0, 4.0]])
    vectors = [tf.ones([3, 2]), tf.ones([2])]
    assert [h.shape for h in tape.hvp(z, layer.trainable_variables, vectors)] == [(3, 2), (2,)]


def test_forward_mode(layer):
    with tf.autodiff.ForwardAccumulator(layer.bias, tf.constant([1.0, 0.0])) as accumulator:
        y = layer(tf.constant(X))
    np.testing.assert_array_equal(accumulator.jvp(y), [[1.0, 0.0], [1.0, 0.0]])


def test_gradient_penalty(layer):
    x = tf.constant(X)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(tf.tanh(layer(x)))
        penalty = tf.reduce_sum(inner.gradient(y, x) ** 2)
    assert outer.gradient(penalty, layer.kernel).shape == (3, 2)


def test_gradients_of_rows():
    layer = tf.keras.layers.Embedding(100, 3)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(tf.constant([[7, 7]])))
    gradient = tape.gradient(loss, layer.trainable_variables)[0]
    assert isinstance(gradient, tf.IndexedSlices)
    before = layer.get_weights()[0]
    tf.keras.optimizers.SGD(1.0).apply([gradient], layer.trainable_variables)
    changed = np.flatnonzero((layer.get_weights()[0] != before).any(axis=1))
    np.testing.assert_array_equal(changed, [7])


def test_step_of_an_optimizer(layer):
    optimizer = tf.keras.optimizers.SGD(0.5, momentum=0.9)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(tf.constant(X)))
    variables = layer.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
    np.testing.assert_array_equal(layer.bias, [-0.5, -1.5])
    assert int(optimizer.iterations) == 1


def test_custom_gradient_with_a_variable_among_the_arguments(layer):
    @tf.custom_gradient
    def f(x, w):
        return tf.reduce_sum(x) * tf.reduce_sum(w), lambda g: (g * 10.0, g * 20.0)

    with tf.GradientTape() as tape:
        y = f(tf.constant(X), layer.bias)
    np.testing.assert_array_equal(tape.gradient(y, layer.bias), [20.0, 20.0])


@pytest.mark.parametrize("policy", ["float32", "mixed_bfloat16"])
def test_training_in_float8(policy):
    layer = tf.keras.layers.Dense(2, dtype=f"float8_from_{policy}")
    model = tf.keras.Sequential([layer])
    model.compile("sgd", "mse")
    model.fit(np.ones([4, 3], "float32"), np.ones([4, 2], "float32"), verbose=0)
    assert float(layer.inputs_amax_history[0]) == 1.0


def test_recomputed_layers_in_a_lambda():
    relu = tf.keras.layers.Lambda(tf.keras.remat(tf.keras.layers.ReLU()))
    x = tf.keras.Input([2])
    model = tf.keras.Model(x, relu(x))
    np.testing.assert_array_equal(model(np.array([[-1.0, 2.0]])), [[0.0, 2.0]])


@pytest.mark.parametrize("batched", [False, True])
def test_datasets_that_are_split(batched):
    rows = np.arange(10.0)
    data = tf.data.Dataset.from_tensor_slices({"a": rows, "b": -rows})
    data = data.batch(4) if batched else data
    left, right = tf.keras.utils.split_dataset(data, left_size=0.6)
    found = [np.concatenate([np.ravel(e["a"]) for e in part]).tolist() for part in (left, right)]
    assert found == [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9]]
    assert len(left) == (2 if batched else 6)


def test_layers_that_leave_parts_out_in_a_dataset():
    layer = tf.keras.layers.RandAugment()
    images = tf.data.Dataset.from_tensor_slices(np.ones([4, 8, 8, 3])).batch(2)
    assert len(list(images.map(layer.get_random_transformation))) == 2


def test_files_elsewhere(tmp_path):
    from keras.src.utils import file_utils

    with pytest.raises(tf.errors.UnimplementedError, match="cinta reads and writes local files"):
        file_utils.exists("gs://bucket/model.keras")
    file_utils.File(f"file://{tmp_path}/x", "w").close()
    assert (tmp_path / "x").exists()
