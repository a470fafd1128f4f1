"""Containers are read as they were written, or refused."""

import io
import json
import os
import signal
import subprocess
import sys
import time
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.numpy import save_file

import cinta as tf
from cinta.errors import DataLossError, NotFoundError, OpError, UnimplementedError
from cinta.files import atomic, safetensors_header
from cinta.files.container import CHECKSUMS, Container, write_container
from cinta.progress import BarOfBytes, followed

ARRAYS = {
    "floats": np.arange(6, dtype=np.float32).reshape(2, 3),
    "small": np.array([1, 2, 3], np.int8),
    "pairs": np.array([1 + 2j]),
    "words": np.array([[b"a", b""], [b"\0", b"bcd"]], object),
    "nothing": np.zeros((2, 0)),
}


@pytest.fixture
def path(tmp_path):
    write_container(tmp_path / "x.safetensors", "test", {"a": [1, None]}, ARRAYS)
    return tmp_path / "x.safetensors"


def everything(path):
    container = Container(path)
    return container.document, {name: container.read(name) for name in container.names()}


def parts(content):
    """The header as Python values, and the data."""
    length = int.from_bytes(content[:8], "little")
    return json.loads(content[8 : 8 + length]), content[8 + length :]


def joined(header, data):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def test_what_is_written_is_read(path):
    container = Container(path)
    assert (container.kind, container.document) == ("test", {"a": [1, None]})
    assert sorted(container.names()) == sorted(ARRAYS)
    for name, array in ARRAYS.items():
        assert container.spec(name) == (array.dtype, array.shape)
        np.testing.assert_array_equal(container.read(name), array)
    with pytest.raises(NotFoundError, match="Key other not found"):
        container.read("other")
    assert os.listdir(path.parent) == [path.name]


def test_others_read_it(path):
    with safe_open(path, "np") as file:
        assert set(file.keys()) == {*ARRAYS, CHECKSUMS}
        np.testing.assert_array_equal(file.get_tensor("floats"), ARRAYS["floats"])
        assert file.metadata()["format"] == "test"


def test_what_others_wrote_is_read(tmp_path):
    arrays = {"a": np.arange(3.0), "b": np.ones((2, 2), np.float16)}
    save_file(arrays, tmp_path / "theirs.safetensors", {"format": "np"})
    container = Container(tmp_path / "theirs.safetensors")
    assert (container.kind, container.document) == (None, None)
    np.testing.assert_equal({name: container.read(name) for name in container.names()}, arrays)
    with pytest.raises(tf.errors.InvalidArgumentError, match="holds no graph of objects"):
        tf.train.Checkpoint().read(tmp_path / "theirs")
    assert tf.train.list_variables(tmp_path / "theirs") == [("a", [3]), ("b", [2, 2])]


def test_what_is_open_stays_what_it_was(path):
    container = Container(path)
    write_container(path, "test", None, {"floats": np.zeros(9)})
    np.testing.assert_array_equal(container.read("floats"), ARRAYS["floats"])


def test_dtypes_that_do_not_exist(tmp_path):
    with pytest.raises(TypeError, match="datetime64"):
        write_container(tmp_path / "x", "test", None, {"a": np.zeros(2, "M8[s]")})
    assert os.listdir(tmp_path) == []


# -- files that are not as they should be --------------------------------------------------------


