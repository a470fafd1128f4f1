"""Files that may be compressed, by gzip or zlib."""

from __future__ import annotations

import zlib
from io import BufferedReader, RawIOBase
from typing import TYPE_CHECKING, NamedTuple

from ..errors import DataLossError, InvalidArgumentError
from ..ops.arguments import text

if TYPE_CHECKING:
    from typing import BinaryIO

_CHUNK = 1 << 18  # bytes that are read at a time
_WINDOW, _GZIP = 15, 16  # zlib's number for the largest window, and what it adds for gzip's header
KINDS = ("", "ZLIB", "GZIP")


def checked_kind(kind: str | None) -> str:
    """The name of a way to compress, or nothing."""
    if kind is None:
        return ""
    if text(kind, "compression_type") not in KINDS:
        raise InvalidArgumentError(
            f"Unsupported compression_type: {kind!r}; it must be '', 'GZIP' or 'ZLIB'."
        )
    return kind


class CompressionLevel(NamedTuple):
    """How hard zlib is to try, and how much memory it may take."""

    level: int = zlib.Z_DEFAULT_COMPRESSION
    memory: int = 9
    strategy: int = zlib.Z_DEFAULT_STRATEGY


class Compressor:
    """Bytes on their way into a file."""

    def __init__(self, file: BinaryIO, kind: str, level: CompressionLevel) -> None:
        bits = _WINDOW + (_GZIP if kind == "GZIP" else 0)
        self.file = file
        self.stream = zlib.compressobj(
            level.level, zlib.DEFLATED, bits, level.memory, level.strategy
        )

    def write(self, content: bytes) -> None:
        """Write bytes behind the others."""
        self.file.write(self.stream.compress(content))

    def flush(self) -> None:
        """See to it that all that was written can be read."""
        self.file.write(self.stream.flush(zlib.Z_SYNC_FLUSH))
        self.file.flush()

    def close(self) -> None:
        """Write the end."""
        self.file.write(self.stream.flush())
        self.file.close()


class Expanded(RawIOBase):
    """The bytes of a file, expanded as they are read, so that a small file cannot fill memory."""

    def __init__(self, file: BinaryIO, kind: str) -> None:
        self.file, self.bits = file, _WINDOW + (_GZIP if kind == "GZIP" else 0)
        self.stream = zlib.decompressobj(self.bits)

    def readable(self) -> bool:
        """It is for reading."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Some more bytes, none only at the end."""
        room = memoryview(buffer)
        found = self._piece(len(room))
        room[: len(found)] = found
        return len(found)

    def _piece(self, most: int) -> bytes:
        while given := self._given():
            if self.stream.eof:
                self.stream = zlib.decompressobj(self.bits)  # another file may stand behind one
            try:
                found = self.stream.decompress(given, most)
            except zlib.error as error:
                raise DataLossError(f"inflate() failed on this input: {error}") from None
            if found:
                return found
        return b""

    def _given(self) -> bytes:
        """Bytes that have not been expanded yet."""
        return self.stream.unconsumed_tail or self.stream.unused_data or self.file.read(_CHUNK)


def reader(file: BinaryIO, kind: str) -> BinaryIO | BufferedReader:
    """A reader of the bytes of a file that is compressed in this way, or not at all."""
    return BufferedReader(Expanded(file, kind), _CHUNK) if kind else file
