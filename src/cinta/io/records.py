"""Files of records: each stands behind its length, and both have a checksum."""

from __future__ import annotations

import struct
import weakref
from typing import TYPE_CHECKING

from ..engine.recorders import cannot_be_replayed
from ..errors import DataLossError, FailedPreconditionError
from ..files.crc32c import crc32c, masked
from ..files.system_errors import translated
from ..public import public
from .compressed import CompressionLevel, Compressor, reader
from .files import local_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedReader
    from types import TracebackType
    from typing import BinaryIO, ClassVar, Self

    from .files import FilePath

_LENGTH, _CHECKSUM = struct.Struct("<Q"), struct.Struct("<I")
_HEAD = _LENGTH.size + _CHECKSUM.size
_AT_ONCE = 1 << 24  # bytes that are asked for before it is known that the file has more


def written_record(record: bytes) -> bytes:
    """A record with its length and the checksums."""
    length = _LENGTH.pack(len(record))
    return b"".join([length, _sum(length), record, _sum(record)])


def _sum(content: bytes) -> bytes:
    return _CHECKSUM.pack(masked(crc32c(content)))


def records_of(path: str, kind: str = "", op: str = "TFRecordDataset") -> Iterator[bytes]:
    """The records of a file, whose checksums are compared."""
    with translated(path, op), open(path, "rb") as opened:
        file, at = reader(opened, kind), 0
        while len(head := file.read(_HEAD)) == _HEAD:
            length = head[: _LENGTH.size]
            if _sum(length) != head[_LENGTH.size :]:
                about = "" if at else " (Is this even a TFRecord file?)"
                raise DataLossError(f"corrupted record at {at}{about}: {path} [Op:{op}]")
            content = _content(file, _LENGTH.unpack(length)[0] + _CHECKSUM.size)
            if content is None:
                raise DataLossError(f"truncated record at {at}: {path} ends in it [Op:{op}]")
            record, stored = content[: -_CHECKSUM.size], content[-_CHECKSUM.size :]
            if _sum(record) != stored:
                raise DataLossError(f"corrupted record at {at + _HEAD}: {path} [Op:{op}]")
            at += _HEAD + len(content)
            yield record


def _content(file: BinaryIO | BufferedReader, size: int) -> bytes | None:
    """So many bytes, if the file has them: a false length must not fill the memory."""
    pieces, missing = [], size
    while missing:
        piece = file.read(min(missing, _AT_ONCE))
        if not piece:
            return None
        pieces.append(piece)
        missing -= len(piece)
    return b"".join(pieces)


@public("compat.v1.io.tf_record_iterator")
def tf_record_iterator(path: FilePath, options: TFRecordOptions | None = None) -> Iterator[bytes]:
    """The records of a file one by one, as TensorFlow 1 reads them.

    >>> import cinta as tf, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "two.tfrecord")
    >>> with tf.io.TFRecordWriter(path) as writer:
    ...     writer.write(b"one"), writer.write(b"two")
    (None, None)
    >>> list(tf.compat.v1.io.tf_record_iterator(path))
    [b'one', b'two']

    Args:
        path: The file.
        options: How it is compressed; None if it is not.
    """
    kind = TFRecordOptions.get_compression_type_string(options)
    return records_of(local_path(path), kind, "RecordReader")


