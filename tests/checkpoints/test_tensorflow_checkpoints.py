"""Checkpoints that TensorFlow wrote are read: see tools/tensorflow_checkpoints.py."""

import contextlib
import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cinta as tf
from cinta.checkpoints.bundle.index_table import entries
from cinta.checkpoints.bundle.slice_keys import slice_key
from cinta.checkpoints.bundle.snappy import decompressed
from cinta.errors import DataLossError, InvalidArgumentError, NotFoundError, OpError
from cinta.files.crc32c import crc32c
from tests.fuzzing import bundles
from tests.references import REFERENCES

FOLDER = REFERENCES / "checkpoints"
VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"


class Dense(tf.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.w = tf.Variable(tf.zeros([inputs, outputs]))
        self.b = tf.Variable(tf.zeros([outputs]))


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [Dense(2, 3), Dense(3, 1)]
        self.table = {"a/b.c": tf.Variable([0, 0, 0])}
        self.pair = (self.layers[0].w, tf.Variable(False))
        self.words = tf.Variable(["", "", ""])
        self.generator = tf.random.Generator.from_seed(1)
        self.again = self


def test_a_model_of_the_same_names_gets_its_values():
    model, step = Model(), tf.Variable(0, dtype=tf.int64)
    checkpoint = tf.train.Checkpoint(model=model, step=step)
    checkpoint.restore(tf.train.latest_checkpoint(FOLDER / "objects")).assert_consumed()
    np.testing.assert_array_equal(model.layers[0].w, [[10, 11, 12], [13, 14, 15]])
    np.testing.assert_array_equal(model.layers[1].w, [[20], [21], [22]])
    np.testing.assert_array_equal(model.layers[1].b, [20])
    assert model.pair[1].numpy()
    assert model.table["a/b.c"].numpy().tolist() == [1, 2, 3]
    assert model.words.numpy().tolist() == [b"", "ñandú".encode(), b"x" * 200]
    assert model.generator.state.numpy().tolist() == [7, 0, 0]
    assert (step.numpy(), checkpoint.save_counter.numpy()) == (5, 1)


def test_a_model_can_come_later(tmp_path):
    checkpoint = tf.train.Checkpoint(step=tf.Variable(0, dtype=tf.int64))
    status = checkpoint.restore(FOLDER / "objects" / "ckpt-1")
    checkpoint.model = Model()
    status.assert_consumed()
    path = checkpoint.save(tmp_path / "ours")
    assert path.endswith("ours-2")
    assert tf.train.list_variables(path) == tf.train.list_variables(FOLDER / "objects")


def test_every_dtype():
    reader = tf.train.load_checkpoint(FOLDER / "dtypes")
    names = [name.removesuffix(VALUE) for name in reader.get_variable_to_shape_map()]
    assert len(names) == 18
    for name in set(names) - {"empty"}:
        found = reader.get_tensor(name + VALUE)
        assert reader.get_variable_to_dtype_map()[name + VALUE] == name
        assert found.dtype == tf.as_dtype(name).dtype
        expected = np.array([0, 1, 1, 2, 3]).astype(found.dtype)
        assert found.tobytes() == expected.tobytes()
    assert reader.get_tensor("empty" + VALUE).shape == (0, 3)


def test_slices_in_several_files():
    big, small = tf.Variable(tf.zeros([24, 4])), tf.Variable([0.0])
    tf.train.Checkpoint(big=big, small=small).read(FOLDER / "slices").assert_consumed()
    np.testing.assert_array_equal(big, np.arange(96).reshape(24, 4))
    assert small.numpy() == [7]


def test_names_without_objects():
    reader = tf.train.load_checkpoint(FOLDER / "by_name")
    assert reader.get_variable_to_shape_map() == {
        "beta1_power": [],
        "beta2_power": [],
        "scope/parts": [10],
        "w": [2],
        "w/Adam": [2],
        "w/Adam_1": [2],
    }
    assert reader.get_tensor("scope/parts").tolist() == list(range(10))
    assert tf.train.load_variable(FOLDER / "by_name", "w:0") == pytest.approx([0.5, 1.5])
    with pytest.raises(InvalidArgumentError, match="holds no graph of objects"):
        tf.train.Checkpoint().restore(FOLDER / "by_name")


def test_slots_of_an_optimizer():
    w = tf.Variable([0.0, 0.0])
    status = tf.train.Checkpoint(w=w).read(FOLDER / "slots")
    assert w.numpy() == pytest.approx([0.5, 1.5])
    with pytest.raises(AssertionError, match=r"\(root\)\.optimizer\.beta1_power"):
        status.assert_consumed()
    slot = f"w/.OPTIMIZER_SLOT/optimizer/m{VALUE}"
    assert tf.train.load_variable(FOLDER / "slots", slot) == pytest.approx([0.2, 0.4])


# -- the parts -----------------------------------------------------------------------------------


def crc32c_by_bits(data):
    state = 0xFFFFFFFF
    for byte in data:
        state ^= byte
        for _ in range(8):
            state = state >> 1 ^ 0x82F63B78 * (state & 1)
    return state ^ 0xFFFFFFFF


@pytest.mark.parametrize("size", [0, 1, 3, 4, 5, 255, 256, 257, 512, 1000, 5000])
def test_checksum(size):
    data = np.random.default_rng(size).integers(0, 256, size, np.uint8).tobytes()
    assert crc32c(data) == crc32c_by_bits(data)


def test_checksum_of_several_blocks(monkeypatch):
    monkeypatch.setattr("cinta.files.crc32c._BLOCK", 700)
    data = bytes(100) + b"123456789" * 500
    assert crc32c(data) == crc32c_by_bits(data)


COMPRESSED = [
    (b"\x00", b""),
    (b"\x03\x08abc", b"abc"),
    (b"\x0a\x00a\x15\x01\x0cbcde"[:2] + b"\x00", None),
    (bytes([9, 0 << 2, ord("a"), (4 << 2) | 1, 1]), b"a" * 9),
    (bytes([8, 3 << 2, *b"abcd", (3 << 2) | 2, 4, 0]), b"abcdabcd"),
    (bytes([8, 3 << 2, *b"abcd", (3 << 2) | 3, 2, 0, 0, 0]), b"abcdcdcd"),
    (bytes([100, 60 << 2, 99, *b"x" * 100]), b"x" * 100),
    (bytes([4, 3 << 2, *b"abc"]), None),
    (bytes([8, 0, ord("a"), (3 << 2) | 2, 2, 0]), None),
    (bytes([8, 0, ord("a"), (3 << 2) | 2, 0, 0]), None),
    (bytes([3, 3 << 2, *b"abcd"]), None),
    (b"\xff\xff\xff\x7f\x00a", None),
    (b"", None),
]


@pytest.mark.parametrize(("data", "expected"), COMPRESSED)
def test_compression(data, expected):
    if expected is None:
        with pytest.raises(ValueError, match=r"compressed|no number"):
            decompressed(data)
    else:
        assert decompressed(data) == expected


def test_keys_of_slices_sort_like_slices():
    places = [((0, 5),), ((5, 10),), ((63, 1),), ((64, 1),), ((128, 1),), ((9000, 1),)]
    places += [((2**20, 1),), ((2**40, 1),), ((2**62, 1),)]
    keys = [slice_key("a\0b\xff", place) for place in places]
    assert keys == sorted(keys)
    assert slice_key("x", ((0, -1),)) == b"\x00x\x00\x01\x01\x01\x80\x7f"


# -- files that are not as they should be --------------------------------------------------------


def copied(tmp_path, name):
    for file in FOLDER.glob(f"{name}.*"):
        shutil.copy(file, tmp_path / file.name)
    return tmp_path / name


def read_all(path):
    reader = tf.train.load_checkpoint(path)
    return {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}


def outcome(path):
    """The value read, or the message of the error."""
    try:
        return read_all(path)
    except OpError as error:
        return str(error)


def test_missing_data(tmp_path):
    path = copied(tmp_path, "slices")
    (tmp_path / "slices.data-00001-of-00002").unlink()
    with pytest.raises(NotFoundError, match="data-00001-of-00002: No such file"):
        read_all(path)


def test_truncated_data(tmp_path):
    path = copied(tmp_path, "dtypes")
    data = tmp_path / "dtypes.data-00000-of-00001"
    data.write_bytes(data.read_bytes()[:20])
    with pytest.raises(DataLossError, match=r"dtypes: .* is cut off: it has 20 bytes"):
        read_all(path)


def test_foreign_index(tmp_path):
    (tmp_path / "x.index").write_bytes(b"something else" * 10)
    with pytest.raises(DataLossError, match=r"x\.index is damaged: not an sstable"):
        read_all(tmp_path / "x")


@pytest.mark.parametrize("name", ["slices", "dtypes", "by_name", "slots"])
@settings(max_examples=60)
@given(data=st.data())
def test_no_changed_bit_goes_unnoticed(tmp_path_factory, name, data):
    path = copied(tmp_path_factory.mktemp("changed"), name)
    before = read_all(path)
    file = data.draw(st.sampled_from(sorted(path.parent.iterdir())))
    content = bytearray(file.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= 1 << data.draw(st.integers(0, 7))
    file.write_bytes(content)
    after = outcome(path)
    if isinstance(after, str):
        assert path.name in after
    else:  # bytes of padding, and parts of the graph of objects
        np.testing.assert_equal(after, before)


@settings(max_examples=300)
@given(st.binary(max_size=300), st.booleans())
def test_any_index_is_read_or_refused(data, sealed):
    """Whatever stands in an index, with or without the number that says what it is."""
    magic = (0xDB4775248B80FB57).to_bytes(8, "little")
    with contextlib.suppress(ValueError):
        assert isinstance(entries(data + magic if sealed else data), dict)


def test_slices_that_lie_over_each_other_or_claim_more_than_there_is(tmp_path):
    files = bundles.bundles()["slices"]
    found = dict(entries(files[".index"]))
    (key,) = [key for key in found if key.startswith(b"big")]
    slices = [part for part in bundles.fields(found[key]) if part[0] == 7]
    others = [part for part in bundles.fields(found[key]) if part[0] != 7]
    enormous = [2, 2, bundles.message([[2, 2, bundles.message([[1, 0, 2**40]])]] * 2)]
    for changed in (
        [*others, slices[0], slices[0], *slices[2:]],
        [*[part for part in others if part[0] != 2], enormous, *slices],
    ):
        index = bundles.table(sorted({**found, key: bundles.message(changed)}.items()))
        for name, content in {**files, ".index": index}.items():
            (tmp_path / f"x{name}").write_bytes(content)
        reader = tf.train.load_checkpoint(tmp_path / "x")
        with pytest.raises(DataLossError, match="slice"):
            reader.get_tensor(key.decode())
