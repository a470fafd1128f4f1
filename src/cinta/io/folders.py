"""Files and folders by the names of ``tf.io.gfile``; errors are those of TensorFlow's ops."""

from __future__ import annotations

import os
import shutil
from glob import glob as _glob
from typing import TYPE_CHECKING, NamedTuple

from ..engine.recorders import cannot_be_replayed
from ..errors import AlreadyExistsError, NotFoundError
from ..files.system_errors import translated
from ..ops.arguments import flag
from ..public import public
from .files import local_path, path_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .files import FilePath


_OP = "FileSystem"


class FileStatistics(NamedTuple):
    """Length in bytes, time of the last change in nanoseconds, and whether it is a folder."""

    length: int
    mtime_nsec: int
    is_directory: bool


def _path(given: FilePath, argument: str) -> str:
    """The path of what is looked at, or changed: another thing in every call of a function."""
    cannot_be_replayed("it works on files")
    return local_path(given, argument)


@public("io.gfile.exists")
def exists(path: FilePath) -> bool:
    """Whether there is a file or folder of this name.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> note = tf.io.gfile.join(folder, "note")
    >>> tf.io.write_file(note, "hello")
    >>> tf.io.gfile.exists(note), tf.io.gfile.exists(note + "2")
    (True, False)

    Args:
        path: The name.
    """
    return os.path.exists(_path(path, "path"))


@public("io.gfile.isdir")
def isdir(path: FilePath) -> bool:
    """Whether there is a folder of this name.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> note = tf.io.gfile.join(folder, "note")
    >>> tf.io.write_file(note, "hello")
    >>> tf.io.gfile.isdir(folder), tf.io.gfile.isdir(note)
    (True, False)

    Args:
        path: The name.
    """
    return os.path.isdir(_path(path, "path"))


@public("io.gfile.join")
def join(path: FilePath, *paths: FilePath) -> str:
    """A path made of its parts.

    >>> import cinta as tf
    >>> tf.io.gfile.join("a", "b", "c")
    'a/b/c'
    """
    return os.path.join(path_from(path, "path"), *[path_from(each, "paths") for each in paths])


@public("io.gfile.get_registered_schemes")
def get_registered_schemes() -> list[str]:
    """How names of files may begin: with nothing, or with ``file://``.

    >>> import cinta as tf
    >>> tf.io.gfile.get_registered_schemes()
    ['', 'file']
    """
    return ["", "file"]


@public("io.gfile.glob")
def glob(pattern: FilePath) -> list[str]:
    """The paths that a pattern matches, or one of several.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> note = tf.io.gfile.join(folder, "note")
    >>> tf.io.write_file(note, "hello")
    >>> tf.io.gfile.glob(folder + "/n*") == [note]
    True
    """
    patterns = pattern if isinstance(pattern, (list, tuple)) else [pattern]
    return sorted(path for each in patterns for path in _glob(_path(each, "pattern")))


@public("io.gfile.listdir")
def listdir(path: FilePath) -> list[str]:
    """The names in a folder, in order.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> note = tf.io.gfile.join(folder, "note")
    >>> tf.io.write_file(note, "hello")
    >>> tf.io.gfile.listdir(folder)
    ['note']

    Args:
        path: The name of the folder.

    Raises:
        NotFoundError: If there is no such folder.
    """
    folder = _path(path, "path")
    if not os.path.isdir(folder):
        raise NotFoundError(f"Could not find directory {folder}")
    return sorted(os.listdir(folder))


@public("io.gfile.mkdir")
def mkdir(path: FilePath) -> None:
    """Make a folder, in one that is there, unless it is there already.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> tf.io.gfile.mkdir(folder + "/a")
    >>> tf.io.gfile.isdir(folder + "/a")
    True

    Args:
        path: The name of the folder.

    Raises:
        NotFoundError: If the folder that it is to be in is not there.
    """
    folder = _path(path, "path")
    with translated(folder, _OP):
        if not os.path.isdir(folder):
            os.mkdir(folder)


@public("io.gfile.makedirs")
def makedirs(path: FilePath) -> None:
    """Make a folder and those that lead to it, as far as they are not there.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> tf.io.gfile.makedirs(folder + "/a/b")
    >>> tf.io.gfile.isdir(folder + "/a/b")
    True

    Args:
        path: The name of the folder.

    Raises:
        AlreadyExistsError: If there is a file of this name.
    """
    folder = _path(path, "path")
    with translated(folder, _OP):
        os.makedirs(folder, exist_ok=True)