@public("io.TFRecordOptions")
class TFRecordOptions:
    """How a file of records is compressed.

    >>> import cinta as tf
    >>> options = tf.io.TFRecordOptions("GZIP", compression_level=9)
    >>> tf.io.TFRecordOptions.get_compression_type_string(options)
    'GZIP'

    Args:
        compression_type: "GZIP", "ZLIB", or "" for none.
        flush_mode: Accepted, as the other arguments that are about memory.
        input_buffer_size: Accepted.
        output_buffer_size: Accepted.
        window_bits: Accepted.
        compression_level: From 0, which is fast, to 9, which is small.
        compression_method: Accepted: there is one method.
        mem_level: How much memory zlib takes, from 1 to 9.
        compression_strategy: The strategy of zlib, by its number.

    Raises:
        ValueError: If it is compressed in another way.
    """

    compression_type_map: ClassVar[dict[int, str]] = {1: "ZLIB", 2: "GZIP", 0: ""}

    def __init__(
        self,
        compression_type: str | int | TFRecordOptions | None = None,
        flush_mode: int | None = None,
        input_buffer_size: int | None = None,
        output_buffer_size: int | None = None,
        window_bits: int | None = None,
        compression_level: int | None = None,
        compression_method: int | None = None,
        mem_level: int | None = None,
        compression_strategy: int | None = None,
    ) -> None:
        self.get_compression_type_string(compression_type)
        self.compression_type = compression_type
        self.flush_mode, self.compression_method = flush_mode, compression_method
        self.input_buffer_size, self.output_buffer_size = input_buffer_size, output_buffer_size
        self.window_bits, self.compression_level = window_bits, compression_level
        self.mem_level, self.compression_strategy = mem_level, compression_strategy

    @classmethod
    def get_compression_type_string(cls, options: str | int | TFRecordOptions | None) -> str:
        """The name of the way to compress that options, a name or a number stand for.

        Args:
            options: ``TFRecordOptions``; a name; 0, 1 for "ZLIB" or 2 for "GZIP"; None for "".

        Raises:
            ValueError: If it is none of these.
        """
        if options is None or options is False:
            return ""
        if isinstance(options, TFRecordOptions):
            return cls.get_compression_type_string(options.compression_type)
        if isinstance(options, int) and options in cls.compression_type_map:
            return cls.compression_type_map[options]
        if isinstance(options, str) and options in cls.compression_type_map.values():
            return options
        raise ValueError(
            f'Not a valid compression_type: "{options}"; it must be one of "GZIP", "ZLIB", "", or '
            "TFRecordOptions."
        )

    def _level(self) -> CompressionLevel:
        given = (self.compression_level, self.mem_level, self.compression_strategy)
        pairs = zip(CompressionLevel(), given, strict=True)
        return CompressionLevel(*[usual if asked is None else asked for usual, asked in pairs])


@public("io.TFRecordWriter")
class TFRecordWriter:
    """Writes records to a file, in TensorFlow's format.

    >>> import cinta as tf, tempfile
    >>> path = tempfile.mkdtemp() + "/numbers.tfrecord"
    >>> writer = tf.io.TFRecordWriter(path)
    >>> writer.write(b"one")
    >>> writer.flush()
    >>> writer.write(b"two")
    >>> writer.close()
    >>> list(tf.data.TFRecordDataset(path).as_numpy_iterator())
    [b'one', b'two']

    A ``with`` block closes it too.

    Args:
        path: The name of the file, which is made anew.
        options: ``TFRecordOptions``, or the name of a way to compress.
    """

    def __init__(self, path: FilePath, options: str | int | TFRecordOptions | None = None) -> None:
        cannot_be_replayed("it writes a file")
        if not isinstance(options, TFRecordOptions):
            options = TFRecordOptions(options)
        self._path = local_path(path, "path")
        kind = TFRecordOptions.get_compression_type_string(options)
        with translated(self._path):
            opened = open(self._path, "wb")  # noqa: SIM115  # closed by `close`
        self._file = Compressor(opened, kind, options._level()) if kind else opened
        self._finish = weakref.finalize(self, self._file.close)  # also when nobody closes it

    def __repr__(self) -> str:
        return f"<tf.io.TFRecordWriter of {self._path!r}>"

    def write(self, record: bytes | str) -> None:
        """Write one record.

        Args:
            record: Bytes, or a string.

        Raises:
            TypeError: If it is something else.
        """
        if not isinstance(record, (bytes, str)):
            raise TypeError(
                f"write() takes a record as bytes, got {type(record).__name__}: use t.numpy() of a "
                "tensor, and m.SerializeToString() of a message."
            )
        cannot_be_replayed("it writes a file")
        self._open().write(written_record(record.encode() if isinstance(record, str) else record))

    def flush(self) -> None:
        """See to it that all that was written can be read."""
        self._open().flush()

    def close(self) -> None:
        """Close the file."""
        with translated(self._path):
            self._finish()

    def _open(self) -> BinaryIO | Compressor:
        if not self._finish.alive:
            raise FailedPreconditionError("Writer is closed.")
        return self._file

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
