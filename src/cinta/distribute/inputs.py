"""Datasets of programs that a strategy runs, and the batches of each replica."""

from __future__ import annotations

from dataclasses import dataclass

from ..public import public


@public("distribute.InputContext")
@dataclass(frozen=True)
class InputContext:
    """How many pipelines feed how many replicas, for a function that makes a dataset.

    >>> import cinta as tf
    >>> tf.distribute.InputContext(num_replicas_in_sync=2).get_per_replica_batch_size(8)
    4
    """

    num_input_pipelines: int = 1
    input_pipeline_id: int = 0
    num_replicas_in_sync: int = 1

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The part of a batch that each replica gets."""
        if global_batch_size % self.num_replicas_in_sync:
            raise ValueError(
                f"The `global_batch_size` {global_batch_size} is not divisible by "
                f"`num_replicas_in_sync` {self.num_replicas_in_sync}."
            )
        return global_batch_size // self.num_replicas_in_sync


@public("distribute.DistributedValues")
class DistributedValues:
    """A value for each replica. One replica has plain values, so nothing is an instance."""


@public("distribute.DistributedDataset")
class DistributedDataset:
    """A dataset dealt to several replicas. One replica has plain datasets."""


@public("distribute.DistributedIterator")
class DistributedIterator:
    """An iterator over a dataset dealt to several replicas. One replica has plain ones."""


@public("distribute.experimental.ValueContext")
@dataclass(frozen=True)
class ValueContext:
    """Which replica a value is made for, for a function that makes one.

    >>> import cinta as tf
    >>> tf.distribute.experimental.ValueContext().num_replicas_in_sync
    1
    """

    replica_id_in_sync_group: int = 0
    num_replicas_in_sync: int = 1
