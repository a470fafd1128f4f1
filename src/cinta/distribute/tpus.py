"""TPUs, of which there are none: programs that look for them learn it as from TensorFlow.

try:
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
    ...
except ValueError:
    strategy = tf.distribute.get_strategy()
"""

from __future__ import annotations

from typing import NoReturn

from ..public import public
from .resolvers import ClusterResolver


def _refuse(name: str) -> NoReturn:
    raise ValueError(
        f"Please provide a TPU Name to connect to: {name} finds none, as cinta does not compute on "
        "TPUs. tf.distribute.get_strategy() and tf.distribute.MirroredStrategy() use what there is."
    )


@public("distribute.cluster_resolver.TPUClusterResolver")
class TPUClusterResolver(ClusterResolver):
    """The TPUs of a machine or a cloud; refused, as TensorFlow refuses it where there are none.

    >>> import cinta as tf
    >>> try:
    ...     resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
    ... except ValueError:
    ...     strategy = tf.distribute.get_strategy()
    >>> strategy.num_replicas_in_sync
    1

    Args:
        tpu: The name or the address of a TPU.
        zone: Its zone in Google's cloud.
        project: Its project there.
        job_name: The job of its processes.
        coordinator_name: The job of the process that leads them.
        coordinator_address: The address of that process.
        credentials: Who asks.
        service: The interface of the cloud.
        discovery_url: Where this interface is described.

    Raises:
        ValueError: Always.
    """

    def __init__(
        self,
        tpu: str | None = None,
        zone: str | None = None,
        project: str | None = None,
        job_name: str = "worker",
        coordinator_name: str | None = None,
        coordinator_address: str | None = None,
        credentials: object = "default",
        service: object = None,
        discovery_url: str | None = None,
    ) -> NoReturn:
        _refuse("TPUClusterResolver")

    @staticmethod
    def connect(
        tpu: str | None = None, zone: str | None = None, project: str | None = None
    ) -> NoReturn:
        """Refused with a ``ValueError``, as the resolver itself.

        Args:
            tpu: The name or the address of a TPU.
            zone: Its zone in Google's cloud.
            project: Its project there.
        """
        _refuse("TPUClusterResolver.connect")


@public("tpu.experimental.initialize_tpu_system")
def initialize_tpu_system(cluster_resolver: ClusterResolver | None = None) -> NoReturn:
    """Prepare TPUs for use; refused, as there are none.

    >>> import cinta as tf
    >>> try:
    ...     tf.tpu.experimental.initialize_tpu_system()
    ... except ValueError:
    ...     print("no TPU")
    no TPU

    Args:
        cluster_resolver: The processes of the TPUs.

    Raises:
        ValueError: Always.
    """
    _refuse("initialize_tpu_system")


@public("tpu.experimental.shutdown_tpu_system")
def shutdown_tpu_system(cluster_resolver: ClusterResolver | None = None) -> NoReturn:
    """Refused with a ``ValueError``, as ``initialize_tpu_system``: there are no TPUs to give back.

    Args:
        cluster_resolver: The processes of the TPUs.
    """
    _refuse("shutdown_tpu_system")


@public("distribute.TPUStrategy", "distribute.experimental.TPUStrategy")
class TPUStrategy:
    """Replicas on TPUs; refused, as there are none: use ``tf.distribute.MirroredStrategy``.

    Args:
        tpu_cluster_resolver: The processes of the TPUs.
        experimental_device_assignment: Which replica runs where.
        experimental_spmd_xla_partitioning: Whether XLA divides one program among the TPUs.

    Raises:
        ValueError: Always.
    """

    def __init__(
        self,
        tpu_cluster_resolver: ClusterResolver | None = None,
        experimental_device_assignment: object = None,
        experimental_spmd_xla_partitioning: bool = False,
    ) -> NoReturn:
        _refuse("TPUStrategy")