@settings(max_examples=400)
@given(data=st.data())
def test_every_changed_bit_is_noticed(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("bits")
    write_container(folder / "x", "test", {"a": [1]}, ARRAYS)
    content = bytearray((folder / "x").read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= 1 << data.draw(st.integers(0, 7))
    (folder / "x").write_bytes(content)
    with pytest.raises(OpError, match="x "):
        everything(folder / "x")


def test_every_length_but_the_right_one_is_noticed(path):
    content = path.read_bytes()
    for length in (*range(len(content)), len(content) + 1):
        path.write_bytes((content + b"x")[:length])
        with pytest.raises(DataLossError, match=r"x\.safetensors is damaged"):
            everything(path)


@settings(max_examples=300)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused(tmp_path_factory, data):
    file = tmp_path_factory.mktemp("any") / "x"
    file.write_bytes(data)
    with pytest.raises(DataLossError, match="is damaged"):
        everything(file)


def slot(dtype="U8", shape=(2,), offsets=(0, 2), **more):
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets, **more}


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"[]", "not a JSON object"),
        (b"{", "Expecting property name"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a": NaN}', "NaN is not JSON"),
        (b'{"a": 1, "a": 2}', "a key stands twice"),
        (b"\xff\xfe", "codec can't decode"),
        ({"a": 3}, "must have a dtype, a shape and data_offsets"),
        ({"a": slot(more=1)}, "and nothing else"),
        ({"a": slot("PICKLE")}, "'PICKLE', which is not known"),
        ({"a": slot(["U8"])}, "which is not known"),
        ({"a": slot(shape=[-2])}, "which is not one"),
        ({"a": slot(shape=[True, 2])}, "which is not one"),
        ({"a": slot(shape=[1.0, 2])}, "which is not one"),
        ({"a": slot(shape=[1] * 65)}, "which is not one"),
        ({"a": slot(shape=[2**62, 4], offsets=[0, 0])}, "do not fit its shape"),
        ({"a": slot(shape=[3])}, "do not fit its shape"),
        ({"a": slot(offsets=[0, 2, 4])}, "not two whole numbers"),
        ({"a": slot(offsets=[-1, 1])}, "not two whole numbers"),
        ({"a": slot(offsets=[1, 3])}, "begins at byte 1 of the data, not at 0"),
        ({"a": slot(), "b": slot()}, "begins at byte 0 of the data, not at 2"),
        ({"a": slot(shape=[3], offsets=[0, 3])}, "2 bytes of data where there should be 3"),
        ({"a": slot(shape=[1], offsets=[0, 1])}, "2 bytes of data where there should be 1"),
        ({"a": slot(), "__metadata__": {"a": 1}}, "not a table of strings"),
        ({"a": slot(), "__metadata__": []}, "not a table of strings"),
        ({CHECKSUMS: slot(), "__metadata__": {"version": "1"}}, "not as many checksums"),
        ({"a": slot(), "__metadata__": {"document": "1", "version": "1"}}, "no checksums"),
    ],
)
def test_headers_that_make_no_sense(tmp_path, header, message):
    (tmp_path / "x").write_bytes(joined(header, b"ab"))
    with pytest.raises(DataLossError, match=f"x is damaged: .*{message}"):
        Container(tmp_path / "x")


def test_a_header_that_claims_to_be_huge(tmp_path):
    for length in (2**63, safetensors_header.LONGEST_HEADER + 1, 9):
        (tmp_path / "x").write_bytes(length.to_bytes(8, "little") + b"{}      ")
        with pytest.raises(DataLossError, match=f"claims a header of {length} bytes"):
            Container(tmp_path / "x")


def resealed(path, change):
    """Change the header of a container, and make its checksum right again."""
    header, data = parts(path.read_bytes())
    change(header["__metadata__"])
    content = joined(header, data)
    head = content[: -len(data)]
    checksums = np.frombuffer(data, np.uint32, len(ARRAYS) + 1, len(data) - 4 * len(ARRAYS) - 4)
    checksums = np.array([zlib.crc32(head), *checksums[1:]], np.uint32)
    path.write_bytes(content[: -checksums.nbytes] + checksums.tobytes())


@pytest.mark.parametrize(
    "forms",
    [
        [],
        {"other": {"dtype": "complex128"}},
        {"floats": {"dtype": "complex128"}},
        {"floats": {"dtype": "string", "shape": [2]}},
        {"words": {"dtype": "string", "shape": [2**40]}},
        {"words": {"dtype": "string", "shape": [-1]}},
        {"words": {"dtype": "string"}},
        {"words": {"dtype": "string", "shape": [3]}},
        {"words": {"dtype": "pickle"}},
        {"words": 3},
    ],
)
def test_forms_that_make_no_sense(path, forms):
    resealed(path, lambda metadata: metadata.update(forms=json.dumps(forms)))
    with pytest.raises(DataLossError, match=r"x\.safetensors is damaged"):
        everything(path)


