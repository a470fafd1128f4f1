"""Programs that are told to end: a checkpoint of all processes at the same step, then the end."""

from __future__ import annotations

import signal
import sys
import tempfile
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..checkpoints.checkpoint import Checkpoint
from ..checkpoints.collecting import is_divided
from ..checkpoints.manager import CheckpointManager
from ..engine.variable import Variable
from ..errors import InvalidArgumentError
from ..public import public
from .join_cluster import cluster_of_program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .resolvers import ClusterResolver

T = TypeVar("T")

_RESTART = 42
"""The status with which a program ends that is to be started again."""

_COUNTER = "checkpointed_runs"


@public("distribute.experimental.TerminationConfig")
@dataclass(frozen=True)
class TerminationConfig:
    """How a program learns that it must end, and what it does then.

    >>> import cinta as tf
    >>> tf.distribute.experimental.TerminationConfig(grace_period=0).grace_period
    0

    Args:
        termination_watcher_fn: A function that says whether to end; None to wait for SIGTERM.
        exit_fn: A function that ends the program; None for an end with the status that asks for a
            restart.
        grace_period: Accepted.
        save_fn: A function that saves; None for that of the manager.
    """

    termination_watcher_fn: Callable[[], bool] | None = None
    exit_fn: Callable[[], object] | None = None
    grace_period: int | None = None
    save_fn: Callable[..., object] | None = None


@public("distribute.experimental.PreemptionCheckpointHandler")
class PreemptionCheckpointHandler:
    """Saves a checkpoint when a process is told to end (SIGTERM), at the same step in all.

    It restores the latest checkpoint when it is made, so the same program goes on after a restart.

    >>> import tempfile
    >>> import cinta as tf
    >>> v = tf.Variable(0.0)
    >>> handler = tf.distribute.experimental.PreemptionCheckpointHandler(
    ...     None, tf.train.Checkpoint(v=v), tempfile.mkdtemp()
    ... )
    >>> while handler.total_run_calls < 3:
    ...     _ = handler.run(v.assign_add, 1.0)
    >>> v.numpy()
    np.float32(3.0)

    ``run`` asks before each step; a program may ask by itself where it is ready to end:

    >>> with handler.watch_preemption_scope():
    ...     _ = v.assign_add(1.0)
    >>> handler.save_checkpoint_if_preempted()

    Args:
        cluster_resolver: Accepted: the strategy of the program tells which processes take part.
        checkpoint_or_checkpoint_manager: A checkpoint or a manager.
        checkpoint_dir: The directory that a checkpoint is saved to.
        termination_config: A ``TerminationConfig``.

    Raises:
        TypeError: If it is neither a checkpoint nor a manager.
        InvalidArgumentError: If there is no directory for a checkpoint.
    """

    def __init__(
        self,
        cluster_resolver: ClusterResolver | None,
        checkpoint_or_checkpoint_manager: Checkpoint | CheckpointManager,
        checkpoint_dir: str | None = None,
        termination_config: TerminationConfig | None = None,
    ) -> None:
        given = checkpoint_or_checkpoint_manager
        if not isinstance(given, (Checkpoint, CheckpointManager)):
            raise TypeError(
                "`checkpoint_or_checkpoint_manager` must be a tf.train.Checkpoint or a "
                f"tf.train.CheckpointManager, got {given!r}."
            )
        if isinstance(given, Checkpoint) and not checkpoint_dir:
            raise InvalidArgumentError(
                "When a checkpoint is passed, a checkpoint_dir must be passed as well."
            )
        self._config = termination_config or TerminationConfig()
        self._cluster = cluster_of_program()
        self._told = threading.Event()
        self._counter = Variable(np.int64(0), trainable=False, name=_COUNTER)
        self._apart: tempfile.TemporaryDirectory[str] | None = None
        self._manager = given if isinstance(given, CheckpointManager) else None
        checkpoint = given._checkpoint if isinstance(given, CheckpointManager) else given
        if not hasattr(checkpoint, _COUNTER):
            setattr(checkpoint, _COUNTER, self._counter)
        reader = self._manager or CheckpointManager(checkpoint, str(checkpoint_dir), 1)
        reader.restore_or_initialize()
        self._runs = int(self._counter.numpy())
        if self._manager is None:
            self._manager = self._writer(checkpoint, reader)
        self._save: Callable[..., object] = self._config.save_fn or self._manager.save
        if self._config.termination_watcher_fn is None:
            signal.signal(signal.SIGTERM, lambda *_: self._told.set())

    def _writer(self, checkpoint: Checkpoint, reader: CheckpointManager) -> CheckpointManager:
        """The manager that saves.

        Processes other than the first save to a place of their own, unless all save together.
        """
        if self._cluster is None or self._cluster.number == 0 or is_divided(checkpoint):
            return reader
        self._apart = tempfile.TemporaryDirectory()
        return CheckpointManager(checkpoint, self._apart.name, 1)

    @property
    def total_run_calls(self) -> int:
        """How often `run` was called, also before the program was started again."""
        return self._runs

    def run(
        self, distributed_train_function: Callable[..., T], *args: object, **kwargs: object
    ) -> T:
        """Call a function that takes one step. Before it, save and end if any process must end.

        Args:
            distributed_train_function: The function.
            args: Its arguments.
            kwargs: Others by name.
        """
        self.save_checkpoint_if_preempted()
        result = distributed_train_function(*args, **kwargs)
        self._runs += 1
        return result

    def save_checkpoint_if_preempted(self, *args: object, **kwargs: object) -> None:
        """Save a checkpoint and end the program if any process must end; all must ask together."""
        watcher = self._config.termination_watcher_fn
        told: list[Any] = [self._told.is_set() or (watcher is not None and bool(watcher()))]
        if self._cluster is not None:
            told = self._cluster.exchange("the question whether to end", told)
        if any(told):
            self._counter.assign(self._runs)
            self._save(*args, **kwargs)
            if self._cluster is not None:  # nobody ends before all have saved
                self._cluster.exchange("the end after a checkpoint", told)
            (self._config.exit_fn or _end)()

    @contextmanager
    def watch_preemption_scope(self) -> Iterator[None]:
        """Save before the block begins and after it has ended, if any process must end."""
        self.save_checkpoint_if_preempted()
        yield
        self.save_checkpoint_if_preempted()


def _end() -> None:
    sys.exit(_RESTART)
