"""Checkpoints of cinta, and the containers that they are."""

import json
import tempfile
import zlib
from functools import cache
from pathlib import Path

import numpy as np

import cinta as tf
from cinta.files.container import CHECKSUMS, Container, write_container

from . import REFUSALS, Kind
from .mutation import changed_bytes, changed_json


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        self.words = tf.Variable(["a", "bc", ""])
        self.parts = [tf.Variable([1j, 2.0], dtype=tf.complex128), tf.Variable([True, False])]
        self.table = {"a/b.c": tf.Variable(7, dtype=tf.int64)}
        self.generator = tf.random.Generator.from_seed(1)


def iterator():
    """An iterator whose state has something of most stages in it."""
    data = tf.data.Dataset.range(20).shuffle(5, seed=1).map(lambda x: (x, x * 2)).batch(3)
    return iter(data.cache().repeat(2).prefetch(1))


@cache
def checkpoint():
    """The content of a checkpoint."""
    steps = iterator()
    next(steps)
    with tempfile.TemporaryDirectory() as folder:
        path = tf.train.Checkpoint(model=Model(), steps=steps).write(f"{folder}/x")
        return Path(f"{path}.safetensors").read_bytes()


@cache
def opened(content):
    """The kind, the document and the arrays of a container."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x")
        path.write_bytes(content)
        found = Container(path)
        return found.kind, found.document, {name: found.read(name) for name in found.names()}


def packed(kind, document, arrays):
    """The content of a container, whose checksums are right whatever stands in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x")
        write_container(path, kind, document, arrays)
        return path.read_bytes()


def resealed(rng, content):
    """A container with changes of its header or its data, and checksums that are right again."""
    length = int.from_bytes(content[:8], "little")
    header, data = json.loads(content[8 : 8 + length]), content[8 + length :]
    if rng.randrange(2):
        header = changed_json(rng, header)
    else:
        inner = rng.choice(("document", "forms"))
        nested = changed_json(rng, json.loads(header["__metadata__"][inner]))
        header["__metadata__"][inner] = json.dumps(nested)
    text = json.dumps(header).encode()
    head = len(text).to_bytes(8, "little") + text
    if rng.randrange(4) == 0:
        data = changed_bytes(rng, data)
    return head + checked(header, head, data)


def checked(header, head, data):
    """The data with right checksums, as far as the header says where the arrays are."""
    try:
        slots = {k: v["data_offsets"] for k, v in header.items() if k != "__metadata__"}
        order = sorted((begin, end) for name, (begin, end) in slots.items() if name != CHECKSUMS)
        sums = [zlib.crc32(head), *[zlib.crc32(data[begin:end]) for begin, end in order]]
        begin, end = slots[CHECKSUMS]
        return data[:begin] + np.array(sums, np.uint32).tobytes() + data[end:]
    except (AttributeError, KeyError, TypeError, ValueError):
        return data


def changed_arrays(rng, arrays):
    """Arrays of which one has another dtype, shape or name, or other values."""
    arrays = dict(arrays)
    name = rng.choice([*arrays])
    array = arrays.pop(name)
    way = rng.randrange(4)
    if way == 0:
        array = array.reshape(-1)
    elif way == 1 and array.dtype != object:
        array = array.astype(rng.choice((np.float64, np.int32, np.bool_, np.float16)))
    elif way == 2:
        flat = array.reshape(-1)
        array = rng.choice((flat[:0], np.concatenate([flat, flat])))
    elif way == 3 and array.dtype != object:
        flat = np.frombuffer(rng.randbytes(array.nbytes), array.dtype)
        array = flat.reshape(array.shape) if array.dtype != bool else ~array
    return {**arrays, name: array}


class Checkpoints(Kind):
    def changed(self, rng):
        content = checkpoint()
        way = rng.randrange(4)
        if way == 0:
            return {"x.safetensors": changed_bytes(rng, content)}, True
        if way == 1:
            return {"x.safetensors": resealed(rng, content)}, False
        kind, document, arrays = opened(content)
        if way == 2:
            document = changed_json(rng, document)
        else:
            arrays = changed_arrays(rng, arrays)
        return {"x.safetensors": packed(kind, document, arrays)}, False

    def read(self, folder, known):
        path = str(folder / "x")
        reader = tf.train.load_checkpoint(path)
        shapes = reader.get_variable_to_shape_map()
        values = {name: reader.get_tensor(name) for name in shapes}
        assert {name: list(np.shape(value)) for name, value in values.items()} == shapes
        steps, model = iterator(), Model()
        checkpoint = tf.train.Checkpoint(model=model, steps=steps)
        checkpoint.read(path).expect_partial()
        try:
            for _ in range(3):
                next(steps, None)
        except REFUSALS as error:  # an iterator does not know any more where its state is from
            error.add_note(str(folder))
            raise
        return values, model

    def check(self, value, known):
        values, model = value
        assert model.w.shape == (2, 2)
        for variable in model.variables:
            assert np.shape(variable.numpy()) == variable.shape
        if known:  # the checksums are those of the file as it was
            for name, array in opened(checkpoint())[2].items():
                np.testing.assert_array_equal(values[name], array)


class StateFiles(Kind):
    """The files named ``checkpoint``, which say what the latest checkpoint is."""

    def changed(self, rng):
        text = b'model_checkpoint_path: "x"\nall_model_checkpoint_paths: "x"\n'
        text += b"all_model_checkpoint_timestamps: 1.5\nlast_preserved_timestamp: 2.5\n"
        return {"checkpoint": changed_bytes(rng, text), "x.safetensors": checkpoint()}, None

    def read(self, folder, known):
        return str(folder), tf.train.latest_checkpoint(folder)

    def check(self, value, known):
        folder, latest = value
        assert latest is None or str(Path(latest).resolve().parent) == str(Path(folder).resolve())


KINDS = {"checkpoints": Checkpoints(), "state_files": StateFiles()}
