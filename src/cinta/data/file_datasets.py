"""Datasets of what stands in files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor
from ..engine.tensor import seen
from ..errors import DataLossError, InvalidArgumentError
from ..files.system_errors import translated
from ..io.compressed import checked_kind, reader
from ..io.files import matching_files
from ..io.records import records_of
from ..machine import cores
from ..ops.arguments import integer
from ..programs.specs import TensorSpec
from ..public import public
from .base import AUTOTUNE
from .dataset import Dataset
from .nesting import FlatMap, Interleave
from .source_stages import Generated, slices_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..engine.annotations import IntLike, TensorLike
    from ..engine.tensor import Array, Tensor
    from ..io.files import FilePath
    from .stage import Specs, Stage

_STRING = TensorSpec([], np.dtype(object))


class InFiles(FlatMap):
    """The strings that a function finds in files, one file after the other."""

    def spec(self) -> Specs:
        return _STRING


class InFilesByTurns(Interleave):
    """The same from several files in turn."""

    def spec(self) -> Specs:
        return _STRING


def in_files(
    filenames: FilePath | Dataset,
    found: Callable[[str], Iterator[bytes]],
    parallel: IntLike | None = None,
) -> Stage:
    """The strings that a function finds in each of these files."""

    def opened(path: Tensor) -> Dataset:
        return Dataset(Generated(_found, (path._array,), _STRING))

    def _found(path: bytes) -> Iterator[bytes]:
        return found(os.fsdecode(path))

    files = _paths(filenames)
    if parallel is None:
        return InFiles(files, opened)
    cycle = integer(parallel, "num_parallel_reads")
    return InFilesByTurns(files, opened, cores() if cycle == AUTOTUNE else cycle, 1, 2)


def files_matching(file_pattern: TensorLike) -> list[bytes]:
    """The names of the files that match a pattern, or one of several: there must be some."""
    names: list[bytes] = seen(matching_files(file_pattern)).tolist()
    if not names:
        raise ValueError(f"No files matched `file_pattern` {file_pattern!r}.")
    return names


def _paths(filenames: FilePath | Dataset) -> Stage:
    """The names of files, as a dataset."""
    if isinstance(filenames, Dataset):
        spec = filenames.element_spec
        if not isinstance(spec, TensorSpec) or spec.dtype is not dtypes.string:
            kind = f"a dataset of `{spec.dtype!r}`" if isinstance(spec, TensorSpec) else f"{spec}"
            raise _not_names(f"`tf.string` elements. Got {kind} elements.")
        if not spec.shape.is_compatible_with([]):
            shape = spec.shape
            raise _not_names(f"`tf.string` elements of shape [] (i.e. scalars). Got {shape}.")
        return filenames._stage
    if isinstance(filenames, (list, tuple)):
        listed = [os.fspath(x) if isinstance(x, os.PathLike) else x for x in filenames]
        filenames = listed or np.array([], object)
    elif isinstance(filenames, os.PathLike):
        filenames = os.fspath(filenames)
    names = as_tensor(filenames)
    if names.dtype is not dtypes.string:
        raise _not_names(f"`tf.string` elements. Got `{names.dtype!r}` elements.")
    array: Array = np.asarray(names._array).reshape(-1)
    return slices_of(array)


def _not_names(why: str) -> TypeError:
    return TypeError(f"The `filenames` argument must contain {why}")


# -- lines -----------------------------------------------------------------------------------------


def lines_of(path: str, kind: str = "") -> Iterator[bytes]:
    """The lines of a file, without what ends them."""
    with translated(path, "TextLineDataset"), open(path, "rb") as file:
        for line in reader(file, kind):
            yield line.rstrip(b"\n").removesuffix(b"\r")


class _StringsOfFiles(Dataset):
    """The strings that a function finds in a file of some compression, for one file or more."""

    _strings: Callable[[str, str], Iterator[bytes]]

    def __init__(
        self,
        filenames: FilePath | Dataset,
        compression_type: str | None = None,
        buffer_size: IntLike | None = None,
        num_parallel_reads: IntLike | None = None,
        name: str | None = None,
    ) -> None:
        kind, strings = checked_kind(compression_type), self._strings
        super().__init__(in_files(filenames, lambda path: strings(path, kind), num_parallel_reads))


@public("data.TextLineDataset")
class TextLineDataset(_StringsOfFiles):
    """The lines of text files, one file after the other.

    >>> import cinta as tf, tempfile
    >>> path = tempfile.mkdtemp() + "/poem"
    >>> tf.io.write_file(path, "one\\ntwo")
    >>> list(tf.data.TextLineDataset(path).as_numpy_iterator())
    [b'one', b'two']

    Args:
        filenames: The name of a file, a list or a dataset of names.
        compression_type: "", "GZIP" or "ZLIB".
        buffer_size: Accepted.
        num_parallel_reads: Of how many files lines come in turn; None for one file after the other.
    """

    _strings = staticmethod(lines_of)


# -- records ---------------------------------------------------------------------------------------


@public("data.TFRecordDataset")
class TFRecordDataset(_StringsOfFiles):
    """The records of files that ``tf.io.TFRecordWriter`` has written, here or in TensorFlow.

    Checksums are compared: a damaged file raises ``DataLossError``.

    >>> import cinta as tf, tempfile
    >>> path = tempfile.mkdtemp() + "/numbers.tfrecord"
    >>> with tf.io.TFRecordWriter(path) as writer:
    ...     writer.write(b"one")
    >>> list(tf.data.TFRecordDataset(path).as_numpy_iterator())
    [b'one']

    Args:
        filenames: The name of a file, a list or a dataset of names.
        compression_type: "", "GZIP" or "ZLIB".
        buffer_size: Accepted.
        num_parallel_reads: Of how many files records come in turn; None for one file after the
            other.
    """

    _strings = staticmethod(records_of)


@public("data.FixedLengthRecordDataset")
class FixedLengthRecordDataset(Dataset):
    """The contents of files, in records of one length.

    >>> import cinta as tf, tempfile
    >>> path = tempfile.mkdtemp() + "/pieces"
    >>> tf.io.write_file(path, "#abcdef")
    >>> list(tf.data.FixedLengthRecordDataset(path, 3, header_bytes=1).as_numpy_iterator())
    [b'abc', b'def']

    Args:
        filenames: The name of a file, a list or a dataset of names.
        record_bytes: The length of a piece.
        header_bytes: How many bytes are left out at the beginning of a file.
        footer_bytes: How many bytes are left out at its end.
        buffer_size: Accepted.
        compression_type: "", "GZIP" or "ZLIB".
        num_parallel_reads: Of how many files pieces come in turn; None for one file after the
            other.

    Raises:
        InvalidArgumentError: If a length is not possible, or there is no such compression; in a
            pass also if the pieces do not fill a file.
    """

    def __init__(
        self,
        filenames: FilePath | Dataset,
        record_bytes: IntLike,
        header_bytes: IntLike | None = None,
        footer_bytes: IntLike | None = None,
        buffer_size: IntLike | None = None,
        compression_type: str | None = None,
        num_parallel_reads: IntLike | None = None,
        name: str | None = None,
    ) -> None:
        kind = checked_kind(compression_type)
        size = integer(record_bytes, "record_bytes")
        ends = _count(header_bytes, "header_bytes"), _count(footer_bytes, "footer_bytes")
        if size < 1 or min(ends) < 0:
            raise InvalidArgumentError(
                "`record_bytes` must be > 0, and `header_bytes` and `footer_bytes` >= 0, got "
                f"{size}, {ends[0]} and {ends[1]}."
            )
        super().__init__(
            in_files(filenames, lambda path: _pieces(path, size, ends, kind), num_parallel_reads)
        )


def _count(given: IntLike | None, argument: str) -> int:
    return 0 if given is None else integer(given, argument)


def _pieces(path: str, size: int, ends: tuple[int, int], kind: str) -> Iterator[bytes]:
    """The pieces of a file; the bytes that may be its end are held back."""
    header, footer = ends
    op = "FixedLengthRecordDataset"
    with translated(path, op), open(path, "rb") as opened:
        file = reader(opened, kind)
        if len(file.read(header)) < header:
            raise InvalidArgumentError(f"{path} has less than {header} bytes [Op:{op}]")
        held = file.read(footer)
        while len(more := file.read(size)) == size:
            held += more
            yield held[:size]
            held = held[size:]
        if len(held) < footer or more:
            raise (DataLossError if kind else InvalidArgumentError)(
                f"Excluding the header ({header} bytes) and footer ({footer} bytes), input file "
                f'"{path}" has body length that is not an exact multiple of the record length '
                f"({size} bytes) [Op:{op}]"
            )
