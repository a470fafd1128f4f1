"""Tensors on meshes: values are those of plain tensors, and layouts are TensorFlow's."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cinta as tf
from cinta.experimental import dtensor

PROGRAM = """
import json, sys, tempfile, warnings
import numpy as np
import cinta as tf
from cinta.experimental import dtensor
from cinta.experimental.dtensor import Layout

warnings.simplefilter("ignore")
(cpu,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 8)
mesh = dtensor.create_mesh([("x", 2), ("y", 4)], devices=[f"CPU:{i}" for i in range(8)])
A = np.arange(32, dtype="float32").reshape(8, 4)
E = np.eye(4, dtype="float32") * 2
whole = lambda t: dtensor.relayout(t, Layout.replicated(mesh, t.shape.rank)).numpy().tolist()
on = lambda array, *specs: dtensor.copy_to_mesh(array, Layout(specs, mesh))
found = {}

def note(name, tensor):
    found[name] = [dtensor.fetch_layout(tensor).sharding_specs, whole(tensor)]

x, b, r = on(A, "x", "y"), on(A, "x", "unsharded"), on(A, "unsharded", "unsharded")
sq, rows = on(E, "unsharded", "unsharded"), on(E, "y", "unsharded")
OPS = {
    "x + x": lambda: x + x, "b + r": lambda: b + r, "2 x": lambda: 2.0 * x,
    "exp": lambda: tf.exp(b / 32),
    "sum": lambda: tf.reduce_sum(x), "sum 0": lambda: tf.reduce_sum(x, 0),
    "matmul": lambda: tf.matmul(x, rows), "batch": lambda: tf.matmul(b, sq),
    "transpose": lambda: tf.transpose(x), "softmax": lambda: tf.nn.softmax(b),
    "reshape": lambda: tf.reshape(b, [8, 2, 2]), "concat": lambda: tf.concat([b, b], 1),
    "where": lambda: tf.where(x > 5.0, x, x + 1), "argmax": lambda: tf.argmax(b, 1),
    "part": lambda: b[:, :2], "zeros": lambda: tf.zeros_like(x) + x,
}
for name, op in OPS.items():
    note(name, op())
found["parts"] = [[p.device[-5:], p.numpy().tolist()] for p in dtensor.unpack(x)]
note("pack", dtensor.pack([tf.constant([float(i)]) for i in range(8)], Layout(["x"], mesh)))
note("random", dtensor.call_with_layout(
    tf.random.stateless_normal, Layout(["x", "y"], mesh), shape=(4, 8), seed=(1, 1)))
found["plain random"] = tf.random.stateless_normal((4, 8), seed=(1, 1)).numpy().tolist()

def train(weights, data, function):
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(data / 32, weights) - 1.0))
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
        return loss
    call = tf.function(step) if function else step
    return [call() for _ in range(3)]

for function in (False, True):
    w = dtensor.DVariable(rows)
    losses = train(w, x, function)
    plain = tf.Variable(E)
    expected = train(plain, tf.constant(A), function)
    found[f"losses {function}"] = [[whole(a), b.numpy().item()] for a, b in zip(losses, expected)]
    found[f"weights {function}"] = [whole(w), plain.numpy().tolist()]
    found[f"layout {function}"] = w.layout.sharding_specs

with tempfile.TemporaryDirectory() as folder:
    path = tf.train.Checkpoint(w=w).save(folder + "/ckpt")
    other = dtensor.DVariable(on(np.zeros_like(E), "unsharded", "x"))
    tf.train.Checkpoint(w=other).restore(path)
    alone = tf.Variable(np.zeros_like(E))
    tf.train.Checkpoint(w=alone).restore(path)
found["restored"] = [whole(w), whole(other), alone.numpy().tolist(), other.layout.sharding_specs]

look = tf.function(lambda i: tf.gather(x, i))
for name, wrong in {
    "numpy": lambda: x.numpy(),
    "plain": lambda: x + tf.ones([4]),
    "divides": lambda: on(np.ones((3, 4), "float32"), "x", "y"),
    "meshes": lambda: x + dtensor.copy_to_mesh(A, Layout.replicated(dtensor.create_mesh(), 2)),
    "assign": lambda: w.assign(tf.ones([4, 4])),
    "other mesh": lambda: w.assign(
        dtensor.copy_to_mesh(E, Layout.replicated(dtensor.create_mesh(), 2))),
    "pack": lambda: dtensor.pack([tf.ones([1])], Layout(["x"], mesh)),
    "index": lambda: tf.gather(x, tf.constant(9)),
    "index in a function": lambda: [look(tf.constant(i)) for i in (1, 2, 9)],
    "division": lambda: on([4, 2], "x") // on([2, 0], "x"),
    "class": lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(on([1, 4], "x"), x[:2]),
    "number": lambda: tf.debugging.check_numerics(x / 0.0, "wrong"),
}.items():
    try:
        found["error " + name] = str(wrong())
    except Exception as error:
        found["error " + name] = type(error).__name__
