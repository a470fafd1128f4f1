"""An open file, as ``tf.io.gfile.GFile`` gives it: bytes, or text in UTF-8."""

from __future__ import annotations

import io
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..engine.recorders import cannot_be_replayed
from ..errors import InvalidArgumentError, PermissionDeniedError
from ..files.system_errors import translated
from ..ops.arguments import text, whole_number
from ..public import public
from .files import local_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .files import FilePath

_OP = "FileSystem"
_MODES = tuple(f"{way}{kind}" for way in ("r", "w", "a", "r+", "w+", "a+") for kind in ("", "b"))


@public("io.gfile.GFile")
class GFile:
    """A file, opened at once; text is UTF-8, and its ends of lines stay what they are.

    Methods that it lacks are those of Python's file.

    >>> import cinta as tf, tempfile
    >>> path = tf.io.gfile.join(tempfile.mkdtemp(), "note")
    >>> with tf.io.gfile.GFile(path, "w") as file:
    ...     file.write("one\\ntwo\\n")
    >>> with tf.io.gfile.GFile(path) as file:
    ...     file.size(), file.readline(), file.readlines()
    (8, 'one\\n', ['two\\n'])
    >>> with tf.io.gfile.GFile(path) as file:
    ...     file.seek(4)
    ...     file.read()
    'two\\n'

    Args:
        name: The name of the file.
        mode: How to open it, as Python's ``open`` takes it; with a b it reads bytes.

    Raises:
        NotFoundError: If it is to be read, and is not there.
        InvalidArgumentError: If there is no such mode.
    """

    def __init__(self, name: FilePath, mode: str = "r") -> None:
        cannot_be_replayed("it works on files")
        path = local_path(name, "name")
        if text(mode, "mode") not in _MODES:
            raise InvalidArgumentError(f"mode must be one of {', '.join(_MODES)}, got {mode!r}.")
        self.name, self.mode = name, mode
        self._path = path
        with self._translated():
            self._file: Any = open(path, mode if "b" in mode else f"{mode}b")  # noqa: SIM115

    def __getattr__(self, name: str) -> Any:
        if name == "_file":  # it could not be opened
            raise AttributeError(name)
        return getattr(self._file, name)

    def __repr__(self) -> str:
        return f"<tf.io.gfile.GFile {self.name!r}, mode={self.mode!r}>"

    def __enter__(self) -> GFile:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def __del__(self) -> None:
        if "_file" in vars(self):  # else Python warns of a file that was not closed
            self._file.close()

    def __iter__(self) -> GFile:
        return self

    def __next__(self) -> str | bytes:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def read(self, n: int = -1) -> str | bytes:
        """The next bytes, or all that follow, as text unless the mode has a b.

        Args:
            n: How many bytes; -1 for all.

        Raises:
            InvalidArgumentError: If the number is below -1.
        """
        count = whole_number(n, "n")
        if count < -1:
            raise InvalidArgumentError(f"Can't read a negative number of bytes: {count}")
        with self._translated():
            return self._shown(self._file.read(count))

    def readline(self) -> str | bytes:
        """The next line, with its end; nothing at the end of the file."""
        with self._translated():
            return self._shown(self._file.readline())

    def readlines(self) -> list[str | bytes]:
        """The lines that follow."""
        return [*self]

    def write(self, file_content: str | bytes) -> None:
        """Write text, which becomes UTF-8, or bytes.

        Args:
            file_content: The text or the bytes.

        Raises:
            TypeError: If it is neither.
        """
        if isinstance(file_content, str):
            file_content = file_content.encode()
        elif not isinstance(file_content, (bytes, bytearray, memoryview)):
            raise TypeError(f"Expected binary or unicode string, got {file_content!r}")
        with self._translated():
            self._file.write(file_content)

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Go to a byte.

        Args:
            offset: Its distance, in bytes.
            whence: Where to count from: the start (0), here (1) or the end (2).
            position: The older name of ``offset``.

        Raises:
            TypeError: If there is no distance.
            InvalidArgumentError: If it is before the start, or ``whence`` is another number.
        """
        offset = position if offset is None else offset
        if offset is None:
            raise TypeError("seek() needs an `offset`: how many bytes to go.")
        place, start = whole_number(offset, "offset"), whole_number(whence, "whence")
        if start not in (0, 1, 2):
            raise InvalidArgumentError(
                f"Invalid whence argument: {start}. Valid values are 0, 1, or 2."
            )
        if start == 0 and place < 0:
            raise InvalidArgumentError(f"Seeking to a negative position: {place}")
        with self._translated():
            self._file.seek(place, start)

    def size(self) -> int:
        """The number of bytes in the file, of those that have been written out."""
        with self._translated():
            here = self._file.tell()
            length: int = self._file.seek(0, 2)
            self._file.seek(here)
        return length

    def _shown(self, content: bytes) -> str | bytes:
        return content if "b" in self.mode else content.decode()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Errors of the system, and of a mode that does not allow something, as those of ops."""
        with translated(self._path, _OP):
            try:
                yield
            except io.UnsupportedOperation as error:
                way = "writing" if self._file.readable() else "reading"
                raise PermissionDeniedError(
                    f"File isn't open for {way}: {self._path} has the mode {self.mode!r}"
                ) from error
