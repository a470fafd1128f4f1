"""CheckpointManager: numbers checkpoints, keeps the latest ones and deletes the others."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from ..engine.recorders import cannot_be_replayed
from ..files.atomic import path_of
from ..ops.arguments import instance, integer, number, whole_number
from ..public import public
from . import value_sources
from .checkpoint_options import CheckpointOptions, as_options
from .state_file import get_checkpoint_state, update_checkpoint_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import IntLike
    from ..engine.tensor import Tensor
    from ..engine.variable import Variable
    from .checkpoint import Checkpoint


@public("train.CheckpointManager")
class CheckpointManager:
    """Keeps the latest checkpoints of a directory.

    >>> import tempfile
    >>> import cinta as tf
    >>> step = tf.Variable(0)
    >>> checkpoint = tf.train.Checkpoint(step=step)
    >>> manager = tf.train.CheckpointManager(checkpoint, tempfile.mkdtemp(), max_to_keep=2)
    >>> for _ in range(3):
    ...     path = manager.save()
    >>> [os.path.basename(path) for path in manager.checkpoints]
    ['ckpt-2', 'ckpt-3']
    >>> manager.latest_checkpoint == path, manager.checkpoint is checkpoint
    (True, True)
    >>> manager.checkpoint_interval is None, manager.sync()
    (True, None)

    Args:
        checkpoint: The checkpoint to save.
        directory: Where. A manager goes on with what it finds there.
        max_to_keep: How many checkpoints are kept; None for all.
        keep_checkpoint_every_n_hours: Also keep one checkpoint for ever in each such period.
        checkpoint_name: The name of the checkpoints, which a number follows.
        step_counter: A variable that counts steps, for ``checkpoint_interval``.
        checkpoint_interval: How many steps there are at least between checkpoints.
        init_fn: Called by ``restore_or_initialize`` if there is no checkpoint.
        last_checkpoint_step: At which step the last checkpoint was saved, if one was.

    Raises:
        ValueError: If ``max_to_keep`` is not positive, if there is an interval without a counter,
            or if the name leads out of the directory.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        directory: str | os.PathLike[str],
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
        step_counter: Tensor | Variable | int | None = None,
        checkpoint_interval: int | None = None,
        init_fn: Callable[[], object] | None = None,
        last_checkpoint_step: int | None = None,
    ) -> None:
        if max_to_keep is not None and whole_number(max_to_keep, "max_to_keep") <= 0:
            raise ValueError(
                f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}."
            )
        if checkpoint_interval is not None and step_counter is None:
            raise ValueError(
                "`step_counter` should be passed if `checkpoint_interval` is not None."
            )
        if (
            not instance(checkpoint_name, str, "checkpoint_name")
            or os.path.basename(checkpoint_name) != checkpoint_name
        ):
            raise ValueError(
                f"`checkpoint_name` names files in `directory`, got {checkpoint_name!r}."
            )
        self._checkpoint = checkpoint
        self._directory = path_of(directory, "directory")
        self._max_to_keep = max_to_keep
        hours = 0 if keep_checkpoint_every_n_hours is None else keep_checkpoint_every_n_hours
        self._seconds_between_kept = 3600 * number(hours, "keep_checkpoint_every_n_hours")
        self._prefix = os.path.join(self._directory, checkpoint_name)
        self._step_counter = 0 if step_counter is None else step_counter
        self._interval = checkpoint_interval
        self._last_step = last_checkpoint_step
        self._init_fn = init_fn
        self._recover()

    def __repr__(self) -> str:
        return (
            f"<tf.train.CheckpointManager: directory={self._directory!r}, "
            f"latest_checkpoint={self._latest!r}>"
        )

    def _recover(self) -> None:
        """Go on from what the directory says."""
        state, now = get_checkpoint_state(self._directory), time.time()
        self._latest = None if state is None else state.model_checkpoint_path or None
        preserved = None if state is None else state.last_preserved_timestamp
        self._last_preserved = min(now, preserved or now)  # a clock may have been set back
        self._kept: dict[str, float] = {}
        if state is not None:  # a checkpoint without a time is not from a manager: it stays
            paths, times = state.all_model_checkpoint_paths, state.all_model_checkpoint_timestamps
            self._kept = dict(zip(paths, times, strict=False))

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint that is saved."""
        return self._checkpoint

    @property
    def directory(self) -> str:
        """The directory that holds the checkpoints.

        >>> import cinta as tf
        >>> tf.train.CheckpointManager(tf.train.Checkpoint(), "runs/7", max_to_keep=3).directory
        'runs/7'
        """
        return self._directory

    @property
    def checkpoint_interval(self) -> int | None:
        """How many steps there are at least between checkpoints."""
        return self._interval

    @property
    def latest_checkpoint(self) -> str | None:
        """The path of the latest checkpoint, or None."""
        cannot_be_replayed("it looks for checkpoints")
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The paths of the checkpoints that are kept, the oldest first; ``Checkpoint.restore``
        takes them.
        """
        cannot_be_replayed("it looks for checkpoints")
        return list(self._kept)

    def save(
        self,
        checkpoint_number: IntLike | None = None,
        check_interval: bool = True,
        options: CheckpointOptions | None = None,
    ) -> str | None:
        """Save a checkpoint and delete surplus ones; the path, or None if it is too early.

        Args:
            checkpoint_number: The number in its name; by default the count of saves.
            check_interval: Whether to save only when ``checkpoint_interval`` steps have passed. A
                step that was saved is never saved again.
            options: How to write.

        >>> import tempfile
        >>> import cinta as tf
        >>> step = tf.Variable(0)
        >>> manager = tf.train.CheckpointManager(
        ...     tf.train.Checkpoint(step=step),
        ...     tempfile.mkdtemp(),
        ...     max_to_keep=3,
        ...     step_counter=step,
        ...     checkpoint_interval=10,
        ... )
        >>> for _ in range(25):
        ...     path = manager.save(checkpoint_number=step)
        ...     _ = step.assign_add(1)
        >>> [os.path.basename(path) for path in manager.checkpoints]
        ['ckpt-0', 'ckpt-10', 'ckpt-20']
        """
        step = None if self._interval is None else int(self._step_counter)
        if self._is_early(step, check_interval):
            return None
        with self._checkpoint._counted() as count:
            number = (
                count
                if checkpoint_number is None
                else integer(checkpoint_number, "checkpoint_number")
            )
            noting = as_options(options)._telling(self._note)
            path = self._checkpoint.write(f"{self._prefix}-{number}", noting)
        self._last_step = step
        return path

    def _is_early(self, step: int | None, check_interval: bool) -> bool:
        if step is None or self._last_step is None:
            return False
        apart = step - self._last_step
        return apart == 0 or (check_interval and apart < (self._interval or 0))

    def _note(self, path: str) -> None:
        self._kept.pop(path, None)  # one that is written again goes to the end
        self._kept[path] = time.time()
        self._latest = path
        self._write_state()  # the new one counts before old ones go
        dropped = self._drop()
        self._write_state()
        for old in dropped:
            for file in value_sources.files(old):
                with suppress(FileNotFoundError):  # another process has it deleted, too
                    os.remove(file)

    def _drop(self) -> list[str]:
        """Strike out the oldest; those of them that are to be deleted."""
        deleted = []
        while self._max_to_keep is not None and len(self._kept) > self._max_to_keep:
            path, written = next(iter(self._kept.items()))
            del self._kept[path]
            due = self._last_preserved + self._seconds_between_kept
            if self._seconds_between_kept and written >= due:
                self._last_preserved = written
            else:
                deleted.append(path)
        return deleted

    def _write_state(self) -> None:
        update_checkpoint_state(
            self._directory,
            self._latest or "",
            self._kept,
            self._kept.values(),
            self._last_preserved,
        )

    def restore_or_initialize(self) -> str | None:
        """Restore the latest checkpoint, or call ``init_fn``; the path that was restored.

        It returns None where there was no checkpoint.

        >>> import tempfile
        >>> import cinta as tf
        >>> directory, v = tempfile.mkdtemp(), tf.Variable(0.0)
        >>> manager = tf.train.CheckpointManager(
        ...     tf.train.Checkpoint(v=v), directory, max_to_keep=1, init_fn=lambda: v.assign(7.0)
        ... )
        >>> manager.restore_or_initialize() is None, v.numpy()
        (True, np.float32(7.0))
        >>> path = manager.save()
        >>> _ = v.assign(0.0)
        >>> manager.restore_or_initialize() == path, v.numpy()
        (True, np.float32(7.0))
        """
        if self._latest is not None:
            self._checkpoint.restore(self._latest)
            if self._interval is not None:
                self._last_step = int(self._step_counter)
            return self._latest
        if self._init_fn is not None:
            self._init_fn()
        return None

    def sync(self) -> None:
        """Wait until what is being written in the background is on the disk."""
        self._checkpoint.sync()
