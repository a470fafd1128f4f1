"""`keras.distribution` with the devices of two processes: the numbers of one process."""

import numpy as np
import pytest

from tests.distribute.processes import run_one, run_workers

pytest.importorskip("jax")

BEGIN = """
keras = tf.keras
layers, distribution = keras.layers, keras.distribution
jobs, here = os.environ.get("DTENSOR_JOBS"), int(os.environ.get("DTENSOR_CLIENT_ID", 0))
(cpu,) = tf.config.list_physical_devices("CPU")
part = tf.config.LogicalDeviceConfiguration()
tf.config.set_logical_device_configuration(cpu, [part] * (2 if jobs else 4))
if jobs:
    distribution.initialize(jobs, 2, here)
random = np.random.default_rng(0)
X = random.normal(size=(18, 8)).astype("float32")
Y = random.normal(size=(18, 3)).astype("float32")
"""

TRAINING = """
show(devices=len(distribution.list_devices()))
mesh = distribution.DeviceMesh((2, 2), ["batch", "model"], distribution.list_devices())
layouts = distribution.LayoutMap(mesh)
layouts[".*wide/kernel"] = (None, "model")
layouts[".*wide/bias"] = ("model",)
layouts[".*last/kernel"] = ("model", None)

def train(kind):
    keras.utils.set_random_seed(1 + here)  # the weights of the first process count
    model = keras.Sequential([
        keras.Input((8,)), layers.Dense(16, "relu", name="wide"), layers.Dense(3, name="last")])
    keras.utils.set_random_seed(1)
    model.compile("sgd", "mse")
    data = tf.data.Dataset.from_tensor_slices((X, Y)).shuffle(18, seed=1).batch(8)
    show(**{kind + " losses": model.fit(data, epochs=2, verbose=0).history["loss"]})
    show(**{kind + " weights": np.concatenate([w.ravel() for w in model.get_weights()])})
    show(**{kind + " predicted": model.predict(data.map(lambda x, y: x), verbose=0)})

distribution.set_distribution(distribution.DataParallel())
train("data")
distribution.set_distribution(distribution.ModelParallel(layout_map=layouts))
train("model")
"""


def test_models_train_in_two_processes_as_in_one():
    (first, _), (second, _) = run_workers(BEGIN + TRAINING)
    alone = run_one(BEGIN + TRAINING)
    assert first == second
    assert alone.pop("devices") == first["devices"] == 4
    assert len(alone) == 6
    for name, values in alone.items():
        np.testing.assert_allclose(first[name], values, rtol=2e-5, atol=1e-6, err_msg=name)


OTHER = """
distribution.set_distribution(distribution.DataParallel())
model = keras.Sequential([keras.Input((8,)), layers.Dense(3)])
model.compile("sgd", "mse")
try:
    model.fit(tf.data.Dataset.from_tensor_slices((X + here, Y)).batch(8), verbose=0)
except ValueError as error:
    show(told=str(error).partition(", and")[0])

def fitted(x, y, size, **options):
    distribution.set_distribution(distribution.DataParallel(**options))
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input((8,)), layers.Dense(3)])
    model.compile("sgd", "mse")
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(size)
    return model.fit(data, verbose=0).history["loss"]

mine = np.arange(16).reshape(4, 2, 2)[:, here].ravel()  # two of each four rows
show(whole=fitted(X[:16], Y[:16], 4))
show(divided=fitted(X[mine], Y[mine], 2, auto_shard_dataset=False))
"""


def test_each_process_has_the_same_batches_or_its_part_of_them():
    (first, _), (second, _) = run_workers(BEGIN + OTHER)
    assert first == second
    assert first["told"] == "The processes have different batches"
    np.testing.assert_allclose(first["divided"], first["whole"], rtol=1e-5)


ALONE = """
mesh = distribution.DeviceMesh((2, 2), ["batch", "model"], distribution.list_devices())
layouts = distribution.LayoutMap(mesh)
layouts["kernel"] = (None, "model")
distribution.set_distribution(distribution.ModelParallel(layout_map=layouts))
kernel = keras.Variable(X[:8, :4], name="kernel")
if here == 0:  # the other one goes on
    show(shown=repr(kernel))
total = tf.function(lambda x: tf.reduce_sum(kernel * x))
show(totals=[total(tf.constant(2.0)).numpy() for _ in range(3)])
"""


def test_a_process_describes_values_by_itself():
    (first, _), (second, _) = run_workers(BEGIN + ALONE)
    assert first.pop("shown") == "<Variable path=kernel, shape=(8, 4), dtype=float32>"
    assert first == second
