"""Checkpoint: saves and restores the values of all that is put into it."""

from __future__ import annotations

import os
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..dtypes import string
from ..engine import settings
from ..engine.convert import as_tensor, is_tensor
from ..engine.deferred_attributes import Expecting
from ..engine.device_values import Spread
from ..engine.recorders import cannot_be_replayed
from ..engine.tensor import Tensor, seen
from ..engine.variable import Variable
from ..errors import InvalidArgumentError
from ..files.atomic import path_of
from ..files.container import SUFFIX, write_container
from ..programs.concrete import ConcreteFunction
from ..programs.function import Function
from ..public import public
from . import object_graph
from .checkpoint_options import CheckpointOptions, as_options
from .collecting import collect
from .restoring import Restoration
from .sharded_values import write_divided
from .state_file import update_checkpoint_state
from .status import CheckpointLoadStatus, InitializationOnlyStatus
from .trackable import children, is_trackable
from .value_sources import KIND, graph_of, open_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from concurrent.futures import Future

    PathLike = str | os.PathLike[str]

_INSIDE: Final = frozenset({"_held_root", "_save_counter", "_writing"})
"""The attributes of a checkpoint that are not saved."""


@public("train.Checkpoint")
class Checkpoint(Expecting):
    """Variables, modules, lists, dictionaries and optimizers, to be saved and restored by name.

    >>> import tempfile
    >>> import cinta as tf
    >>> directory = tempfile.mkdtemp()
    >>> checkpoint = tf.train.Checkpoint(step=tf.Variable(3), layers=[tf.Variable([1.0, 2.0])])
    >>> path = checkpoint.save(directory + "/ckpt")
    >>> os.path.basename(path)
    'ckpt-1'

    An object gets its value back by its name, now or when it is created:

    >>> later = tf.train.Checkpoint(step=tf.Variable(0))
    >>> status = later.restore(path)
    >>> later.step.numpy()
    np.int32(3)
    >>> later.layers = [tf.Variable([0.0, 0.0])]
    >>> later.layers[0].numpy()
    array([1., 2.], dtype=float32)
    >>> status.assert_consumed() is status
    True

    Args:
        root: An object whose attributes are saved as if they were the checkpoint's own, or a weak
            reference to it.
        kwargs: The objects to save, each under its name. Attributes may be set later, too.

    Raises:
        ValueError: If it cannot save an object, or the root has another one of the same name.
    """

    def __init__(self, root: object = None, **kwargs: object) -> None:
        self._held_root = root
        root = self._root
        self._save_counter: Variable | None = None
        self._writing: Future[None] | None = None
        for name, value in (("root", root), *kwargs.items()):
            is_taken = is_trackable(value) or isinstance(value, (Function, ConcreteFunction))
            if not is_taken and not (name == "root" and value is None):
                raise ValueError(
                    f"`Checkpoint` was expecting {name} to be a trackable object: a variable, a "
                    "module, a list, tuple or dictionary, or an object with _checkpoint_children "
                    f"or _checkpoint_state; got {value!r}."
                )
        taken = {} if root is None else children(root)
        for name, value in sorted(kwargs.items()):
            if name in taken and taken[name] is not value:
                raise ValueError(
                    f"Cannot create a Checkpoint with keyword argument {name} if root.{name} "
                    "already exists."
                )
            setattr(self, name, value)

    def __repr__(self) -> str:
        names = ", ".join([*["root"] * (self._root is not None), *sorted(self._own())])
        return f"<tf.train.Checkpoint of {names or 'nothing yet'}>"

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"this Checkpoint has no {name!r}; it has {sorted(self._own())}.")

    @property
    def _root(self) -> object:
        """The object that stands for the checkpoint; it may be held weakly."""
        held = self._held_root
        return held() if isinstance(held, weakref.ref) else held

    def _own(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in _INSIDE}

    def _checkpoint_children(self) -> Mapping[str, object]:
        found = {} if self._root is None else children(self._root)
        found |= self._own()
        if self._save_counter is not None:
            found["save_counter"] = self._save_counter
        return found

    @property
    def _keeper(self) -> object:
        """The object whose attributes are restored: attributes that come later are its own."""
        return self if self._root is None else self._root

    @property
    def save_counter(self) -> Variable:
        """How often ``save`` was called; it is saved, too.

        >>> import tempfile
        >>> import cinta as tf
        >>> checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
        >>> _ = checkpoint.save(tempfile.mkdtemp() + "/ckpt")
        >>> checkpoint.save_counter.numpy()
        np.int64(1)
        """
        if self._save_counter is None:
            zero = np.int64(0)
            self._save_counter = Variable(zero, trainable=False, name="save_counter")
        return self._save_counter

    # -- writing -----------------------------------------------------------------------------

    def write(
        self, file_prefix: PathLike | Tensor, options: CheckpointOptions | None = None
    ) -> str:
        """Write a checkpoint of exactly this name; returns the name.

        Use ``read`` to get it back. ``save`` counts, and keeps track of the latest checkpoint.
        Where variables lie on the devices of several processes, all processes must call it, with
        the same name; each writes its part.

        >>> import tempfile
        >>> import cinta as tf
        >>> checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
        >>> path = checkpoint.write(tempfile.mkdtemp() + "/best")
        >>> checkpoint.v.assign(0.0).numpy()
        np.float32(0.0)
        >>> status = checkpoint.read(path)
        >>> checkpoint.v.numpy()
        np.float32(1.0)

        Args:
            file_prefix: The path; an InvalidArgumentError is raised if it ends with a slash.
            options: How to write, for example in the background.
        """
        cannot_be_replayed("it writes a checkpoint")
        self.sync()
        prefix = _checked(file_prefix)
        options = as_options(options)
        nodes, arrays = collect(self)
        document = object_graph.as_json(nodes)
        divided = {key: arrays.pop(key) for key in [*arrays] if isinstance(arrays[key], Spread)}

        def write() -> None:
            shown = settings.checkpoint_progress
            write_container(prefix + SUFFIX, KIND, document, arrays, shown)
            options._tell(prefix)

        if divided:  # which other processes write at the same time
            write_divided(prefix, KIND, document, arrays, divided)
            options._tell(prefix)
        elif options.enable_async:
            self._writing = _in_background(write)
        else:
            write()
        return prefix

    def save(self, file_prefix: PathLike | Tensor, options: CheckpointOptions | None = None) -> str:
        """Write a checkpoint with the next number behind its name, and note that it is the latest.

        Returns its name: ``path/ckpt-1`` is the first one of ``path/ckpt``.

        >>> import tempfile
        >>> import cinta as tf
        >>> v = tf.Variable(1.0)
        >>> path = tf.train.Checkpoint(v=v).save(tempfile.mkdtemp() + "/ckpt")
        >>> path.endswith("ckpt-1")
        True

        Args:
            file_prefix: The path without the number.
            options: ``CheckpointOptions``.
        """
        with self._counted() as count:
            path = f"{_checked(file_prefix)}-{count}"
            noting = as_options(options)._telling(_note_latest)
            return self.write(path, noting)

    @contextmanager
    def _counted(self) -> Iterator[int]:
        """Count one more, unless the block fails."""
        self.sync()
        self.save_counter.assign_add(1, read_value=False)
        try:
            yield int(self.save_counter._array)
        except BaseException:
            self.save_counter.assign_sub(1, read_value=False)
            raise

    def sync(self) -> None:
        """Wait until what is being written in the background is on the disk.

        >>> import tempfile
        >>> import cinta as tf
        >>> checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
        >>> options = tf.train.CheckpointOptions(enable_async=True)
        >>> path = checkpoint.write(tempfile.mkdtemp() + "/ckpt", options)
        >>> checkpoint.sync()
        >>> status = checkpoint.read(path).assert_consumed()
        """
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.result()

    # -- reading -----------------------------------------------------------------------------

    def read(
        self, save_path: PathLike | None, options: CheckpointOptions | None = None
    ) -> CheckpointLoadStatus | InitializationOnlyStatus:
        """Restore what ``write`` wrote, or nothing if the path is None; the status tells what.

        >>> import tempfile
        >>> import cinta as tf
        >>> path = tf.train.Checkpoint(v=tf.Variable(5.0)).write(tempfile.mkdtemp() + "/best")
        >>> later = tf.train.Checkpoint(v=tf.Variable(0.0))
        >>> status = later.read(path).assert_consumed()
        >>> later.v.numpy()
        np.float32(5.0)

        Args:
            save_path: The path that ``write`` returned.
            options: ``CheckpointOptions``.

        Raises:
            NotFoundError: If there is no such checkpoint.
            InvalidArgumentError: If the file was not written by a Checkpoint.
        """
        if save_path is None:
            return InitializationOnlyStatus()
        self.sync()
        source = open_source(_checked(save_path))
        nodes = graph_of(source)
        if nodes is None:
            raise InvalidArgumentError(
                f"{source.path} holds no graph of objects, so it was not written by a Checkpoint. "
                "tf.train.load_checkpoint reads its tensors by name."
            )
        restoration = Restoration(source, nodes)
        restoration.bind(0, self)
        return CheckpointLoadStatus(restoration, self)

    def restore(
        self, save_path: PathLike | None, options: CheckpointOptions | None = None
    ) -> CheckpointLoadStatus | InitializationOnlyStatus:
        """Restore what ``save`` wrote, in TensorFlow too; nothing if the path is None.

        Objects get their values now, or when they become attributes of what was restored.

        >>> import tempfile
        >>> import cinta as tf
        >>> v = tf.Variable(1.0)
        >>> checkpoint = tf.train.Checkpoint(v=v)
        >>> path = checkpoint.save(tempfile.mkdtemp() + "/ckpt")
        >>> restored = checkpoint.restore(path)
        >>> float(v)
        1.0

        Args:
            save_path: The path that ``save`` returned.
            options: ``CheckpointOptions``.

        Raises:
            NotFoundError: If there is no such checkpoint.
            InvalidArgumentError: If the file was not written by a Checkpoint.
        """
        if save_path is not None:
            _ = self.save_counter  # which is restored, too
        return self.read(save_path, options)


def _checked(path: PathLike | Tensor) -> str:
    if is_tensor(path):
        path = _text(path)
    text = path_of(path, "path")
    if not os.path.basename(text):
        raise InvalidArgumentError(
            f"the path of a checkpoint must end with a name, such as 'path/ckpt', got {path!r}."
        )
    return text


def _text(path: Any) -> str:
    """The path that a tensor holds."""
    if path.dtype != string or path.shape.rank:
        raise ValueError(f"the path of a checkpoint is a scalar tensor of a string, not {path!r}.")
    return str(seen(as_tensor(path)).item().decode())


def _note_latest(path: str) -> None:
    update_checkpoint_state(os.path.dirname(path), path, [path])


def _in_background(write: Callable[..., Any]) -> Future[None]:
    from concurrent.futures import ThreadPoolExecutor  # which loads much

    pool = ThreadPoolExecutor(1, thread_name_prefix="checkpoint")
    try:
        return pool.submit(write)
    finally:
        pool.shutdown(wait=False)
