"""Checkpoints of variables that lie on the devices of several processes."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import cinta as tf
from cinta.files.container import Container, write_container
from tests.distribute.processes import run_one, run_workers

pytest.importorskip("jax")

MESH = """
from cinta.experimental import dtensor
(cpu,) = tf.config.list_physical_devices("CPU")
alone = "DTENSOR_JOBS" not in os.environ
count = 4 if alone else 2
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * count)
dtensor.initialize_accelerator_system("CPU")
folder = os.environ["FOLDER"]
def variables(mesh, first, second, fill):
    layout = lambda *specs: dtensor.Layout(specs, mesh)
    numbers = np.arange(32, dtype="float32").reshape(8, 4)
    return {
        "w": dtensor.DVariable(fill * numbers, layout=layout(*first)),
        "b": dtensor.DVariable(fill * numbers[0], layout=layout(*second)),
        "n": dtensor.DVariable(np.int64(fill * 7), layout=layout()),
        "plain": tf.Variable(fill * 3.0),
    }
def whole(t):
    replicated = dtensor.Layout.replicated(t.layout.mesh, t.shape.rank)
    return dtensor.relayout(t, replicated).numpy()
def show_all(name, given):
    values = {k: whole(v) if k != "plain" else v.numpy() for k, v in given.items()}
    show(**{f"{name} {key}": value for key, value in values.items()})
"""

WRITTEN = """
mesh = dtensor.create_distributed_mesh([("x", 2), ("y", 2)])
saved = variables(mesh, ("x", "y"), ("y",), 1)
manager = tf.train.CheckpointManager(tf.train.Checkpoint(**saved), folder, max_to_keep=1)
manager.save()
saved["plain"].assign(4.0)
manager.save()
other = dtensor.create_distributed_mesh([("x", 4)])
read = variables(other, ("unsharded", "x"), ("unsharded",), 0)
tf.train.Checkpoint(**read).restore(manager.latest_checkpoint).assert_consumed()
show_all("read", read)
show(specs=read["w"].layout.sharding_specs)

handler = tf.distribute.experimental.PreemptionCheckpointHandler(
    None,
    tf.train.Checkpoint(**read),
    folder + "/preempted",
    tf.distribute.experimental.TerminationConfig(
        termination_watcher_fn=lambda: here_ends[0], exit_fn=lambda: None)
)
here_ends = [False]
handler.run(lambda: read["w"].assign_add(read["w"]))
here_ends = [os.environ["DTENSOR_CLIENT_ID"] == "1"]
handler.save_checkpoint_if_preempted()
"""

READ = """
mesh = dtensor.create_mesh([("x", 1), ("y", 4)], devices=[f"CPU:{i}" for i in range(4)])
read = variables(mesh, ("unsharded", "y"), ("y",), 0)
path = tf.train.latest_checkpoint(folder)
tf.train.Checkpoint(**read).restore(path).assert_consumed()
show_all("read", read)
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("written")
    environment = {"FOLDER": str(folder)}
    return folder, run_workers(MESH + WRITTEN, environment=environment.items())


NUMBERS = np.arange(32, dtype="float32").reshape(8, 4)


def check(found, plain=4.0):
    np.testing.assert_array_equal(found["read w"], NUMBERS)
    np.testing.assert_array_equal(found["read b"], NUMBERS[0])
    assert (found["read n"], found["read plain"]) == (7, plain)


def test_two_processes_write_and_read_in_another_layout(written):
    folder, ((first, _), (second, _)) = written
    check(first)
    check(second)
    assert first["specs"] == ["unsharded", "x"]
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == [
        "checkpoint",
        "ckpt-2.part-00001-of-00002.safetensors",
        "ckpt-2.part-00002-of-00002.safetensors",
        "ckpt-2.safetensors",
    ]


def test_one_process_reads_what_two_have_written(written, monkeypatch):
    folder, _ = written
    monkeypatch.setenv("FOLDER", str(folder))
    check(run_one(MESH + READ))
    w, plain = tf.Variable(np.zeros_like(NUMBERS)), tf.Variable(0.0)
    path = tf.train.latest_checkpoint(folder)
    tf.train.Checkpoint(w=w, plain=plain).restore(path)
    np.testing.assert_array_equal(w, NUMBERS)
    assert plain == 4.0
    reader = tf.train.load_checkpoint(path)
    assert reader.get_variable_to_shape_map()["w/.ATTRIBUTES/VARIABLE_VALUE"] == [8, 4]
    np.testing.assert_array_equal(reader.get_tensor("w/.ATTRIBUTES/VARIABLE_VALUE"), NUMBERS)


