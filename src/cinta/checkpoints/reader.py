"""Look into checkpoints, and read single tensors by name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from .. import dtypes
from ..files.atomic import path_of
from ..languages.counted import counted
from ..public import public
from .state_file import latest_checkpoint
from .value_sources import open_source

if TYPE_CHECKING:
    from .value_sources import ValueSource

    PathLike = str | os.PathLike[str]


class CheckpointReader:
    """The tensors of a checkpoint by their names."""

    def __init__(self, source: ValueSource) -> None:
        self._source = source

    def __repr__(self) -> str:
        return f"<tf.train.load_checkpoint: {counted(len(self._source.names()), 'tensor')}>"

    def has_tensor(self, name: str) -> bool:
        """Whether there is a tensor of this name."""
        return name in self._source.names()

    def get_tensor(self, name: str) -> Any:
        """The value as a NumPy array, or a NumPy scalar, or bytes."""
        return self._source.read(name)[()]

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """The shapes by name."""
        return {name: list(self._source.spec(name)[1]) for name in self._source.names()}

    def get_variable_to_dtype_map(self) -> dict[str, dtypes.DType]:
        """The dtypes by name."""
        return {name: dtypes.of(self._source.spec(name)[0]) for name in self._source.names()}


@public("train.load_checkpoint")
def load_checkpoint(ckpt_dir_or_file: PathLike) -> CheckpointReader:
    """A reader of the checkpoint of this name, or of the latest one in this directory.

    It also reads the safetensors files of other programs.

    >>> import tempfile
    >>> import cinta as tf
    >>> path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).write(tempfile.mkdtemp() + "/ckpt")
    >>> reader = tf.train.load_checkpoint(path)
    >>> reader.get_variable_to_shape_map()
    {'v/.ATTRIBUTES/VARIABLE_VALUE': [2]}
    >>> reader.get_tensor("v/.ATTRIBUTES/VARIABLE_VALUE")
    array([1., 2.], dtype=float32)

    Args:
        ckpt_dir_or_file: A checkpoint, or a folder whose latest one is taken.
    """
    return CheckpointReader(open_latest(ckpt_dir_or_file))


def open_latest(ckpt_dir_or_file: PathLike) -> ValueSource:
    """The checkpoint of this name, or the latest one in this directory."""
    path = path_of(ckpt_dir_or_file, "ckpt_dir_or_file")
    if os.path.isdir(path):
        latest = latest_checkpoint(path)
        if latest is None:
            raise ValueError(
                f"Couldn't find 'checkpoint' file or checkpoints in given directory {path}"
            )
        path = latest
    return open_source(path)


@public("train.list_variables")
def list_variables(ckpt_dir_or_file: PathLike) -> list[tuple[str, list[int]]]:
    """The names and shapes in a checkpoint, sorted by name.

    >>> import tempfile
    >>> import cinta as tf
    >>> path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).write(tempfile.mkdtemp() + "/ckpt")
    >>> tf.train.list_variables(path)
    [('v/.ATTRIBUTES/VARIABLE_VALUE', [2])]

    Args:
        ckpt_dir_or_file: A checkpoint, or a folder whose latest one is taken.
    """
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


@public("train.load_variable")
def load_variable(ckpt_dir_or_file: PathLike, name: str) -> Any:
    """The value of one variable in a checkpoint.

    >>> import tempfile
    >>> import cinta as tf
    >>> path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).write(tempfile.mkdtemp() + "/ckpt")
    >>> tf.train.load_variable(path, "v/.ATTRIBUTES/VARIABLE_VALUE")
    array([1., 2.], dtype=float32)

    Args:
        ckpt_dir_or_file: The path of a checkpoint, or a directory that has one.
        name: The name of the variable, as ``tf.train.list_variables`` gives it.

    Raises:
        NotFoundError: If there is no such checkpoint or variable.
    """
    if not isinstance(name, str):
        raise TypeError(f"`name` must be a string, got {name!r}.")
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))
