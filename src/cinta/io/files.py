"""Files: read, write, find."""

from __future__ import annotations

import glob
import os
import re
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..engine.convert import as_tensor, is_tensor
from ..engine.op import op, originate
from ..engine.recorders import cannot_be_replayed
from ..engine.tensor import Tensor, wrap
from ..errors import InvalidArgumentError, UnimplementedError
from ..files.system_errors import translated
from ..ops.arguments import tensor_of
from ..ops.strings.string_arrays import text_of
from ..public import public

if TYPE_CHECKING:
    from ..engine.annotations import ArrayModule, TensorLike
    from ..engine.tensor import Array

    FilePath: TypeAlias = TensorLike | os.PathLike[str]
    """The name of a file or folder."""


def path_from(filename: FilePath, argument: str = "filename") -> str:
    """A path given as a string, a path or a scalar tensor."""
    if isinstance(filename, (str, os.PathLike)):
        path = os.fspath(filename)
        return _without_zeros(path if isinstance(path, str) else os.fsdecode(path), argument)
    return _without_zeros(_only(text_of(filename), argument), argument)


def _only(paths: Array, argument: str) -> str:
    if paths.ndim:
        raise InvalidArgumentError(
            f"`{argument}` should be a single string: it must be scalar, one path, got {paths!r}."
        )
    return os.fsdecode(paths.item())


def _without_zeros(path: str, argument: str) -> str:
    if "\0" in path:
        raise ValueError(f"`{argument}` is not a path: {path!r} has a zero byte in it.")
    return path


def local_path(filename: FilePath, argument: str = "filename") -> str:
    """The same on this machine: ``file://`` is taken off, and other schemes are refused."""
    path = path_from(filename, argument)
    scheme, found, rest = path.partition("://")
    if not found or not _SCHEME.fullmatch(scheme):
        return path
    if scheme == "file":
        return rest
    raise UnimplementedError(
        f"File system scheme {scheme!r} not implemented (file: {path!r}): cinta reads and writes "
        f"local files. Copy the file here first; the package fsspec does so from {scheme}://."
    )


_SCHEME = re.compile("[a-zA-Z][a-zA-Z0-9.]+")


@public("io.read_file")
def read_file(filename: FilePath, name: str | None = None) -> Tensor:
    """The whole content of a file, as a string of bytes.

    >>> import cinta as tf, tempfile
    >>> path = tempfile.mkdtemp() + "/greeting"
    >>> tf.io.write_file(path, "hello")
    >>> tf.io.read_file(path).numpy()
    b'hello'

    Args:
        filename: The name of the file.

    Raises:
        NotFoundError: If there is no such file.
    """
    path = filename if is_tensor(filename) else as_tensor(path_from(filename), np.dtype(object))
    content: Tensor = originate(ReadFile, tensor_of("ReadFile", path, "O"))
    return content


@op("ReadFile", effects=True)
def ReadFile(xp: ArrayModule, filename: Array) -> Any:
    """The whole content of a file; with ``effects``, because it may be another at each call."""
    path = local_path(_only(filename, "filename"))
    with translated(path, "ReadFile"), open(path, "rb") as file:
        return np.array(file.read(), object)


ReadFile.no_grad()


@public("io.write_file")
def write_file(filename: FilePath, contents: TensorLike, name: str | None = None) -> None:
    """Write a string to a file, and make the folders that lead to it.

    >>> import cinta as tf, tempfile
    >>> path = tempfile.mkdtemp() + "/greetings/note"
    >>> tf.io.write_file(path, "hello")
    >>> tf.io.read_file(path).numpy()
    b'hello'

    Args:
        filename: The name of the file; one that is there is replaced.
        contents: A string.

    Raises:
        ValueError: If there are several strings.
        FailedPreconditionError: If it is the name of a folder.
    """
    cannot_be_replayed("it writes a file")
    path = local_path(filename)
    content = text_of(contents)
    if content.ndim:
        raise ValueError(f"`contents` must be one string, got {content!r}.")
    with translated(path, "WriteFile"):
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "wb") as file:
            file.write(content.item())


@public("io.matching_files")
def matching_files(pattern: FilePath, name: str | None = None) -> Tensor:
    """The paths that each of the patterns matches, in order; ``*``, ``?`` and ``[]`` are wildcards.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> tf.io.write_file(folder + "/a.txt", "")
    >>> len(tf.io.matching_files(folder + "/*.txt"))
    1

    Args:
        pattern: A pattern, or a tensor of them.
    """
    patterns = [os.fsdecode(each) for each in text_of(pattern).reshape(-1)]
    found = sorted(path for each in patterns for path in glob.glob(each, include_hidden=True))
    return wrap(np.array([os.fsencode(path) for path in found], object))
