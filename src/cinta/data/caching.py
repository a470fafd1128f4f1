"""Elements that are kept once they have been made: in memory, or in a file."""

from __future__ import annotations

import os
import struct
import weakref
import zlib
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from .. import nest
from ..errors import DataLossError, InvalidArgumentError
from ..files.atomic import Replacement, write
from ..files.system_errors import translated
from ..io.tensor_bytes import read_tensor, written_tensor
from .composite_elements import arrays_of, count_of_arrays, of_arrays, spec_of_leaf
from .elements import loaded, saved
from .stage import EMPTY, Flow, Stage, exactly, joined

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.tensor import Array
    from .stage import Run, Specs, State

_MAGIC = b"cinta cache 2\n"
_LENGTH = struct.Struct("<Q")
_HEAD = struct.Struct("<QI")
"""In front of each element: its length, and a checksum of all that is in the file up to its end."""
_END = 2**64 - 1  # in the place of the length of an element

Place: TypeAlias = tuple[int, int]
"""Where an element begins in the file, and the checksum of all that comes before it."""


class Cache(Stage):
    """The elements as the first whole pass over them gave them."""

    def __init__(self, source: Stage) -> None:
        super().__init__(source)
        self.elements: Run | None = None
        self._picked: CacheFlow | None = None

    def flow(self) -> Flow:
        return CacheFlow(self)

    def first(self, count: int) -> Run:
        """The first elements, fewer if there are no more; what was made for it is kept."""
        if self.elements is None:
            self._picked = self._picked or CacheFlow(self)
            exactly(self._picked, count - self._picked.position)
            return self._picked.made()
        return self.elements


class CacheFlow(Flow):
    kept = ("position", "reading")

    def __init__(self, stage: Cache) -> None:
        super().__init__(stage.inputs[0].flow())
        self.stage = stage
        self.position = 0
        self.reading = stage.elements is not None
        self.runs: list[Run] = []

    def run(self, count: int) -> Run:
        if self.reading:
            run = self.made()[self.position : self.position + count]
        else:
            run = self.inputs[0].run(count)
            self.runs.append(run)
            if not len(run):
                self.stage.elements = self.made()
        self.position += len(run)
        return run

    def made(self) -> Run:
        """The elements that are there."""
        if self.reading:
            return self.stage.elements
        return joined([run for run in self.runs if len(run)])

    def state(self) -> State:
        return {**super().state(), "made": saved(self.made())}

    def restore(self, state: State) -> None:
        super().restore(state)
        made = loaded(self.stage.spec, state["made"])
        if self.reading:
            self.stage.elements = made
        else:
            self.runs = [made]


class FileCache(Stage):
    """The elements as the first whole pass over them gave them, kept in a file.

    The file has its name from the moment when it is whole.
    """

    def __init__(self, source: Stage, path: str) -> None:
        super().__init__(source)
        self.path = path + ".data"

    def flow(self) -> FileCacheFlow:
        return FileCacheFlow(self)


