"""How replicas exchange values, as TensorFlow lets programs choose it; here there is one way."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ..ops.arguments import integer
from ..public import public


@public(
    "distribute.experimental.CommunicationImplementation",
    "distribute.experimental.CollectiveCommunication",
)
class CommunicationImplementation(Enum):
    """Libraries that exchange values; the one that the devices need is taken, whatever is asked
    for.

    ``AUTO`` leaves it open. ``RING`` is TensorFlow's own for processors, ``NCCL`` is that of
    NVIDIA.

    >>> import cinta as tf
    >>> implementation = tf.distribute.experimental.CommunicationImplementation.RING
    >>> options = tf.distribute.experimental.CommunicationOptions(implementation=implementation)
    >>> options.implementation.value
    'RING'
    """

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


@public("distribute.experimental.CommunicationOptions")
@dataclass(frozen=True)
class CommunicationOptions:
    """Wishes for the exchange of values between processes.

    >>> import cinta as tf
    >>> tf.distribute.experimental.CommunicationOptions(timeout_seconds=30.0).timeout_seconds
    30.0

    Args:
        bytes_per_pack: Accepted.
        timeout_seconds: How long a process waits for another one.
        implementation: Accepted.

    Raises:
        ValueError: If the number of bytes is negative.
    """

    bytes_per_pack: int = 0
    timeout_seconds: float | None = None
    implementation: CommunicationImplementation = CommunicationImplementation.AUTO

    def __post_init__(self) -> None:
        if integer(self.bytes_per_pack, "bytes_per_pack") < 0:
            raise ValueError(
                f"Argument `bytes_per_pack` must be >=0, Received {self.bytes_per_pack}."
            )


@public("distribute.experimental.CollectiveHints")
class CollectiveHints(CommunicationOptions):
    """The earlier name for wishes of this kind.

    >>> import cinta as tf
    >>> tf.distribute.experimental.CollectiveHints(timeout_seconds=2.0).timeout_seconds
    2.0

    Args:
        bytes_per_pack: Accepted.
        timeout_seconds: How long a process waits for another one.

    Raises:
        ValueError: If the number of bytes is negative.
    """

    def __init__(self, bytes_per_pack: int = 0, timeout_seconds: float | None = None) -> None:
        super().__init__(bytes_per_pack, timeout_seconds)


@public("distribute.InputReplicationMode")
class InputReplicationMode(Enum):
    """For which replicas a function makes a dataset.

    ``PER_WORKER`` makes one for all replicas of a process, ``PER_REPLICA`` one for each.

    >>> import cinta as tf
    >>> tf.distribute.InputReplicationMode("PER_WORKER").name
    'PER_WORKER'
    """

    PER_WORKER = "PER_WORKER"
    PER_REPLICA = "PER_REPLICA"


@public("distribute.InputOptions")
@dataclass(frozen=True)
class InputOptions:
    """Wishes for the distribution of datasets.

    >>> import cinta as tf
    >>> tf.distribute.InputOptions().experimental_per_replica_buffer_size
    1

    Args:
        experimental_fetch_to_device: Accepted.
        experimental_replication_mode: Whether a function makes a dataset for each process or for
            each replica.
        experimental_place_dataset_on_device: Accepted.
        experimental_per_replica_buffer_size: Accepted.
    """

    experimental_fetch_to_device: bool | None = None
    experimental_replication_mode: InputReplicationMode = InputReplicationMode.PER_WORKER
    experimental_place_dataset_on_device: bool = False
    experimental_per_replica_buffer_size: int = 1


def for_each_replica(options: object) -> bool:
    """Whether each replica is to have a dataset of its own."""
    return (
        isinstance(options, InputOptions)
        and options.experimental_replication_mode is InputReplicationMode.PER_REPLICA
    )


@public("distribute.RunOptions")
@dataclass(frozen=True)
class RunOptions:
    """Wishes for ``Strategy.run``; nothing here depends on them.

    >>> import cinta as tf
    >>> tf.distribute.RunOptions().experimental_enable_dynamic_batch_size
    True

    Args:
        experimental_enable_dynamic_batch_size: Accepted.
        experimental_bucketizing_dynamic_shape: Accepted.
        experimental_xla_options: Accepted.
    """

    experimental_enable_dynamic_batch_size: bool = True
    experimental_bucketizing_dynamic_shape: bool = False
    experimental_xla_options: object = None


@public("distribute.CrossDeviceOps")
class CrossDeviceOps:
    """A way to add the values of replicas. The sums are the same whichever is chosen.

    >>> import cinta as tf
    >>> way = tf.distribute.HierarchicalCopyAllReduce(num_packs=2)
    >>> tf.distribute.MirroredStrategy(["CPU:0"], cross_device_ops=way).num_replicas_in_sync
    1

    Args:
        num_packs: Accepted.
    """

    def __init__(self, num_packs: int = 1) -> None:
        self.num_packs = num_packs


@public("distribute.HierarchicalCopyAllReduce")
class HierarchicalCopyAllReduce(CrossDeviceOps):
    """A wish for sums by way of some of the devices.

    >>> import cinta as tf
    >>> tf.distribute.HierarchicalCopyAllReduce(num_packs=2).num_packs
    2

    Args:
        num_packs: Accepted.
    """


@public("distribute.NcclAllReduce")
class NcclAllReduce(CrossDeviceOps):
    """A wish for sums by NVIDIA's library.

    >>> import cinta as tf
    >>> tf.distribute.NcclAllReduce(num_packs=2).num_packs
    2

    Args:
        num_packs: Accepted.
    """


@public("distribute.ReductionToOneDevice")
class ReductionToOneDevice(CrossDeviceOps):
    """A wish for sums on one device.

    >>> import cinta as tf
    >>> tf.distribute.ReductionToOneDevice("CPU:0").reduce_to_device
    'CPU:0'

    Args:
        reduce_to_device: Accepted.
        accumulation_fn: Accepted.
    """

    def __init__(self, reduce_to_device: str | None = None, accumulation_fn: object = None) -> None:
        super().__init__()
        self.reduce_to_device, self.accumulation_fn = reduce_to_device, accumulation_fn