@public("io.gfile.remove")
def remove(path: FilePath) -> None:
    """Remove a file.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> note = tf.io.gfile.join(folder, "note")
    >>> tf.io.write_file(note, "hello")
    >>> tf.io.gfile.remove(note)
    >>> tf.io.gfile.exists(note)
    False

    Args:
        path: The name of the file.

    Raises:
        NotFoundError: If there is no such file.
    """
    file = _path(path, "path")
    with translated(file, _OP):
        os.remove(file)


@public("io.gfile.rmtree")
def rmtree(path: FilePath) -> None:
    """Remove a folder and all that is in it.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> note = tf.io.gfile.join(folder, "note")
    >>> tf.io.write_file(note, "hello")
    >>> tf.io.gfile.rmtree(folder)
    >>> tf.io.gfile.exists(folder)
    False

    Args:
        path: The name of the folder.

    Raises:
        NotFoundError: If there is no such folder.
    """
    folder = _path(path, "path")
    with translated(folder, _OP):
        shutil.rmtree(folder)


@public("io.gfile.rename")
def rename(src: FilePath, dst: FilePath, overwrite: bool = False) -> None:
    """Give a file or folder another name.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> note = tf.io.gfile.join(folder, "note")
    >>> tf.io.write_file(note, "hello")
    >>> tf.io.gfile.rename(note, folder + "/letter")
    >>> tf.io.gfile.listdir(folder)
    ['letter']

    Args:
        src: The old name.
        dst: The new name.
        overwrite: Whether to replace a file that has the new name.

    Raises:
        NotFoundError: If there is no such file.
        AlreadyExistsError: If there is a file that may not be replaced.
    """
    old, new = _path(src, "src"), _path(dst, "dst")
    _check_free(new, overwrite)
    with translated(old, _OP):
        os.replace(old, new)


@public("io.gfile.copy")
def copy(src: FilePath, dst: FilePath, overwrite: bool = False) -> None:
    """Copy a file.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> note = tf.io.gfile.join(folder, "note")
    >>> tf.io.write_file(note, "hello")
    >>> tf.io.gfile.copy(note, note + "2")
    >>> sorted(tf.io.gfile.listdir(folder))
    ['note', 'note2']

    Args:
        src: The file.
        dst: The name of the copy.
        overwrite: Whether to replace a file of that name.

    Raises:
        NotFoundError: If there is no such file.
        AlreadyExistsError: If there is a file that may not be replaced.
    """
    old, new = _path(src, "src"), _path(dst, "dst")
    _check_free(new, overwrite)
    with translated(old, _OP):
        if not os.path.exists(new) or not os.path.samefile(old, new):
            shutil.copyfile(old, new)


def _check_free(path: str, overwrite: bool) -> None:
    replaces = flag(overwrite, "overwrite")
    if os.path.exists(path) and not replaces:
        raise AlreadyExistsError(f"{path}: file already exists; pass overwrite=True to replace it.")


@public("io.gfile.stat")
def stat(path: FilePath) -> FileStatistics:
    """The size, time and kind of a file or folder.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> note = tf.io.gfile.join(folder, "note")
    >>> tf.io.write_file(note, "hello")
    >>> tf.io.gfile.stat(note).length
    5

    Args:
        path: The name.

    Raises:
        NotFoundError: If there is no such file or folder.
    """
    file = _path(path, "path")
    with translated(file, _OP):
        found = os.stat(file)
    return FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(file))


@public("io.gfile.walk")
def walk(
    top: FilePath, topdown: bool = True, onerror: Callable[[OSError], object] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """A folder and each one below it, with the names of the folders and of the files in it.

    There is nothing if there is no such folder.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> note = tf.io.gfile.join(folder, "note")
    >>> tf.io.write_file(note, "hello")
    >>> list(tf.io.gfile.walk(folder)) == [(folder, [], ["note"])]
    True

    Args:
        top: The name of the folder.
        topdown: Whether a folder comes before those in it, or after them.
        onerror: A function that is called with the error where a folder cannot be read.
    """
    yield from os.walk(_path(top, "top"), topdown=topdown, onerror=onerror)