def test_newer_versions_are_refused(path):
    resealed(path, lambda metadata: metadata.update(version="2"))
    with pytest.raises(UnimplementedError, match=r"has version '2' .* reads version 1"):
        Container(path)


GRAPHS = [
    [],
    {"nodes": []},
    {"nodes": [3]},
    {"nodes": [{"children": {"a": 1}}]},
    {"nodes": [{"children": {"a": -1}}]},
    {"nodes": [{"children": {"a": True}}]},
    {"nodes": [{"children": []}]},
    {"nodes": [{"values": {"VARIABLE_VALUE": "missing"}}]},
    {"nodes": [{"values": {"VARIABLE_VALUE": ["v"]}}]},
    {"nodes": [{"run": "print()"}]},
]


@pytest.mark.parametrize("graph", GRAPHS)
def test_graphs_that_make_no_sense(tmp_path, graph):
    write_container(tmp_path / "x.safetensors", "cinta.checkpoint", graph, {"v": np.zeros(2)})
    with pytest.raises(DataLossError, match="is damaged"):
        tf.train.Checkpoint().read(tmp_path / "x")


@pytest.mark.parametrize(
    "state", [3, {"run": "print()"}, {"int": "x"}, {"array": 3}, {"list": {}}, {}]
)
def test_states_that_make_no_sense(tmp_path, state):
    class Stateful:
        def _checkpoint_state(self):
            return {}

        def _restore_checkpoint_state(self, state):
            raise AssertionError("it was given a state")

    graph = {"nodes": [{"children": {"a": 1}}, {"state": state}]}
    write_container(tmp_path / "x.safetensors", "cinta.checkpoint", graph, {"v": np.zeros(2)})
    with pytest.raises(DataLossError, match=r"is not the state of an object|invalid literal"):
        tf.train.Checkpoint(a=Stateful()).read(tmp_path / "x")


# -- interruptions -------------------------------------------------------------------------------


def test_an_error_leaves_the_old_file(path):
    before = path.read_bytes()

    class Interrupted(Exception):
        pass

    with pytest.raises(Interrupted), atomic.replacing(path) as file:
        file.write(b"half of")
        raise Interrupted
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_what_writers_left_behind_goes_after_an_hour(path):
    old, new = (path.with_name(f"a.{name}.partial") for name in ("00000000", "11111111"))
    for file in (old, new, path.with_name("mine.partial")):
        file.write_bytes(b"")
        os.utime(file, (0, 0))
    os.utime(new)
    write_container(path, "test", None, {})
    assert sorted(os.listdir(path.parent)) == [new.name, "mine.partial", path.name]


SAVING = """
import sys, numpy as np, cinta as tf
step = tf.Variable(0)
parts = [tf.Variable(np.zeros(300_000, np.float32)) for _ in range(4)]
checkpoint = tf.train.Checkpoint(step=step, parts=parts)
manager = tf.train.CheckpointManager(checkpoint, sys.argv[1], max_to_keep=2)
manager.restore_or_initialize()
while True:
    step.assign_add(1)
    for part in parts:
        part.assign(np.full(300_000, float(step), np.float32))
    manager.save()
    print(int(step), flush=True)
"""


