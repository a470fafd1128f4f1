"""Files of ``Dataset.cache``."""

import struct
import tempfile
import zlib
from functools import cache
from pathlib import Path

import numpy as np

import cinta as tf

from . import Kind
from .mutation import NUMBERS, changed_bytes, changed_message

HEAD, LENGTH, END = struct.Struct("<QI"), struct.Struct("<Q"), 2**64 - 1
MAGIC = b"cinta cache 2\n"


def dataset():
    given = {"x": np.arange(6, dtype=np.float32).reshape(3, 2), "s": ["a", "bc", ""]}
    return tf.data.Dataset.from_tensor_slices((given, [True, False, True]))


@cache
def elements():
    return [tf.nest.flatten(each) for each in dataset().as_numpy_iterator()]


@cache
def content():
    with tempfile.TemporaryDirectory() as folder:
        list(dataset().cache(f"{folder}/x"))
        return Path(folder, "x.data").read_bytes()


def records():
    """The tensors of each element, as messages."""
    found, at = [], len(MAGIC)
    while True:
        length, _ = HEAD.unpack_from(content(), at)
        if length == END:
            return found
        at, end = at + HEAD.size, at + HEAD.size + length
        found.append([])
        while at < end:
            (size,) = LENGTH.unpack_from(content(), at)
            found[-1].append(content()[at + LENGTH.size : at + LENGTH.size + size])
            at += LENGTH.size + size


def sealed(rng, parts):
    """A file of these elements with right checksums, and perhaps wrong lengths."""
    out, checksum = MAGIC, zlib.crc32(MAGIC)
    for element in parts:
        lengths = [rng.choice(NUMBERS) if rng.randrange(40) == 0 else len(m) for m in element]
        pairs = zip(lengths, element, strict=True)
        inside = b"".join([LENGTH.pack(n % 2**64) + m for n, m in pairs])
        length = rng.choice(NUMBERS) % 2**64 if rng.randrange(40) == 0 else len(inside)
        checksum = zlib.crc32(inside, zlib.crc32(LENGTH.pack(length), checksum))
        out += HEAD.pack(length, checksum) + inside
    return out + HEAD.pack(END, zlib.crc32(LENGTH.pack(END), checksum))


class Caches(Kind):
    def changed(self, rng):
        if rng.randrange(3) == 0:
            return {"x.data": changed_bytes(rng, content())}, True
        parts = records()
        element = rng.choice(parts)
        place = rng.randrange(len(element))
        way = rng.randrange(6)
        if way == 0:
            del element[place]
        elif way == 1:
            element.insert(place, rng.choice(rng.choice(parts)))
        elif way == 2:
            rng.shuffle(parts)
        else:
            element[place] = changed_message(rng, element[place])
        return {"x.data": sealed(rng, parts)}, False

    def read(self, folder, known):
        return list(dataset().cache(str(folder / "x")).as_numpy_iterator())

    def check(self, value, known):
        found = [tf.nest.flatten(element) for element in value]
        for element in found:
            assert [np.shape(leaf) for leaf in element[1:]] == [(2,), ()]
            assert isinstance(element[0], bytes)
            assert element[2] in (True, False)
        if known:
            np.testing.assert_equal(found, elements())


KINDS = {"caches": Caches()}
