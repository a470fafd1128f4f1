"""The context of functions that make datasets and values for replicas."""

from __future__ import annotations

from ..ops.arguments import whole_number
from ..public import public


@public("distribute.InputContext")
class InputContext:
    """The part of the data that a process reads.

    >>> import cinta as tf
    >>> tf.distribute.InputContext(num_replicas_in_sync=4).get_per_replica_batch_size(8)
    2

    Args:
        num_input_pipelines: How many parts there are.
        input_pipeline_id: Which of them this is, counted from 0.
        num_replicas_in_sync: How many replicas there are in all.

    Raises:
        ValueError: If there is no replica.
    """

    def __init__(
        self,
        num_input_pipelines: int = 1,
        input_pipeline_id: int = 0,
        num_replicas_in_sync: int = 1,
    ) -> None:
        self.num_input_pipelines = num_input_pipelines
        self.input_pipeline_id = input_pipeline_id
        self.num_replicas_in_sync = whole_number(num_replicas_in_sync, "num_replicas_in_sync")
        if self.num_replicas_in_sync < 1:
            raise ValueError(f"num_replicas_in_sync must be 1 or more, got {num_replicas_in_sync}.")

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The size of a replica's batch.

        Args:
            global_batch_size: The size of the batches of all together.

        Raises:
            ValueError: If it cannot be divided by the number of replicas.
        """
        global_batch_size = whole_number(global_batch_size, "global_batch_size")
        if global_batch_size % self.num_replicas_in_sync:
            raise ValueError(
                f"The `global_batch_size` {global_batch_size} is not divisible by "
                f"`num_replicas_in_sync` {self.num_replicas_in_sync}."
            )
        return global_batch_size // self.num_replicas_in_sync

    def __str__(self) -> str:
        return (
            f"tf.distribute.InputContext(input pipeline id {self.input_pipeline_id}, "
            f"total: {self.num_input_pipelines})"
        )


@public("distribute.experimental.ValueContext")
class ValueContext:
    """The replica for which a value is made.

    >>> import cinta as tf
    >>> tf.distribute.experimental.ValueContext(1, 4).replica_id_in_sync_group
    1

    Args:
        replica_id_in_sync_group: The number of the replica, counted from 0.
        num_replicas_in_sync: How many there are.
    """

    def __init__(self, replica_id_in_sync_group: int = 0, num_replicas_in_sync: int = 1) -> None:
        self.replica_id_in_sync_group = replica_id_in_sync_group
        self.num_replicas_in_sync = num_replicas_in_sync

    def __str__(self) -> str:
        return (
            f"tf.distribute.ValueContext(replica id {self.replica_id_in_sync_group},  "
            f"total replicas in sync: {self.num_replicas_in_sync})"
        )
