"""A checkpoint of TensorFlow: an index, and data in one or several files ("shards")."""

from __future__ import annotations

import os
from math import prod
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ... import dtypes
from ...errors import DataLossError, NotFoundError, UnimplementedError
from ...files.crc32c import crc32c, unmasked
from ...files.system_errors import translated
from ...protobuf.wire import varint
from . import checkpoint_messages
from .index_table import entries
from .slice_keys import slice_key

if TYPE_CHECKING:
    from ...engine.tensor import Array
    from ..object_graph import ObjectGraph
    from .checkpoint_messages import BundleEntry, Slice

INDEX: Final = ".index"
KEYS, VALUES = "-keys", "-values"
"""The ends of the names under which the contents of a table stand."""
OBJECT_GRAPH: Final = "_CHECKPOINTABLE_OBJECT_GRAPH"
_LONGEST_INDEX = 256 << 20


class Bundle:
    """The tensors of a checkpoint of TensorFlow by their names."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._prefix = path.removesuffix(INDEX)
        with translated(path), open(path, "rb") as file:
            table = file.read(_LONGEST_INDEX + 1)
        try:
            if len(table) > _LONGEST_INDEX:
                raise ValueError(f"it is longer than {_LONGEST_INDEX} bytes")
            self._entries = entries(table)
            self._header = checkpoint_messages.header(self._entries.pop(b"", b""))
            named = {key: value for key, value in self._entries.items() if key[:1] != b"\0"}
            self._tensors = {
                key.decode(): checkpoint_messages.entry(value) for key, value in named.items()
            }
        except ValueError as error:
            raise DataLossError(f"{path} is damaged: {error}.") from None

    def names(self) -> list[str]:
        """The names of the tensors; that of the graph of objects is none."""
        return [name for name in self._tensors if name != OBJECT_GRAPH]

    def spec(self, name: str) -> tuple[np.dtype[Any], tuple[int, ...]]:
        """The dtype and shape of a tensor."""
        entry = self._entry(name)
        return self._dtype(name, entry), entry.shape

    def read(self, name: str) -> Any:
        """A tensor as an array whose checksum is right."""
        entry = self._entry(name)
        try:
            return self._array(name, entry)
        except ValueError as error:
            raise DataLossError(f"TensorBundle at {self._prefix}: {name}: {error}.") from None

    def read_into(self, name: str, array: Array) -> None:
        """Read a tensor of numbers into the memory of another array."""
        array[...] = self.read(name)

    def graph(self) -> ObjectGraph | None:
        """The graph of objects, if a Checkpoint wrote it."""
        if OBJECT_GRAPH not in self._tensors:
            return None
        try:
            found = checkpoint_messages.object_graph(bytes(self.read(OBJECT_GRAPH)[()]))
        except (ValueError, TypeError) as error:
            raise DataLossError(f"{self.path} is damaged: {error}.") from None
        for node in found.nodes:
            for name, key in [*node.values.items()]:
                if f"{key}{KEYS}" in self._tensors:  # a table, which is two tensors
                    del node.values[name]
                    node.values |= {name + end: key + end for end in (KEYS, VALUES)}
            for key in node.values.values():
                if key not in self._tensors:
                    raise DataLossError(f"{self.path} is damaged: it has no tensor {key!r}.")
        return found

    def _entry(self, name: str) -> BundleEntry:
        if name not in self._tensors:
            raise NotFoundError(f"Key {name} not found in checkpoint {self._prefix}")
        return self._tensors[name]

    def _dtype(self, name: str, entry: BundleEntry) -> np.dtype[Any]:
        try:
            found = dtypes.as_dtype(entry.dtype)
        except TypeError:
            found = dtypes.variant
        if found in (dtypes.variant, dtypes.resource):
            raise UnimplementedError(
                f"{self._prefix}: {name} has TensorFlow's dtype number {entry.dtype}, which there "
                "is not in cinta."
            )
        return found.dtype

    def _array(self, name: str, entry: BundleEntry) -> Array:
        dtype = self._dtype(name, entry)
        if entry.slices:
            return self._joined(name, entry, dtype)
        count = prod(entry.shape)
        if dtype.kind == "O":
            return _strings(self._raw(entry), count, unmasked(entry.checksum)).reshape(entry.shape)
        if entry.size != count * dtype.itemsize:
            raise ValueError(f"{entry.size} bytes do not fit its shape {list(entry.shape)}")
        raw = self._raw(entry)
        if crc32c(raw) != unmasked(entry.checksum):
            raise ValueError("Checksum does not match: the data are not those that were written")
        if dtype.kind == "b" and raw.max(initial=0) > 1:
            raise ValueError("a bool is neither 0 nor 1")
        array = raw.view(dtype.newbyteorder(">") if self._header.big_endian else dtype)
        return array.astype(dtype, copy=False).reshape(entry.shape)

    def _raw(self, entry: BundleEntry) -> Array:
        """The bytes of a tensor, as NumPy's."""
        path = f"{self._prefix}.data-{entry.shard:05d}-of-{self._header.shards:05d}"
        with translated(path), open(path, "rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            if entry.offset + entry.size > size:
                raise ValueError(
                    f"{path} is cut off: it has {size} bytes, and should have "
                    f"{entry.offset + entry.size} at least"
                )
            file.seek(entry.offset)
            raw = np.empty(entry.size, np.uint8)
            rest = raw.data
            while rest.nbytes:
                count = file.readinto(rest)
                if not count:
                    raise ValueError(f"{path} has been cut off while it was read")
                rest = rest[count:]
        return raw

    def _joined(self, name: str, entry: BundleEntry, dtype: np.dtype[Any]) -> Array:
        """A tensor that was cut into slices."""
        places = [_place(where, entry.shape) for where in entry.slices]
        parts = [self._slice(name, where, entry) for where in entry.slices]
        count = sum(prod(part.shape) for part in parts)
        if count != prod(entry.shape):
            raise ValueError(f"its slices have {count} elements, not {prod(entry.shape)}")
        arrays = [self._array(name, part) for part in parts]  # not larger than the files
        result, filled = np.empty(entry.shape, dtype), np.zeros(entry.shape, bool)
        for where, place, array in zip(entry.slices, places, arrays, strict=True):
            if array.shape != result[place].shape or filled[place].any():
                raise ValueError(f"the slice {list(where)} has no place of its own")
            result[place], filled[place] = array, True
        return result

    def _slice(self, name: str, where: Slice, whole: BundleEntry) -> BundleEntry:
        """The index's entry for a slice of a tensor."""
        data = self._entries.get(slice_key(name, where))
        if data is None:
            raise ValueError(f"the slice {list(where)} is missing")
        part = checkpoint_messages.entry(data)
        if part.slices or part.dtype != whole.dtype:
            raise ValueError(f"the slice {list(where)} is of another kind")
        return part


def _place(where: Slice, shape: tuple[int, ...]) -> tuple[slice, ...]:
    """The slice for NumPy, if it lies within the shape."""
    if len(where) != len(shape):
        raise ValueError(f"the slice {list(where)} is not one of the shape {list(shape)}")
    place = []
    for (begin, length), whole in zip(where, shape, strict=True):
        end = whole if length == -1 else begin + length
        if not 0 <= begin <= end <= whole:
            raise ValueError(f"the slice {list(where)} is not one of the shape {list(shape)}")
        place.append(slice(begin, end))
    return tuple(place)


def _strings(raw: Array, count: int, checksum: int) -> Array:
    """Strings: their lengths, a checksum of these, and the strings one after the other.

    The checksum of all takes the lengths as numbers of four bytes, or of eight where they are
    larger.
    """
    data = raw.tobytes()
    if count > len(data):
        raise ValueError(f"{len(data)} bytes do not hold {count} strings")
    lengths, at = [], 0
    for _ in range(count):
        length, at = varint(data, at)
        lengths.append(length)
    if at + 4 + sum(lengths) != len(data):
        raise ValueError("the lengths of its strings do not fit their size")
    numbers = b"".join(n.to_bytes(4 if n < 2**32 else 8, "little") for n in lengths)
    stored = data[at : at + 4]
    if crc32c(numbers) != unmasked(int.from_bytes(stored, "little")):
        raise ValueError("Checksum does not match: the lengths are not those that were written")
    if crc32c(numbers + data[at:]) != checksum:
        raise ValueError("Checksum does not match: the data are not those that were written")
    strings, at = np.empty(count, object), at + 4
    for i, length in enumerate(lengths):
        strings[i] = data[at : at + length]
        at += length
    return strings