class FileCacheFlow(Flow):
    kept = ("position", "checksum", "reading")

    def __init__(self, stage: FileCache) -> None:
        super().__init__(stage.inputs[0].flow())
        self.stage = stage
        self.position = len(_MAGIC)  # in the file
        self.checksum = zlib.crc32(_MAGIC)  # of all that comes before
        self.reading = os.path.exists(stage.path)
        self.file: BinaryIO | None = None
        self.new: Replacement | None = None
        self.failure: Exception | None = None
        self.resumed = self.whole = False

    def run(self, count: int) -> Run:
        with translated(self.stage.path, "CacheDataset"):
            if self.reading:
                return self._read()
            if self.failure is not None:
                raise self.failure
            run = self.inputs[0].run(count)
            if not self.resumed and not self.whole:  # else what came before is not there
                self._write(run)
            return run

    def restore(self, state: State) -> None:
        super().restore(state)
        self.resumed = True

    # -- reading -------------------------------------------------------------------------------

    @property
    def place(self) -> Place:
        """Where the next element begins."""
        return self.position, self.checksum

    def read_from(self, place: Place) -> None:
        """Read the element next that begins here."""
        self.position, self.checksum = place
        self.reading = True
        if self.file is not None:
            self.file.seek(self.position)

    @cached_property
    def spec(self) -> Specs:
        """The spec of the elements."""
        return self.stage.spec()

    def _read(self) -> Run:
        if self.file is None:
            self.file = self._opened()
        head = self._bytes(_HEAD.size)
        length, checksum = _HEAD.unpack(head)
        if length == _END:
            if checksum != zlib.crc32(head[: _LENGTH.size], self.checksum) or self.file.read(1):
                raise self._damaged("its end is not the one that was written")
            self.file.seek(self.position)
            return EMPTY
        content = self._bytes(length)
        found = zlib.crc32(content, zlib.crc32(head[: _LENGTH.size], self.checksum))
        if found != checksum:
            raise self._damaged("an element has another checksum than when it was written")
        self.position, self.checksum = self.file.tell(), found
        return [self._element(content)]

    def _opened(self) -> BinaryIO:
        file = open(self.stage.path, "rb")  # noqa: SIM115  # closed with the flow
        weakref.finalize(self, file.close)
        if file.read(len(_MAGIC)) != _MAGIC:
            raise DataLossError(
                f"{self.stage.path} is not a file that `cache` has written, or that an older cinta "
                "has. Remove it to make it anew."
            )
        file.seek(self.position)
        return file

    def _bytes(self, length: int) -> bytes:
        """So many bytes, if the file has them."""
        assert self.file is not None
        left = os.fstat(self.file.fileno()).st_size - self.file.tell()
        content = self.file.read(length) if length <= left else b""
        if len(content) < length:
            raise self._damaged("it ends in the middle")
        return content

    def _element(self, content: bytes) -> object:
        """The element that these bytes hold."""
        specs, arrays = nest.flatten(self.spec), self._arrays(content)
        counts = [count_of_arrays(spec) for spec in specs]
        if len(arrays) != sum(counts):
            raise self._damaged(f"an element has {len(arrays)} tensors, not {sum(counts)}")
        leaves = []
        for spec, count in zip(specs, counts, strict=True):
            leaf = self._readable(partial(of_arrays, spec), arrays[:count])
            found = spec_of_leaf(leaf)
            if not spec.is_compatible_with(found):
                raise self._damaged(f"an element has {found} where it is to have {spec}")
            leaves.append(leaf)
            del arrays[:count]
        return nest.pack_sequence_as(self.spec, leaves)

    def _arrays(self, content: bytes) -> list[Any]:
        """The tensors that these bytes hold."""
        found, at = [], 0
        while at < len(content):
            head = content[at : at + _LENGTH.size].ljust(_LENGTH.size, b"\xff")
            at += _LENGTH.size
            end = at + _LENGTH.unpack(head)[0]
            if end > len(content):
                raise self._damaged("a tensor is longer than its element")
            found.append(self._readable(read_tensor, content[at:end]))
            at = end
        return found

    def _readable(self, read: Callable[[Any], Any], stored: bytes | list[Array]) -> Any:
        """The content that is read, if the file is readable."""
        try:
            return read(stored)
        except InvalidArgumentError as error:
            raise self._damaged(str(error)) from None

    def _damaged(self, what: str) -> DataLossError:
        return DataLossError(f"{self.stage.path} is damaged: {what}. Remove it to make it anew.")

    # -- writing -------------------------------------------------------------------------------

    def _write(self, run: Run) -> None:
        try:
            self._append(run)
        except Exception as error:
            self.failure = error  # an element is lost: what follows makes no whole file
            if self.new is not None:
                self.new.discard()
            raise

    def _append(self, run: Run) -> None:
        if self.new is None:
            self.new = Replacement(self.stage.path)
            write(self.new.file, memoryview(_MAGIC))
        out = b"".join([self._record(element) for element in run])
        if not len(run):
            out = _HEAD.pack(_END, zlib.crc32(_LENGTH.pack(_END), self.checksum))
        write(self.new.file, memoryview(out))
        if not len(run):
            self.new.finish()
            self.whole = True

    def _record(self, element: object) -> bytes:
        """An element with its length and its checksum."""
        arrays = [array for leaf in nest.flatten(element) for array in arrays_of(leaf)]
        messages = list(map(written_tensor, arrays))
        content = b"".join([_LENGTH.pack(len(each)) + each for each in messages])
        length = _LENGTH.pack(len(content))
        self.checksum = zlib.crc32(content, zlib.crc32(length, self.checksum))
        return _HEAD.pack(len(content), self.checksum) + content
