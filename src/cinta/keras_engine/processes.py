"""Keras on several replicas: state of each, logs of all, and one backup for all processes."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import cinta

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from ..distribute.cluster import Cluster
    from ..distribute.strategy import Strategy

T = TypeVar("T")


class Backup(Protocol):
    """Keras's callback that keeps a backup of a model."""

    model: Any
    backup_dir: str
    _apart: tempfile.TemporaryDirectory[str]


def own_state(core: ModuleType) -> None:
    """State that no aggregation makes one, such as moving means: each replica has its own.

    Outside of replicas it is that of the first one, as with TensorFlow.
    """
    kind = core.Variable
    aggregation, synchronization = kind._map_aggregation, kind._map_synchronization

    def is_own(variable: Any) -> bool:
        plain = variable.aggregation == "none" and variable.synchronization == "auto"
        return (
            plain
            and not variable.trainable
            and cinta.distribute.get_strategy().num_replicas_in_sync > 1
        )

    def map_aggregation(self: object, given: str) -> Any:
        return aggregation(self, "only_first_replica" if is_own(self) else given)

    def map_synchronization(self: object, given: str) -> Any:
        return synchronization(self, "on_read" if is_own(self) else given)

    kind._map_aggregation, kind._map_synchronization = map_aggregation, map_synchronization


def reductions(trainer: ModuleType) -> None:
    """Results of steps are those of all replicas, also of other processes.

    Keras's own way takes losses, which are scalars, for batches of rows, and raises.
    """
    of_one_process = trainer.reduce_per_replica

    def reduce_per_replica(values: T, strategy: Strategy, reduction: str) -> T:
        if not strategy.extended._in_multi_worker_mode():
            found: T = of_one_process(values, strategy, reduction)
            return found

        def one(value: object) -> object:
            if reduction == "first":
                return strategy.experimental_local_results(value)[0]
            if reduction == "concat":
                return strategy.gather(value, axis=0)
            return strategy.reduce("SUM" if reduction == "sum" else "MEAN", value, axis=None)

        whole: T = trainer.tree.map_structure(one, values)
        return whole

    vars(trainer)["reduce_per_replica"] = reduce_per_replica


def backups(module: ModuleType) -> None:
    """The first process writes and reads the backup, and the others get from it what it has read.

    So processes need no files in common, and none writes what another one writes.
    """
    kind = module.BackupAndRestore
    begin, load, save, end = (
        *(kind.on_train_begin, kind._load_model),
        *(kind._save_model, kind.on_train_end),
    )

    def on_train_begin(self: Backup, logs: object = None) -> None:
        cluster = _cluster(self)
        if cluster is not None and cluster.number:
            self._apart = tempfile.TemporaryDirectory()
            for name in ("_weights_path", "_training_metadata_path"):
                path = os.path.join(self._apart.name, os.path.basename(getattr(self, name)))
                setattr(self, name, path)
            self.backup_dir = self._apart.name
        begin(self, logs)

    def load_model(self: Backup) -> None:
        cluster, model = _cluster(self), self.model
        if cluster is None:
            return load(self)  # type: ignore[no-any-return]
        if model.optimizer is not None and not model.optimizer.built:
            model.optimizer.build(model.trainable_variables)
        load(self)
        for variable in [*model.variables, *getattr(model.optimizer, "variables", ())]:
            variable.assign(cluster.of_first(f"the restoring of {variable.path}", variable.numpy()))
        model._initial_epoch = cluster.of_first("the first epoch", model._initial_epoch)
        return None

    kind.on_train_begin, kind._load_model = on_train_begin, load_model
    kind._save_model = _together(save, "the saving of a backup")
    kind.on_train_end = _together(end, "the end of training")


def _together(work: Callable[..., None], what: str) -> Callable[..., None]:
    """Work after which all processes wait for each other."""

    def wrapped(self: Backup, *args: object, **kwargs: object) -> None:
        work(self, *args, **kwargs)
        if (cluster := _cluster(self)) is not None:
            cluster.of_first(what, None)

    return wrapped


def _cluster(callback: Backup) -> Cluster | None:
    """The processes that train the model of a callback; None where there is one."""
    strategy = callback.model.distribute_strategy
    found: Cluster | None = getattr(strategy, "_cluster", None)
    return found
