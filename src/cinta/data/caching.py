"""Elements that are kept once they have been made: in memory, or in a file."""

from __future__ import annotations

import os
import struct
import tempfile
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from .. import nest
from ..errors import DataLossError
from ..files.errors import translated
from ..io.tensor_protos import read_tensor, written_tensor
from .composites import arrays_of, count_of_arrays, of_arrays
from .elements import loaded, saved
from .stage import EMPTY, Flow, Stage, joined

if TYPE_CHECKING:
    from .stage import Run, State

_MAGIC = b"cinta cache 1\n"
_LENGTH = struct.Struct("<Q")
_END = 2**64 - 1  # in the place of the length of a tensor


class Cache(Stage):
    """The elements as the first whole pass over them gave them."""

    def __init__(self, source: Stage) -> None:
        super().__init__(source)
        self.elements: Run | None = None

    def flow(self) -> Flow:
        return CacheFlow(self)


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
            run = self._made()[self.position : self.position + count]
        else:
            run = self.inputs[0].run(count)
            self.runs.append(run)
            if not len(run):
                self.stage.elements = self._made()
        self.position += len(run)
        return run

    def _made(self) -> Run:
        if self.reading:
            return self.stage.elements
        return joined([run for run in self.runs if len(run)])

    def state(self) -> State:
        return {**super().state(), "made": saved(self._made())}

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

    def flow(self) -> Flow:
        return FileCacheFlow(self)


class FileCacheFlow(Flow):
    kept = ("position", "reading")

    def __init__(self, stage: FileCache) -> None:
        super().__init__(stage.inputs[0].flow())
        self.stage = stage
        self.position = 0  # in the file, in bytes
        self.reading = os.path.exists(stage.path)
        self.file: BinaryIO | None = None
        self.resumed = False

    def run(self, count: int) -> Run:
        with translated(self.stage.path, "CacheDataset"):
            if self.reading:
                return self._read()
            run = self.inputs[0].run(count)
            if not self.resumed:  # else what came before is not there to be written
                self._write(run)
            return run

    def _read(self) -> Run:
        if self.file is None:
            self.file = open(self.stage.path, "rb")  # noqa: SIM115  # closed with the flow
            weakref.finalize(self, self.file.close)
            self.file.seek(self.position)
            if not self.position and self.file.read(len(_MAGIC)) != _MAGIC:
                raise DataLossError(f"{self.stage.path} is no file that `cache` has written.")
        spec = self.stage.spec()
        leaves = [
            [self._read_tensor() for _ in range(count_of_arrays(leaf))]
            for leaf in nest.flatten(spec)
        ]
        self.position = self.file.tell()
        if leaves[0][0] is None:
            return EMPTY
        pairs = zip(nest.flatten(spec), leaves, strict=True)
        return [nest.pack_sequence_as(spec, [of_arrays(*pair) for pair in pairs])]

    def _read_tensor(self) -> Any:
        assert self.file
        head = self.file.read(_LENGTH.size)
        length = _LENGTH.unpack(head)[0] if len(head) == _LENGTH.size else 0
        if length == _END:
            self.file.seek(-_LENGTH.size, os.SEEK_CUR)
            return None
        message = self.file.read(length)
        if not length or len(message) < length:
            raise DataLossError(f"{self.stage.path} ends in the middle; remove it to make it anew.")
        return read_tensor(message)

    def _write(self, run: Run) -> None:
        if self.file is None:
            folder, name = os.path.split(self.stage.path)
            number, self.temporary = tempfile.mkstemp(prefix=name, dir=folder or ".")
            self.file = open(number, "wb")  # noqa: SIM115  # closed at the end, or with the flow
            self.discard = weakref.finalize(self, _discard, self.file, self.temporary)
            self.file.write(_MAGIC)
        for element in run:
            for array in [x for leaf in nest.flatten(element) for x in arrays_of(leaf)]:
                message = written_tensor(array)
                self.file.write(_LENGTH.pack(len(message)) + message)
        if not len(run) and not self.file.closed:
            self.file.write(_LENGTH.pack(_END))
            self.file.close()
            os.replace(self.temporary, self.stage.path)
            self.discard.detach()

    def restore(self, state: State) -> None:
        super().restore(state)
        self.resumed = True


def _discard(file: BinaryIO, path: str) -> None:
    """Remove what a pass that was not finished has written."""
    file.close()
    with suppress(FileNotFoundError):
        os.remove(path)