with dtensor.default_mesh(mesh):
    note("default", x + tf.ones([4]))
    found["default parts"] = [part.numpy().tolist() for part in dtensor.unpack(tf.range(2))]
found["repr"] = [repr(x), str(on([1.5, 2.0], "unsharded"))]
print(json.dumps(found))
"""

A = np.arange(32, dtype="float32").reshape(8, 4)
E = np.eye(4, dtype="float32") * 2
U = "unsharded"
OPS = {
    "x + x": (["x", "y"], A + A),
    "b + r": (["x", U], A + A),
    "2 x": (["x", "y"], 2 * A),
    "exp": (["x", U], np.exp(A / 32)),
    "sum": ([], A.sum()),
    "sum 0": (["y"], A.sum(0)),
    "matmul": (["x", U], A @ E),
    "batch": (["x", U], A @ E),
    "transpose": (["y", "x"], A.T),
    "softmax": (["x", U], np.exp(A) / np.exp(A).sum(1, keepdims=True)),
    "reshape": (["x", U, U], A.reshape(8, 2, 2)),
    "concat": (["x", U], np.concatenate([A, A], 1)),
    "where": (["x", "y"], np.where(A > 5, A, A + 1)),
    "argmax": (["x"], A.argmax(1)),
    "part": (["x", U], A[:, :2]),
    "zeros": (["x", "y"], A),
    "default": (["x", "y"], A + 1),
    "pack": (["x"], [0, 4]),
}


@pytest.fixture(scope="module")
def found():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {"PYTHONPATH": str(Path(tf.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert not done.returncode, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", OPS)
def test_values_and_layouts_of_ops(found, name):
    specs, values = found[name]
    assert specs == OPS[name][0]
    np.testing.assert_allclose(values, OPS[name][1], rtol=1e-6)


def test_parts_are_those_of_the_devices(found):
    devices, values = zip(*found["parts"], strict=True)
    assert [*devices] == [f"CPU:{i}" for i in range(8)]
    expected = [A[4 * i : 4 * i + 4, j : j + 1].tolist() for i in range(2) for j in range(4)]
    assert [*values] == expected


def test_random_numbers_do_not_depend_on_the_layout(found):
    assert found["random"] == [["x", "y"], found["plain random"]]


@pytest.mark.parametrize("function", ["False", "True"])
def test_training_on_a_mesh_gives_the_numbers_of_one_device(found, function):
    losses = np.array(found[f"losses {function}"])
    np.testing.assert_allclose(losses[:, 0], losses[:, 1], rtol=1e-6)
    weights, plain = found[f"weights {function}"]
    np.testing.assert_allclose(weights, plain, rtol=1e-5, atol=1e-6)
    assert found[f"layout {function}"] == ["y", U]


def test_checkpoints_do_not_depend_on_layouts(found):
    saved, restored, alone, specs = found["restored"]
    assert saved == restored == alone
    assert specs == [U, "x"]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("numpy", "UnimplementedError"),
        ("plain", "UnimplementedError"),
        ("divides", "UnknownError"),
        ("meshes", "InvalidArgumentError"),
        ("assign", "UnimplementedError"),
        ("other mesh", "InvalidArgumentError"),
        ("pack", "InvalidArgumentError"),
        ("index", "InvalidArgumentError"),
        ("index in a function", "InvalidArgumentError"),
        ("division", "InvalidArgumentError"),
        ("class", "InvalidArgumentError"),
        ("number", "InvalidArgumentError"),
    ],
)
def test_errors(found, name, error):
    assert found[f"error {name}"] == error


def test_tensors_show_the_parts_of_devices(found):
    sharded, replicated = found["repr"]
    assert 'value={"CPU:0": [[0]\n [4]\n [8]\n [12]], "CPU:1"' in sharded
    assert 'layout="sharding_specs:x,y, mesh:|x=2,y=4|0,1,2,3,4,5,6,7|' in sharded
    assert replicated.startswith('tf.Tensor([1.5 2], layout="sharding_specs:unsharded, mesh:')


@pytest.fixture
def alone():
    pytest.importorskip("jax")
    return dtensor.create_mesh([("x", 1)], devices=["CPU:0"])


def test_a_mesh_tells_its_devices(alone):
    assert alone.dim_size("x") == alone.size == 1
    assert alone["x"] == ("x", 1)
    assert alone.unravel_index() == {0: {"x": 0}}
    assert alone == dtensor.create_mesh({"x": 1}, devices=["/CPU:0"])
    with pytest.raises(ValueError, match="Dimension z does not exist in mesh"):
        alone.dim_size("z")
    with pytest.raises(ValueError, match="length of devices"):
        dtensor.create_mesh([("x", 2)], devices=["CPU:0"])
    with pytest.raises(ValueError, match="No matching devices found for `device_type` 'GPU'"):
        dtensor.create_mesh([("x", 2)], device_type="GPU")


def test_a_tensor_counts_as_one_on_the_default_mesh(found):
    assert found["default parts"] == [[0, 1]] * 8


def test_layouts_are_checked(alone):
    assert dtensor.Layout.batch_sharded(alone, "x", rank=2).sharding_specs == ["x", U]
    assert dtensor.Layout.inner_sharded(alone, "x", rank=2).sharding_specs == [U, "x"]
    assert dtensor.Layout([U, U, U], alone).shape == alone.shape() == [1]
    with pytest.raises(ValueError, match="must either be a valid mesh dimension"):
        dtensor.Layout(["z"], alone)
    with pytest.raises(ValueError, match="was repeated"):
        dtensor.Layout(["x", "x"], alone)
    with pytest.raises(TypeError, match="`mesh` must be"):
        dtensor.Layout(["x"], "mesh")
    with pytest.raises(TypeError, match="`layout` must be"):
        dtensor.copy_to_mesh(1.0, "x")


def test_meshes_and_layouts_are_read_from_what_they_show(alone):
    layouts = [dtensor.Layout(names, alone) for names in ([], ["x"], [U, "x"])]
    for each in (alone, *layouts):
        assert type(each).from_string(each.to_string()) == each
    devices = [f"/job:worker/replica:0/task:1/device:CPU:{i}" for i in range(2)]
    part = dtensor.Mesh(["x", "y"], np.arange(4).reshape(2, 2), [2, 3], devices, "named")
    assert dtensor.Mesh.from_string(part.to_string()) == part
    for wrong in ("nonsense", "|x=2|0,1|0|CPU:0|", "|x=3|0,1|0|CPU:0"):
        with pytest.raises(ValueError, match="Input string is invalid"):
            dtensor.Mesh.from_string(wrong)
    with pytest.raises(ValueError, match="Input string is invalid"):
        dtensor.Layout.from_string(alone.to_string())
    with pytest.raises(ValueError, match="must either be a valid mesh dimension"):
        dtensor.Layout.from_string(layouts[1].to_string().replace(":x", ":z"))


def test_strings_do_not_lie_on_a_mesh(alone):
    with pytest.raises(tf.errors.UnimplementedError, match="Strings do not lie on a mesh"):
        dtensor.copy_to_mesh(["a", "b"], dtensor.Layout(["x"], alone))


def test_variables_on_a_mesh(alone):
    layout = dtensor.Layout(["x"], alone)
    v = dtensor.DVariable(lambda: tf.ones([2]), layout=layout)
    assert v.assign(v * 0.5).numpy().tolist() == [0.5, 0.5]
    v.scatter_add(tf.IndexedSlices(dtensor.copy_to_mesh([1.0], layout), [1]))
    assert v.numpy().tolist() == [0.5, 1.5]
    dtensor.check_layout(v, layout)
    with pytest.raises(ValueError, match="did not match expected layout"):
        dtensor.check_layout(v, dtensor.Layout([U], alone))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Neither layout nor DTensor"):
        dtensor.DVariable(tf.ones([4]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Conflicting layout"):
        dtensor.DVariable(v.read_value(), layout=dtensor.Layout([U], alone))
    with pytest.raises(tf.errors.InvalidArgumentError, match="FetchLayout expects"):
        dtensor.fetch_layout(tf.ones([2]))


def test_gradients_go_through_the_copy_to_a_mesh(alone):
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        x = dtensor.copy_to_mesh(w, dtensor.Layout(["x"], alone))
        loss = tf.reduce_sum(x**3)
    assert tape.gradient(loss, w).numpy().tolist() == [3.0, 12.0]