def test_a_preempted_program_saves_the_parts_of_all_processes(written):
    folder, _ = written
    reader = tf.train.load_checkpoint(folder / "preempted")
    np.testing.assert_array_equal(reader.get_tensor("w/.ATTRIBUTES/VARIABLE_VALUE"), 2 * NUMBERS)
    assert reader.get_tensor("checkpointed_runs/.ATTRIBUTES/VARIABLE_VALUE") == 1


@pytest.fixture
def copied(written, tmp_path):
    shutil.copytree(written[0], tmp_path / "copy")
    return tmp_path / "copy"


def refused(folder, error, words):
    w = tf.Variable(np.ones_like(NUMBERS))
    with pytest.raises(error, match=words):
        tf.train.Checkpoint(w=w).restore(tf.train.latest_checkpoint(folder))
    np.testing.assert_array_equal(w, np.ones_like(NUMBERS))


PART = "ckpt-2.part-00002-of-00002.safetensors"


def test_a_part_that_is_missing_is_named(copied):
    (copied / PART).unlink()
    refused(copied, tf.errors.NotFoundError, f"lacks one of its 2 parts: .*{PART}")


def test_a_part_of_another_saving_is_named(copied):
    part = Container(copied / PART)
    arrays = {name: part.read(name) for name in part.names()}
    write_container(copied / PART, part.kind, {"token": "another"}, arrays)
    refused(copied, tf.errors.DataLossError, f"{PART} is not a part of .*ckpt-2.safetensors")


def test_a_part_that_is_damaged_is_named(copied):
    data = bytearray((copied / PART).read_bytes())
    place = data.index(np.float32(16.0).tobytes())  # the first number of this process
    data[place + 2] ^= 1
    (copied / PART).write_bytes(data)
    refused(copied, tf.errors.DataLossError, f"{PART} is damaged: .* another checksum")


def test_a_piece_of_another_shape_is_named(copied):
    part = Container(copied / PART)
    arrays = {name: part.read(name)[:1] for name in part.names()}
    write_container(copied / PART, part.kind, part.document, arrays)
    refused(copied, tf.errors.DataLossError, f"{PART} is damaged: a piece of 'w")


def changed(row, **fields):
    return row | fields


HOSTILE = {
    "no table": lambda table, row: [],
    "no token": lambda table, row: {"count": 2, "arrays": {}},
    "a negative count": lambda table, row: table | {"count": -1},
    "a part beyond": lambda table, row: changed(table, arrays={"w": row | {"parts": [9] * 4}}),
    "too few parts": lambda table, row: changed(table, arrays={"w": row | {"parts": [0]}}),
    "a piece of nothing": lambda table, row: changed(table, arrays={"w": row | {"piece": [0, 2]}}),
    "pieces that do not fit": lambda table, row: changed(
        table, arrays={"w": row | {"piece": [3, 2]}}
    ),
    "another dtype": lambda table, row: changed(table, arrays={"w": row | {"dtype": "float9"}}),
    "a large shape": lambda table, row: changed(
        table, arrays={"w": row | {"shape": [1 << 40, 1 << 40], "piece": [1 << 40, 1 << 40]}}
    ),
    "a row that is none": lambda table, row: changed(table, arrays={"w": 7}),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_hostile_tables_are_refused(copied, how):
    path = Path(copied) / "ckpt-2.safetensors"
    found = Container(path)
    document = json.loads(json.dumps(found.document))
    row = document["parts"]["arrays"]["w/.ATTRIBUTES/VARIABLE_VALUE"]
    document["parts"] = HOSTILE[how](document["parts"], row)
    arrays = {name: found.read(name) for name in found.names()}
    write_container(path, found.kind, document, arrays)
    refused(copied, tf.errors.DataLossError, "ckpt-2.safetensors is damaged: the table of parts")
