"""Saved models, of cinta and of TensorFlow: which of them a directory has."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from ..checkpoints.trackable import is_container, is_trackable
from ..errors import DataLossError
from ..files.atomic import path_of
from ..files.system_errors import translated
from ..protobuf.saved_model_messages import SavedModel
from ..public import public
from ..saved_model import load_model, saving
from ..saved_model.load_model import NONSENSE, damaged
from ..saved_model.save_options import LoadOptions, SaveOptions
from ..saved_model.saving import FILE
from ..saved_model.sharded_variables import off_meshes
from .reading import Reader
from .writing import ModelWriter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..protobuf.saved_model_messages import MetaGraphDef
    from ..saved_model.restored import LoadedModule
    from ..saved_model.saving import PathLike

GRAPH_FILE = "saved_model.pb"
_LARGEST = 2**31
"""Protocol buffers are shorter than this."""


@public("saved_model.contains_saved_model")
def contains_saved_model(export_dir: PathLike) -> bool:
    """Whether there is a saved model in this directory, of cinta or of TensorFlow.

    >>> import cinta as tf
    >>> tf.saved_model.contains_saved_model("/nowhere")
    False

    Args:
        export_dir: The directory.
    """
    directory = path_of(export_dir, "export_dir")
    return any(os.path.isfile(os.path.join(directory, file)) for file in (FILE, GRAPH_FILE))


def contains_graphs(export_dir: PathLike) -> bool:
    """Whether the model of this directory is one of TensorFlow's."""
    ours, theirs = [os.path.join(export_dir, file) for file in (FILE, GRAPH_FILE)]
    return os.path.isfile(theirs) and not os.path.isfile(ours)


@public("saved_model.save")
def save(
    obj: object, export_dir: PathLike, signatures: object = None, options: SaveOptions | None = None
) -> None:
    """Save a model so that it can be loaded, called and trained without its Python code.

    >>> import tempfile
    >>> import cinta as tf
    >>> class Scale(tf.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = tf.Variable(3.0)
    ...     @tf.function(input_signature=[tf.TensorSpec([None])])
    ...     def __call__(self, x):
    ...         return self.factor * x
    >>> directory = tempfile.mkdtemp()
    >>> tf.saved_model.save(Scale(), directory)
    >>> tf.saved_model.load(directory)([1.0, 2.0]).numpy()
    array([3., 6.], dtype=float32)

    The functions of ``tf.function`` that are attributes or methods of the model or of its parts are
    saved: those with an ``input_signature`` for this signature, others for the calls that were made
    so far.

    Args:
        obj: A module, or another object that checkpoints can follow.
        export_dir: The directory to write to; it is made if it is missing.
        signatures: A function, or a dict of functions, that can be called by name on tensors by
            name. Without it, the only function that has an ``input_signature``, if it is suited.
        options: ``SaveOptions``; with ``format="tensorflow"`` TensorFlow can load the model.

    Raises:
        ValueError: If checkpoints cannot follow the object.
        TypeError: If the options are not ``SaveOptions``.
    """
    if not is_trackable(obj) or is_container(obj):
        raise ValueError(
            "Expected an object of type `Trackable`, such as `tf.Module` or a subclass of the "
            f"`Trackable` class, for export. Got {obj} with type {type(obj)}."
        )
    directory = path_of(export_dir, "export_dir")
    if not isinstance(options, SaveOptions | None):
        raise TypeError(f"`options` must be tf.saved_model.SaveOptions, got {options!r}.")
    options = options or SaveOptions()
    with off_meshes(obj):
        if options.format == "tensorflow":
            other = FILE
            ModelWriter(obj).write(directory, os.path.join(directory, GRAPH_FILE), signatures)
        else:
            other = GRAPH_FILE
            saving.save(obj, directory, signatures, options)
    with suppress(FileNotFoundError):  # a directory has one model
        os.remove(os.path.join(directory, other))


@public("saved_model.load")
def load(
    export_dir: PathLike,
    tags: str | Sequence[str] | None = None,
    options: LoadOptions | None = None,
) -> LoadedModule:
    """The model that was saved in this directory, by cinta or by TensorFlow.

    It has the attributes that the model had: variables, modules, lists, tuples, dictionaries, and
    functions, which can be called and differentiated without the Python that they were made of.
    Its ``signatures`` are functions that take tensors by name and return a dict of tensors.

    >>> import cinta as tf, tempfile
    >>> module, folder = tf.Module(), tempfile.mkdtemp()
    >>> module.double = tf.function(
    ...     lambda x: 2.0 * x, input_signature=[tf.TensorSpec([None], tf.float32)]
    ... )
    >>> tf.saved_model.save(module, folder)
    >>> tf.saved_model.load(folder).double([1.0, 2.0]).numpy()
    array([2., 4.], dtype=float32)

    A function with an op that cinta does not have is there too: its calls raise ``NotFoundError``,
    which names the op.

    Args:
        export_dir: The directory.
        tags: Which of the graphs of a file of TensorFlow; the only one is the one without any.
        options: ``LoadOptions``.
    """
    directory = path_of(export_dir, "export_dir")
    if options is not None and not isinstance(options, LoadOptions):
        raise TypeError(f"options must be a tf.saved_model.LoadOptions or None, got {options!r}.")
    path = os.path.join(directory, GRAPH_FILE)
    if not contains_graphs(directory):
        return load_model.load(directory, options)
    skip = options is not None and options.experimental_skip_checkpoint
    try:
        return Reader(graph_of(path, tags), path, skip).root()
    except NONSENSE as error:
        raise damaged(path, error) from error


def graph_of(path: str, tags: str | Sequence[str] | None) -> MetaGraphDef:
    """The graph of a file that has these tags."""
    if os.path.getsize(path) >= _LARGEST:
        raise DataLossError(f"{path} is damaged: it is longer than {_LARGEST} bytes.")
    with translated(path), open(path, "rb") as file:
        graphs = SavedModel.FromString(file.read()).meta_graphs
    wanted = {tags} if isinstance(tags, str) else None if tags is None else {*tags}
    found = [each for each in graphs if wanted in (None, {*each.meta_info_def.tags})]
    if len(found) != 1:
        listed = [[*each.meta_info_def.tags] for each in graphs]
        raise ValueError(f"of its {len(graphs)} graphs, tagged {listed}, {len(found)} are wanted")
    chosen: MetaGraphDef = found[0]
    return chosen
