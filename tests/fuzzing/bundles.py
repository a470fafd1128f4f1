"""TensorFlow's checkpoints, with checksums that are right whatever was changed."""

from functools import cache

import numpy as np

import cinta as tf
from cinta.checkpoints.bundle.index_table import entries
from cinta.files.crc32c import crc32c
from tests.references import REFERENCES

from . import Kind
from .archives import Model
from .mutation import NUMBERS, changed_bytes, changed_message, fields, message, varint

FOLDER = REFERENCES / "checkpoints"
GRAPH = b"_CHECKPOINTABLE_OBJECT_GRAPH"


@cache
def bundles():
    """The files of each checkpoint, by what follows their prefix."""
    found = {}
    for path in sorted(FOLDER.rglob("*.index")):
        prefix = path.name.removesuffix(".index")
        files = {
            p.name.removeprefix(prefix): p.read_bytes() for p in path.parent.glob(f"{prefix}.*")
        }
        if sum(map(len, files.values())) < 200_000:
            found[prefix] = files
    return found


def masked(checksum):
    return ((checksum >> 15 | checksum << 17) + 0xA282EAD8) % 2**32


def block(pairs):
    """A block of a table, with its compression (none) and its checksum behind it."""
    out = b""
    for key, value in pairs:
        out += varint(0) + varint(len(key)) + varint(len(value)) + key + value
    out += (0).to_bytes(4, "little") + (1).to_bytes(4, "little")
    return sealed(out, b"\0")


def sealed(content, compression):
    return content + compression + masked(crc32c(content + compression)).to_bytes(4, "little")


def table(pairs):
    """A table of one block."""
    first = block(pairs)
    handle = varint(0) + varint(len(first) - 5)
    index = block([(b"\xff", handle)])
    footer = handle + varint(len(first)) + varint(len(index) - 5)
    return first + index + footer.ljust(40, b"\0") + 0xDB4775248B80FB57.to_bytes(8, "little")


def resealed_block(rng, data):
    """A table of which a block has changed, and has a right checksum all the same."""
    found = entries(data)
    content = changed_bytes(rng, block(found.items())[:-5])
    first = sealed(content, rng.choice((b"\0", b"\1", b"\2")))
    index = block([(b"\xff", varint(0) + varint(len(content)))])
    places = [0, len(content), len(first), len(index) - 5]
    if rng.randrange(5) == 0:
        places[rng.randrange(4)] = rng.choice(NUMBERS)
    footer = b"".join(map(varint, places)).ljust(40, b"\0")[:40]
    return first + index + footer + 0xDB4775248B80FB57.to_bytes(8, "little")


def changed_entries(rng, files):
    """The files with changes of what the index says of tensors, or of the tensors."""
    files, found = dict(files), dict(entries(files[".index"]))
    key = rng.choice([*found])
    way = rng.randrange(7)
    if way <= 2:
        found[key] = changed_message(rng, found[key])
    elif way == 3:
        found[changed_bytes(rng, key)] = found.pop(key)
    elif way == 4:
        found[key] = found[rng.choice([*found])]
    elif way == 5:
        return changed_data(rng, files, found, key if key else GRAPH)
    elif GRAPH in found:
        return changed_data(rng, files, found, GRAPH)
    files[".index"] = table(sorted(found.items()))
    return files


def changed_data(rng, files, found, key):
    """The files with other bytes of a tensor, for which the checksum is right."""
    parts = {number: value for number, _, value in fields(found.get(key, b"")) or []}
    shard = next((name for name in files if f"data-{parts.get(3, 0):05d}" in name), None)
    begin, size = parts.get(4, 0), parts.get(5, 0)
    if shard is None or not size:
        return files
    old = files[shard][begin : begin + size]
    lengths, at = strings_in(old)
    if parts.get(1) == 7 and len(lengths) == 1:
        text = old[at + 4 :]
        text = changed_message(rng, text) if rng.randrange(4) else changed_bytes(rng, text)
        new = written_string(text)
        checksum = crc32c(len(text).to_bytes(4, "little") + new[len(varint(len(text))) :])
    else:
        new = changed_bytes(rng, old)
        checksum = crc32c(new)
    fixed = [f for f in fields(found[key]) if f[0] not in (4, 5, 6)]
    fixed += [[4, 0, len(files[shard])], [5, 0, len(new)]]
    fixed += [[6, 5, masked(checksum).to_bytes(4, "little")]]
    found[key] = message(fixed)
    files = {**files, shard: files[shard] + new}
    files[".index"] = table(sorted(found.items()))
    return files


def strings_in(data):
    """The first of the lengths of strings, and where it ends."""
    value = shift = at = 0
    while at < len(data):
        value, shift, at = value | (data[at] & 0x7F) << shift, shift + 7, at + 1
        if data[at - 1] < 0x80:
            break
    return ([value] if at + 4 + value == len(data) else []), at


def written_string(text):
    length = masked(crc32c(len(text).to_bytes(4, "little"))).to_bytes(4, "little")
    return varint(len(text)) + length + text


class Bundles(Kind):
    def changed(self, rng):
        prefix = rng.choice([*bundles()])
        files = bundles()[prefix]
        way = rng.randrange(5)
        if way == 0:
            name = rng.choice([*files])
            files, same = {**files, name: changed_bytes(rng, files[name])}, True
        elif way == 1:
            files, same = {**files, ".index": resealed_block(rng, files[".index"])}, False
        else:
            files, same = changed_entries(rng, files), False
        return {f"x{name}": content for name, content in files.items()}, (prefix, same)

    def read(self, folder, known):
        path = str(folder / "x")
        reader = tf.train.load_checkpoint(path)
        shapes = reader.get_variable_to_shape_map()
        reader.get_variable_to_dtype_map()
        values = {name: reader.get_tensor(name) for name in shapes}
        assert {name: list(np.shape(value)) for name, value in values.items()} == shapes
        model = Model()
        checkpoint = tf.train.Checkpoint(model=model)
        status = checkpoint.read(path)
        status.expect_partial()
        str(status)
        return values, model

    def check(self, value, known):
        values, model = value
        assert model.w.shape == (2, 2)
        prefix, same = known
        if same:
            for name, array in originals(prefix).items():
                np.testing.assert_array_equal(values[name], array)


@cache
def originals(prefix):
    path = next(p for p in FOLDER.rglob(f"{prefix}.index"))
    reader = tf.train.load_checkpoint(str(path).removesuffix(".index"))
    return {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}


KINDS = {"bundles": Bundles()}