def test_whoever_is_killed_leaves_the_last_checkpoint(tmp_path):
    """Some die while they write, some while they rename, some while they delete."""
    rng = np.random.default_rng(int.from_bytes(os.urandom(4), "little"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = 0
    for _ in range(8):
        command = [sys.executable, "-c", SAVING, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
            told = [int(process.stdout.readline())]
            time.sleep(rng.uniform(0, 0.1))
            process.send_signal(signal.SIGKILL)
            told += map(int, process.stdout.read().split(b"\n")[:-1])
        assert told[0] == done + 1
        done = check(tmp_path, told[-1])


def check(path, told):
    """The step of the latest checkpoint, which is whole, and not older than was told."""
    step = tf.Variable(0)
    parts = [tf.Variable(np.zeros(300_000, np.float32)) for _ in range(4)]
    checkpoint = tf.train.Checkpoint(step=step, parts=parts)
    checkpoint.restore(tf.train.latest_checkpoint(path)).assert_consumed()
    assert int(step) in (told, told + 1)
    for part in parts:
        assert (part.numpy() == int(step)).all()
    return int(step)


# -- the bar -------------------------------------------------------------------------------------


class Screen(io.StringIO):
    def __init__(self, terminal):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal


@pytest.mark.parametrize(
    ("shown", "terminal", "expected"),
    [(None, True, True), (None, False, False), (True, False, True), (False, True, False)],
)
def test_bar_is_drawn_on_terminals_or_when_asked_for(monkeypatch, shown, terminal, expected):
    now = [0.0]
    monkeypatch.setattr("cinta.progress.time.monotonic", lambda: now[0])
    screen = Screen(terminal)
    bar = BarOfBytes("Writing x", 4_000_000, shown, screen)
    bar.add(1_000_000)
    assert screen.getvalue() == ""  # it may be over in no time
    now[0] = 1.0
    bar.add(1_000_000)
    bar.add(1_000_000)
    bar.add(1_000_000)
    bar.close()
    assert (screen.getvalue() != "") == expected
    if expected:
        first, last, end = screen.getvalue().replace("\r", "\n").split("\n")
        assert first == f"Writing x [{'#' * 15}{'.' * 15}] 2 of 4 MB, 2 MB/s"
        assert last == f"Writing x [{'#' * 30}] 4 of 4 MB, 4 MB/s"
        assert end == ""


@pytest.mark.parametrize("terminal", [True, False])
def test_long_jacobians_show_a_bar_on_terminals(monkeypatch, terminal):
    monkeypatch.setattr("cinta.progress._SECONDS_UNTIL_SHOWN", 0.0)
    monkeypatch.setattr("cinta.progress._SECONDS_BETWEEN", 0.0)
    screen = Screen(terminal)
    monkeypatch.setattr("sys.stderr", screen)
    x = tf.Variable(tf.range(6.0))
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    at_once = tape.jacobian(y, x, mode="reverse")
    assert screen.getvalue() == ""
    by_blocks = tape.jacobian(y, x, parallel_iterations=2, mode="reverse")
    assert (by_blocks.numpy() == at_once.numpy()).all()
    drawn = screen.getvalue().replace("\r", "\n").splitlines()
    ends = f"Jacobian [{'#' * 30}] 3 of 3"
    assert (drawn[-1:] == [ends], len(drawn) > 1) == (terminal, terminal)


def test_a_bar_that_is_left_early_ends_its_line(monkeypatch):
    monkeypatch.setattr("cinta.progress._SECONDS_UNTIL_SHOWN", 0.0)
    monkeypatch.setattr("cinta.progress._SECONDS_BETWEEN", 0.0)
    screen = Screen(True)
    monkeypatch.setattr("sys.stderr", screen)
    for part in followed("abc", "Work"):
        if part == "b":
            break
    assert screen.getvalue().endswith("1 of 3\n")
    assert list(followed("a", "Work")) == ["a"]


def test_setting_of_the_bar(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("cinta.progress._SECONDS_UNTIL_SHOWN", 0.0)
    try:
        tf.config.set_checkpoint_progress(True)
        tf.train.Checkpoint(v=tf.Variable(tf.zeros([9]))).write(tmp_path / "x")
    finally:
        tf.config.set_checkpoint_progress(None)
    assert "Writing x.safetensors" in capsys.readouterr().err
    with pytest.raises(TypeError, match="True, False or None, got 3"):
        tf.config.set_checkpoint_progress(3)


def test_bools_that_are_neither_true_nor_false(tmp_path):
    path = tmp_path / "x.safetensors"
    write_container(path, "cinta.checkpoint", None, {"a": np.array([2, 1], np.uint8)})
    header, data = parts(path.read_bytes())
    header["a"]["dtype"] = "BOOL"
    content = joined(header, data)
    sums = np.array([zlib.crc32(content[: -len(data)]), zlib.crc32(data[:2])], np.uint32)
    path.write_bytes(content[: -sums.nbytes] + sums.tobytes())
    with pytest.raises(DataLossError, match="neither 0 nor 1"):
        Container(path).read("a")
    with pytest.raises(DataLossError, match="neither 0 nor 1"):
        Container(path).read_into("a", np.zeros(2, bool))
