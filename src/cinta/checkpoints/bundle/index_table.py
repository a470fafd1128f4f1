"""The index of a checkpoint: a table of keys and values in blocks, sorted by key.

blocks          entries; each key is written as what it has in common with the one before it
                (how many bytes) and the rest; behind each block its compression (1 byte) and
                a checksum (4 bytes)
index           a block with the place of each block
footer          48 bytes: the places of two blocks, of which the second is the index, and a
                number that says what this is
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...files.crc32c import crc32c, unmasked
from ...protobuf.wire import varint
from .snappy import decompressed

if TYPE_CHECKING:
    from collections.abc import Iterator

_FOOTER = 48
MAGIC = 0xDB4775248B80FB57
_TRAILER = 5
_PLAIN, _SNAPPY = 0, 1
_KEYS_PER_BYTE = 64
"""How much longer the keys of a block may be than the block: one in 16 is written in full."""
_GROWTH = 64
"""How much longer all blocks and keys may be than the table, which seldom is compressed."""


def entries(table: bytes) -> dict[bytes, bytes]:
    """The values by their keys; ``ValueError`` if it is not such a table, or damaged."""
    footer = table[-_FOOTER:]
    if len(footer) < _FOOTER or int.from_bytes(footer[-8:], "little") != MAGIC:
        raise ValueError("not an sstable (bad magic number)")
    _, at = _handle(footer, 0)
    place, _ = _handle(footer, at)
    found: dict[bytes, bytes] = {}
    left = _GROWTH * len(table)
    for _, handle in _block_entries(_block(table, place)):
        block = _block(table, _handle(handle, 0)[0])
        left -= len(block)
        for key, value in _block_entries(block):
            left -= len(key)
            if left < 0:
                raise ValueError("its keys and blocks are longer than they can be")
            if key in found:
                raise ValueError(f"the key {key[:100]!r} stands twice in the index")
            found[key] = value
    return found


def _handle(data: bytes, at: int) -> tuple[tuple[int, int], int]:
    """Where a block begins and how long it is, and where that is said to the end."""
    offset, at = varint(data, at)
    size, at = varint(data, at)
    return (offset, size), at


def _block(table: bytes, place: tuple[int, int]) -> bytes:
    offset, size = place
    end = offset + size
    if end + _TRAILER > len(table) - _FOOTER:
        raise ValueError(f"a block at byte {offset} of {size} bytes does not fit into the index")
    checksum = int.from_bytes(table[end + 1 : end + _TRAILER], "little")
    if crc32c(table[offset : end + 1]) != unmasked(checksum):
        raise ValueError(f"block checksum mismatch, at byte {offset}")
    if table[end] not in (_PLAIN, _SNAPPY):
        raise ValueError(f"a block at byte {offset} has a compression that does not exist")
    content = table[offset:end]
    return content if table[end] == _PLAIN else decompressed(content)


def _block_entries(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    restarts = int.from_bytes(block[-4:], "little")
    end = len(block) - 4 * (restarts + 1)
    if end < 0:
        raise ValueError("a block of the index is cut off")
    at, key, budget = 0, b"", _KEYS_PER_BYTE * len(block)
    while at < end:
        shared, at = varint(block, at)
        rest, at = varint(block, at)
        size, at = varint(block, at)
        if shared > len(key) or at + rest + size > end:
            raise ValueError("an entry of the index is cut off")
        key = key[:shared] + block[at : at + rest]
        budget -= len(key)
        if budget < 0:
            raise ValueError("the keys of a block are longer than it can be")
        at += rest + size
        yield key, block[at - size : at]
