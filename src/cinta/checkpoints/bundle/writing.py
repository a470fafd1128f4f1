"""TensorFlow's checkpoints, written: an index, and one file of data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.arrays import stored_bytes
from ...files.atomic import replacing, write
from ...files.crc32c import crc32c, masked
from ...protobuf.wire import tag, written_bytes, written_number, written_varint
from .bundle import INDEX
from .index_table import MAGIC

if TYPE_CHECKING:
    from ...engine.tensor import Array

_CHECKSUM = 6
_FOUR_BYTES = 5


def write_bundle(prefix: str, tensors: dict[str, Array]) -> None:
    """Write tensors by their names."""
    data, entries = (
        bytearray(),
        {b"": written_number(1, 1) + written_bytes(3, written_number(1, 1))},
    )
    for name, array in sorted(tensors.items(), key=lambda pair: pair[0].encode()):
        content, checksum = _content(np.asarray(array))
        sizes = b"".join([written_bytes(2, written_number(1, n)) for n in np.shape(array)])
        entries[name.encode()] = (
            written_number(1, dtypes.of(np.asarray(array).dtype).as_datatype_enum)
            + written_bytes(2, sizes)
            + written_number(4, len(data))
            + written_number(5, len(content))
            + tag(_CHECKSUM, _FOUR_BYTES)
            + _sealed(checksum)
        )
        data += content
    for path, content in (
        (f"{prefix}.data-00000-of-00001", bytes(data)),
        (prefix + INDEX, _table(entries)),
    ):
        with replacing(path) as file:
            write(file, memoryview(content))


def _content(array: Array) -> tuple[bytes, int]:
    """The bytes of a tensor, and the checksum."""
    if array.dtype != object:
        content = stored_bytes(array)
        return content, crc32c(content)
    values = [bytes(each) for each in array.reshape(-1)]
    lengths = b"".join([len(v).to_bytes(4 if len(v) < 2**32 else 8, "little") for v in values])
    strings = b"".join(values)
    stored = _sealed(crc32c(lengths))
    counts = b"".join([written_varint(len(value)) for value in values])
    return counts + stored + strings, crc32c(lengths + stored + strings)


def _sealed(checksum: int) -> bytes:
    return masked(checksum).to_bytes(4, "little")


def _table(entries: dict[bytes, bytes]) -> bytes:
    """A table of one block, whose keys are written in full."""
    first = _block(entries)
    handle = written_varint(0) + written_varint(len(first) - 5)
    index = _block({max(entries): handle})
    meta = _block({})
    places = [(len(first), meta), (len(first) + len(meta), index)]
    footer = b"".join([written_varint(at) + written_varint(len(block) - 5) for at, block in places])
    return first + meta + index + footer.ljust(40, b"\0") + MAGIC.to_bytes(8, "little")


def _block(entries: dict[bytes, bytes]) -> bytes:
    """Keys and values, where each of the keys begins anew, and the checksum."""
    out, starts = b"", []
    for key, value in entries.items():
        starts.append(len(out))
        out += (
            written_varint(0) + written_varint(len(key)) + written_varint(len(value)) + key + value
        )
    starts = starts or [0]
    out += b"".join([at.to_bytes(4, "little") for at in (*starts, len(starts))]) + b"\0"
    return out + _sealed(crc32c(out))
