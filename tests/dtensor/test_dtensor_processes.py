"""Meshes whose devices are in two processes: the numbers of one process, and failures by name."""

import signal

import numpy as np
import pytest

from tests.distribute.processes import run_one, run_workers

pytest.importorskip("jax")

MESH = """
from cinta.experimental import dtensor
(cpu,) = tf.config.list_physical_devices("CPU")
here = int(os.environ.get("DTENSOR_CLIENT_ID", -1))
count = 4 if here < 0 else 2
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * count)
dtensor.initialize_accelerator_system("CPU")
mesh = dtensor.create_distributed_mesh([("x", 2), ("y", 2)])
on = lambda array, *specs: dtensor.copy_to_mesh(array, dtensor.Layout(specs, mesh))
whole = lambda t: dtensor.relayout(t, dtensor.Layout.replicated(mesh, t.shape.rank)).numpy()
A = np.arange(32, dtype="float32").reshape(8, 4)
"""

TRAINING = """
x = on(A, "x", "y")
w = dtensor.DVariable(np.eye(4, dtype="float32"), layout=dtensor.Layout(["y", "unsharded"], mesh))
losses = []
for i in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x / 32, w) - 1.0))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    losses.append(loss.numpy())
show(losses=losses, w=whole(w), specs=w.layout.sharding_specs)
parts = [part.numpy() for part in dtensor.unpack(x)]
show(packed=whole(dtensor.pack(parts, dtensor.Layout(["x", "y"], mesh))))
dtensor.barrier(mesh, "the end", 60_000)
"""


def test_two_processes_train_on_one_mesh_as_one_process_does():
    (first, _), (second, _) = run_workers(MESH + TRAINING)
    alone = run_one(MESH + TRAINING)
    assert first == second
    for key, value in alone.items():
        if key == "specs":
            assert first[key] == value
        else:
            np.testing.assert_allclose(first[key], value, rtol=1e-6, err_msg=key)


TOLD = """
show(clients=dtensor.num_clients(), jobs=len(dtensor.jobs()), job=dtensor.full_job_name())
show(devices=[dtensor.num_local_devices("CPU"), dtensor.num_global_devices("CPU")])
show(ids=mesh.local_device_ids(), names=mesh.local_devices(), places=[
    [*place.values()] for place in mesh.local_device_locations()])
try:
    on(A, "x", "y").numpy()
except tf.errors.UnimplementedError:
    show(refused=True)
try:
    dtensor.create_distributed_mesh([("x", 3)])
except ValueError as error:
    show(error=str(error))
"""


def test_a_process_tells_its_part_of_a_mesh():
    _, (second, _) = run_workers(MESH + TOLD)
    assert (second["clients"], second["jobs"]) == (2, 2)
    assert second["job"] == "worker/replica:0/task:1"
    assert second["devices"] == [2, 4]
    assert second["ids"] == [2, 3]
    assert second["names"] == [f"/job:worker/replica:0/task:1/device:CPU:{i}" for i in range(2)]
    assert second["places"] == [[1, 0], [1, 1]]
    assert second["refused"]
    assert "(2 per client * 2 clients = 4)" in second["error"]


FAILING = """
x = on(A, "x", "y")
try:
    if here == 1:
        match os.environ["HOW"]:
            case "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "another":
                tf.exp(x)
            case "barrier":
                time.sleep(30)
    if os.environ["HOW"] == "barrier":
        dtensor.barrier(mesh, "too early", 2000)
    tf.reduce_sum(x)
except Exception as error:
    show(kind=type(error).__name__)
    raise
"""


@pytest.mark.parametrize(
    ("how", "kind", "words", "status"),
    [
        ("killed", "UnavailableError", "is gone", -signal.SIGKILL),
        ("another", "RuntimeError", "waits at Exp of [8, 4]", "any failure"),
        ("barrier", "DeadlineExceededError", "waits at too early", None),
    ],
)
def test_a_process_that_does_not_take_part_is_named(how, kind, words, status):
    (found, said), *_ = run_workers(
        MESH + FAILING, expect=(1, status), environment={"HOW": how}.items()
    )
    assert found["kind"] == kind
    assert words in said
    assert "worker 1 (localhost:" in said


DECIDED_ALONE = """
x = on(A, "x", "y")
w = dtensor.DVariable(np.eye(4, dtype="float32"), layout=dtensor.Layout(["y", "unsharded"], mesh))
note = 0

@tf.function
def step(x):
    w.assign_sub((0.01 if note >= 0 else 0.02) * w)
    return tf.reduce_sum(tf.matmul(x, w))

found = []
for i in range(6):
    note = i if here and i in (2, 3) else 0  # which does not change the program
    found.append(step(x).numpy())
    if i == 4:
        with tf.GradientTape() as tape:
            found.append(step(x).numpy())
        found.append(tape.gradient(step(x), w) is None)
show(found=found)
"""


def test_processes_replay_a_function_together_or_not_at_all():
    (first, _), (second, _) = run_workers(MESH + DECIDED_ALONE)
    assert first == second
    assert first["found"] == pytest.approx(run_one(MESH + DECIDED_ALONE)["found"])
