"""A file is replaced in one step, once what is new is safely on the disk.

Until then it has a name of its own, so an interruption, even by the loss of power, leaves
the old file as it was.
"""

from __future__ import annotations

import os
import re
import time
import weakref
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from .system_errors import translated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO

_PARTIAL = re.compile(r".+\.[0-9a-f]{8}\.partial")
_ABANDONED = 3600.0
"""Seconds without a write after which the writer of a partial file must be dead."""


def path_of(path: object, argument: str) -> str:
    """A path that people gave as this argument."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"`{argument}` must be a path, as a string or os.PathLike, got {path!r}.")
    return os.fspath(path)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[FileIO]:
    """Open a file that takes the place of this one when the block ends without an error."""
    with translated(path):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        new = Replacement(path)
        try:
            yield new.file
            new.finish()
        finally:
            new.discard()


class Replacement:
    """A file that takes the place of another one when it is finished.

    It is removed if it is discarded before, or if the object is no longer referenced.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._target = Path(path)
        self._partial = self._target.with_name(f"{self._target.name}.{os.urandom(4).hex()}.partial")
        _remove_abandoned(self._target.parent)
        self.file = open(self._partial, "xb", buffering=0)  # noqa: SIM115  # closed by `discard`
        self.discard = weakref.finalize(self, _discard, self.file, self._partial)

    def finish(self) -> None:
        """See to it that all that was written is on the disk, under the name of the other one."""
        os.fsync(self.file.fileno())
        self.file.close()
        os.replace(self._partial, self._target)
        _sync_directory(self._target.parent)


def _discard(file: FileIO, partial: Path) -> None:
    """Remove what was not finished."""
    with suppress(OSError):
        file.close()
    with suppress(OSError):
        partial.unlink(missing_ok=True)


def write(file: FileIO, data: memoryview) -> None:
    """Write all of it: the system may take less at a time."""
    while data.nbytes:
        data = data[file.write(data) :]


def _sync_directory(directory: Path) -> None:
    """See to it that the new name is on the disk, too."""
    if os.name == "nt":  # there, directories cannot be opened
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_abandoned(directory: Path) -> None:
    """Remove what writers that were killed have left behind."""
    for entry in directory.iterdir():
        if _PARTIAL.fullmatch(entry.name):
            with suppress(FileNotFoundError):  # another process removed it
                if time.time() - entry.stat().st_mtime > _ABANDONED:
                    entry.unlink()
