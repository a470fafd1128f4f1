"""Functions on meshes of devices: one compiled program, with the numbers of one device."""

import numpy as np
import pytest

from tests.distribute.processes import run_one, run_workers

pytest.importorskip("jax")

BEGIN = """
from cinta.experimental import dtensor
(cpu,) = tf.config.list_physical_devices("CPU")
count = 4 if "DTENSOR_JOBS" not in os.environ else 2
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * count)
dtensor.initialize_accelerator_system("CPU")
mesh = dtensor.create_distributed_mesh([("x", 2), ("y", 2)])
layout = lambda *specs: dtensor.Layout(specs, mesh)
whole = lambda t: dtensor.relayout(t, dtensor.Layout.replicated(mesh, t.shape.rank)).numpy()
A = np.arange(32, dtype="float32").reshape(8, 4)
E = 2 * np.eye(4, dtype="float32")
x = dtensor.copy_to_mesh(A, layout("x", "y"))
"""

TRAINING = """
def trained(w, x, count):
    @tf.function
    def step(rate):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(x / 32, w) - 1.0))
        w.assign_sub(rate * tape.gradient(loss, w))
        count.assign_add(1)
        return loss, rate * 2.0
    found = [[y.numpy() for y in step(tf.constant(0.1 * i))] for i in range(4)]
    show(python=step.report().python_calls)
    return found

w = dtensor.DVariable(E, layout=layout("y", "unsharded"))
count = tf.Variable(0)
show(losses=trained(w, x, count), w=whole(w), count=count)
show(specs=w.layout.sharding_specs)
alone = tf.Variable(E)
show(plain=trained(alone, tf.constant(A), tf.Variable(0)), plain_w=alone)
"""


def check_training(found):
    np.testing.assert_allclose(found["losses"], found["plain"], rtol=1e-6)
    np.testing.assert_allclose(found["w"], found["plain_w"], rtol=1e-5, atol=1e-6)
    assert (found["python"], found["count"], found["specs"]) == (1, 4, ["y", "unsharded"])


def test_processes_run_one_program_for_a_function():
    (first, _), (second, _) = run_workers(BEGIN + TRAINING)
    assert first == second
    check_training(first)


MORE = """
@tf.function
def f(x, y):
    return tf.matmul(x, y), dtensor.relayout(x, layout("unsharded", "x"))
y = dtensor.copy_to_mesh(E, layout("y", "unsharded"))
results = [
    f(dtensor.copy_to_mesh(A, layout(*specs)), y)
    for specs in [("x", "y"), ("x", "y"), ("unsharded", "y"), ("x", "y")]
]
show(recorded=f.report().recordings, products=[whole(r[0]) for r in results])
show(relaid=[dtensor.fetch_layout(r[1]).sharding_specs for r in results])

@tf.function
def put(v):
    return dtensor.copy_to_mesh(v, layout("x", "y")) * 2.0
put(tf.constant(A))
show(put=whole(put(tf.constant(A + 1.0))))

@tf.function
def branch(v):
    return v * 2.0 if tf.reduce_sum(v) > 100.0 else v
show(branches=[whole(branch(x * s))[1, 0] for s in (1.0, 1.0, 0.0, 1.0)])
show(ways=branch.report().recordings)

@tf.function
def loss(v):
    return tf.reduce_sum(v**2)
loss(x)
with tf.GradientTape() as tape:
    tape.watch(x)
    value = loss(x)
show(gradient=whole(tape.gradient(value, x)))

v = dtensor.DVariable(A, layout=layout("x", "unsharded"))
v[0].assign(5.0)
v[1, 1].assign(7.0)
v[2:4].assign(dtensor.copy_to_mesh(E[:2], layout("unsharded", "unsharded")))
for wrong, error in [(tf.ones([4]), "UnimplementedError"), (np.ones(3), "InvalidArgumentError")]:
    try:
        v[0].assign(tf.cast(wrong, tf.float32))
    except Exception as found:
        assert type(found).__name__ == error, found
assigning = tf.function(lambda value: v[7].assign(value))
assigning(tf.constant(1.0))
assigning(tf.constant(3.0))
show(parts=whole(v), part_specs=v.layout.sharding_specs)
"""


def test_functions_on_a_mesh_compute_what_one_device_does():
    found = run_one(BEGIN + TRAINING + MORE)
    check_training(found)
    a, e = np.arange(32, dtype="f4").reshape(8, 4), 2 * np.eye(4, dtype="f4")
    assert found["recorded"] == 2
    np.testing.assert_array_equal(found["products"], [a @ e] * 4)
    assert found["relaid"] == [["unsharded", "x"]] * 4
    np.testing.assert_array_equal(found["put"], 2 * (a + 1))
    assert (found["branches"], found["ways"]) == ([8.0, 8.0, 0.0, 8.0], 2)
    np.testing.assert_array_equal(found["gradient"], 2 * a)
    a[0], a[1, 1], a[2:4], a[7] = 5.0, 7.0, e[:2], 3.0
    np.testing.assert_array_equal(found["parts"], a)
    assert found["part_specs"] == ["x", "unsharded"]


SAVED = """
import tempfile

class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = dtensor.DVariable(E, layout=layout("x", "y"))
        self.calls = dtensor.DVariable(0.0, layout=layout())

    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32)])
    def __call__(self, x):
        self.calls.assign_add(1.0)
        return tf.nn.relu(tf.matmul(x, self.w))

model = Model()
for format in ("cinta", "tensorflow"):
    folder = tempfile.mkdtemp()
    options = tf.saved_model.SaveOptions(format=format)
    tf.saved_model.save(model, folder, options=options)
    loaded = tf.saved_model.load(folder)
    show(**{f"{format} result": loaded(A), f"{format} w": loaded.w})
    show(**{f"{format} calls": loaded.calls})
show(specs=model.w.layout.sharding_specs)
show(on_mesh=whole(model(x)))
"""


def test_functions_on_meshes_are_saved_for_programs_without():
    found = run_one(BEGIN + SAVED)
    doubled = 2.0 * np.arange(32).reshape(8, 4)
    for format in ("cinta", "tensorflow"):
        np.testing.assert_array_equal(found[f"{format} result"], doubled)
        np.testing.assert_array_equal(found[f"{format} w"], 2 * np.eye(4))
        assert found[f"{format} calls"] == 1.0
    assert found["specs"] == ["x", "y"]
    np.testing.assert_array_equal(found["on_mesh"], doubled)
