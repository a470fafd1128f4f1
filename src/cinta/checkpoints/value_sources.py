"""Where the values of a checkpoint come from: cinta's files, TensorFlow's, or those of others."""

from __future__ import annotations

import glob
import os
from typing import TYPE_CHECKING, Any, Final, Protocol

from ..errors import DataLossError, NotFoundError
from ..files.container import SUFFIX, Container
from . import object_graph
from .bundle.bundle import INDEX, Bundle
from .sharded_values import Divided, opened

if TYPE_CHECKING:
    import numpy as np

    from ..engine.tensor import Array
    from .object_graph import ObjectGraph

KIND: Final = "cinta.checkpoint"


class ValueSource(Protocol):
    """Arrays by name, and perhaps the graph of objects that they belong to."""

    @property
    def path(self) -> str | os.PathLike[str]: ...
    def names(self) -> list[str]: ...
    def spec(self, name: str) -> tuple[np.dtype[Any], tuple[int, ...]]: ...
    def read(self, name: str) -> Array: ...
    def read_into(self, name: str, array: Array) -> None: ...


def exists(prefix: str) -> bool:
    """Whether there is a checkpoint, of cinta or of TensorFlow, whose files begin like this."""
    return os.path.isfile(prefix + SUFFIX) or os.path.isfile(prefix + INDEX)


def files(prefix: str) -> list[str]:
    """The files of the checkpoint."""
    shards = glob.glob(f"{glob.escape(prefix)}.data-?????-of-?????")
    shards += glob.glob(f"{glob.escape(prefix)}.part-?????-of-?????{SUFFIX}")
    return [path for path in (prefix + SUFFIX, prefix + INDEX, *shards) if os.path.isfile(path)]


def open_source(path: str | os.PathLike[str]) -> ValueSource:
    """The checkpoint of this prefix, or the file of this name."""
    prefix = os.fspath(path)
    for suffix in (SUFFIX, INDEX):
        for file in (prefix + suffix, prefix):
            if file.endswith(suffix) and os.path.isfile(file):
                return opened(file) if suffix == SUFFIX else Bundle(file)
    if os.path.exists(prefix):
        raise NotFoundError(
            f"Error when restoring from checkpoint or SavedModel at {prefix}: Failed to find any "
            f"matching files for {prefix}: {_what_it_is(prefix)}"
        )
    raise NotFoundError(
        f"Error when restoring from checkpoint or SavedModel at {prefix}: Failed to find any "
        f"matching files for {prefix}: there is neither {prefix}{SUFFIX} nor {prefix}{INDEX}. A "
        "checkpoint is named without its suffix, but with its number: the '-1' in "
        "'path/to/ckpt-1'."
    )


def _what_it_is(path: str) -> str:
    """The kind of file found where a checkpoint was expected, and the function that opens it."""
    if os.path.isdir(path):
        return (
            f"it is a directory. tf.train.latest_checkpoint({path!r}) is the latest checkpoint in "
            "it; of a saved model, tf.saved_model.load opens the directory."
        )
    for suffix, opener in _OPENED_BY.items():
        if path.endswith(suffix):
            return f"it is not a checkpoint. {opener}"
    return (
        f"it is a file, but no checkpoint, whose files end with {SUFFIX} or {INDEX}. A checkpoint "
        "is named without them."
    )


_OPENED_BY = {
    ".weights.h5": "Keras's model.load_weights reads it.",
    ".h5": "tf.keras.models.load_model opens models of Keras, model.load_weights reads weights.",
    ".keras": "tf.keras.models.load_model opens models of Keras.",
    ".npy": "numpy.load opens it.",
    ".npz": "numpy.load opens it.",
    ".onnx": "onnx.load opens it.",
    ".pb": "It is a part of a TensorFlow model, of which only checkpoints are read here.",
}
"""Files that people take for checkpoints, by how their names end."""


def graph_of(source: ValueSource) -> ObjectGraph | None:
    """The graph of objects, if the file has one."""
    if isinstance(source, Bundle):
        return source.graph()
    if not isinstance(source, (Container, Divided)) or source.kind != KIND:
        return None
    try:
        return object_graph.from_json(source.document, frozenset(source.names()))
    except ValueError as error:
        raise DataLossError(f"{source.path} is damaged: {error}.") from None
