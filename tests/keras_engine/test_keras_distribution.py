"""`keras.distribution`: models on a mesh of devices train as on one device."""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cinta as tf
from tests.left_out import TABLES_AND_PLOTS

pytest.importorskip("jax")
keras = tf.keras

PROGRAM = """
import json, tempfile, warnings
import numpy as np
import cinta as tf
from cinta.experimental import dtensor

warnings.simplefilter("error")
keras = tf.keras
layers, distribution = keras.layers, keras.distribution
(cpu,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 4)
random = np.random.default_rng(0)
X = random.normal(size=(18, 8)).astype("float32")  # 4 devices do not divide the rows
Y = random.normal(size=(18, 3)).astype("float32")
found = {"devices": distribution.list_devices(), "count": distribution.get_device_count()}

def trained():
    keras.utils.set_random_seed(1)
    model = keras.Sequential([
        keras.Input((8,)), layers.Dense(16, "relu", name="wide"), layers.Dropout(0.3),
        layers.Dense(3, name="last")])
    model.compile("adam", "mse", metrics=["mae"])
    history = model.fit(X[:16], Y[:16], batch_size=8, epochs=2, verbose=0).history
    return model, [history["loss"], history["mae"], model.evaluate(X, Y, verbose=0),
                   model.predict(X[:2], verbose=0).tolist()]

def note(name, model, results):
    found[name] = results
    found[name + " layouts"] = [v.value.layout.sharding_specs for v in model.weights]

_, found["alone"] = trained()
with distribution.DataParallel().scope():
    note("data", *trained())
mesh = distribution.DeviceMesh((2, 2), ["batch", "model"])
layouts = distribution.LayoutMap(mesh)
layouts[".*wide/kernel"] = (None, "model")
layouts[".*wide/bias"] = ("model",)
layouts[".*last/kernel"] = ("model", None)
parallel = distribution.ModelParallel(layout_map=layouts)
with parallel.scope():
    model, results = trained()
    note("model", model, results)

slots = [v for v in model.optimizer.variables if "wide_kernel" in v.path]
found["slots"] = [v.value.layout.sharding_specs for v in slots]
kernel = model.layers[0].kernel
whole = kernel.numpy()
found["whole"] = [list(whole.shape), keras.ops.convert_to_numpy(kernel).tolist() == whole.tolist()]
kernel.assign(2 * whole)
found["assigned"] = [kernel.value.layout.sharding_specs, (kernel.numpy() == 2 * whole).all().item()]
with tempfile.TemporaryDirectory() as folder:
    model.save_weights(folder + "/x.weights.h5")
    kernel.assign(whole)
    model.load_weights(folder + "/x.weights.h5")
found["loaded"] = [kernel.value.layout.sharding_specs, (kernel.numpy() == 2 * whole).all().item()]

layout = distribution.TensorLayout([None, "model"], mesh)
laid = distribution.distribute_tensor(X, layout)
found["laid"] = dtensor.fetch_layout(laid).sharding_specs
found["default"] = dtensor.get_default_mesh() is None
with parallel.scope():
    found["mixed"] = (keras.ops.ones((8,)) + laid).shape.as_list()
print(json.dumps(found))
"""
U = "unsharded"


@pytest.fixture(scope="module")
def found():
    path = os.pathsep.join([TABLES_AND_PLOTS, str(Path(tf.__file__).parents[1])])
    environment = {**os.environ, "PYTHONPATH": path, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_devices_are_told(found):
    assert found["devices"] == ["cpu:0", "cpu:1", "cpu:2", "cpu:3"]
    assert found["count"] == 4


@pytest.mark.parametrize("name", ["data", "model"])
def test_a_training_gives_the_numbers_of_one_device(found, name):
    for mine, alone in zip(found[name], found["alone"], strict=True):
        np.testing.assert_allclose(mine, alone, rtol=1e-5, atol=1e-6)


def test_variables_have_their_layouts(found):
    assert found["data layouts"][:4] == [[U, U], [U], [U, U], [U]]
    assert found["model layouts"][:4] == [[U, "model"], ["model"], ["model", U], [U]]
    assert found["slots"] == [[U, "model"]] * 2


def test_values_for_python_are_whole_and_new_ones_are_laid_out(found):
    assert found["whole"] == [[8, 16], True]
    assert found["assigned"] == found["loaded"] == [[U, "model"], True]


def test_tensors_are_laid_out_and_mix_with_plain_ones_under_a_distribution(found):
    assert found["laid"] == [U, "model"]
    assert found["mixed"] == [18, 8]
    assert found["default"]


def test_there_is_one_process():
    lib = importlib.import_module("keras.src.backend").distribution_lib
    assert (lib.num_processes(), lib.process_id()) == (1, 0)
    keras.distribution.initialize()
    keras.distribution.initialize("10.0.0.1:1234", 1, 0)
    with pytest.raises(ValueError, match="2 processes need `job_addresses`"):
        keras.distribution.initialize("10.0.0.1:1234,10.0.0.2:2345", 2, 2)
    with pytest.raises(ValueError, match="has 2 jobs, but num_processes is 3"):
        keras.distribution.initialize("10.0.0.1:1234,10.0.0.2:2345", 3, 0)


def test_a_process_can_take_its_part_of_a_dataset(monkeypatch):
    module = tf.keras.distribution
    mesh = module.DeviceMesh((1, 1), ["data", "model"], ["cpu:0"])
    parallel = module.ModelParallel(layout_map=module.LayoutMap(mesh), batch_dim_name="data")
    dataset = tf.data.Dataset.range(16).batch(8)
    assert parallel.distribute_dataset(dataset) is dataset
    for name, value in {"num_model_replicas": 4, "num_processes": 2}.items():
        monkeypatch.setattr(type(parallel), name, value)
    monkeypatch.setattr(parallel, "_is_multi_process", True)
    monkeypatch.setattr(parallel, "_process_id", 1)
    parts = list(parallel.distribute_dataset(dataset).as_numpy_iterator())
    np.testing.assert_array_equal(parts, [[4, 5, 6, 7], [12, 13, 14, 15]])
    with pytest.raises(ValueError, match="Global batch size must be divisible"):
        parallel.distribute_dataset(tf.data.Dataset.range(16).batch(7))
