"""A file is replaced in one step, once what is new is safely on the disk.

Until then it has a name of its own, so whoever is interrupted, even by the loss of power, leaves
the old file as it was.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import translated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO

_PARTIAL = re.compile(r".+\.[0-9a-f]{8}\.partial")
_ABANDONED = 3600.0
"""Seconds for which nobody has written to a partial file whose writer must be dead."""


def path_of(path: Any, argument: str) -> str:
    """A path that people gave as this argument."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"`{argument}` must be a path, as a string or os.PathLike, got {path!r}.")
    return os.fspath(path)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[FileIO]:
    """Open a file that takes the place of this one when the block ends without an error."""
    target = Path(path)
    partial = target.with_name(f"{target.name}.{os.urandom(4).hex()}.partial")
    with translated(path):
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(target.parent)
        try:
            with open(partial, "xb", buffering=0) as file:
                yield file
                os.fsync(file.fileno())
            os.replace(partial, target)
        except BaseException:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            raise
        _sync_directory(target.parent)


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
            with suppress(FileNotFoundError):  # somebody else removed it
                if time.time() - entry.stat().st_mtime > _ABANDONED:
                    entry.unlink()
