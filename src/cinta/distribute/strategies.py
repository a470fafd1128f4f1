"""The strategies: one device, several devices, several processes."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from ..engine.devices import CPU, DeviceSpec, logical_devices
from ..engine.placing import placed
from ..engine.replicas import context
from ..ops.arguments import listed, text
from ..public import public
from .join_cluster import cluster_of
from .resolvers import ClusterResolver, TFConfigClusterResolver
from .strategy import Strategy
from .variables import check_has_mean, make_distributed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..engine.variable import Variable
    from .cluster import Cluster

T = TypeVar("T")


class _DefaultDistributionStrategy(Strategy):
    """The strategy of programs that have not chosen one: everything is on one device."""

    @contextmanager
    def scope(self) -> Iterator[Strategy]:
        """Let the block be as the program outside of all scopes."""
        if context() is not None:
            raise RuntimeError("Must not nest tf.distribute.Strategy scopes.")
        yield self

    def run(
        self,
        fn: Callable[..., T],
        args: Sequence[object] = (),
        kwargs: dict[str, object] | None = None,
        options: object = None,
    ) -> T:
        """Call a function."""
        with self.scope():
            return fn(*args, **(kwargs or {}))


DEFAULT = _DefaultDistributionStrategy()


@public("distribute.OneDeviceStrategy")
class OneDeviceStrategy(Strategy):
    """Everything is on one device, for trying programs that are made for several.

    >>> import cinta as tf
    >>> tf.distribute.OneDeviceStrategy("/cpu:0").num_replicas_in_sync
    1
    """

    _hides_from_tapes = False

    def __init__(self, device: str = "/cpu:0") -> None:
        super().__init__(devices=[_here(0, text(device, "device"))])


@public("distribute.MirroredStrategy")
class MirroredStrategy(Strategy):
    """A replica on each device of this machine, with variables that are the same on all of them.

    >>> import cinta as tf
    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    >>> with strategy.scope():
    ...     v = tf.Variable(1.0, aggregation=tf.VariableAggregation.MEAN)
    >>> def step(x):
    ...     v.assign(x)
    ...     return x * 2.0
    >>> x = strategy.experimental_distribute_values_from_function(
    ...     lambda context: tf.constant(1.0 + context.replica_id_in_sync_group)
    ... )
    >>> strategy.reduce("SUM", strategy.run(step, args=(x,))).numpy()
    np.float32(6.0)
    >>> v.numpy()
    np.float32(1.5)

    Args:
        devices: The devices, by their names; None for all.
        cross_device_ops: Accepted.
        cluster: The processes that take part, for strategies that are derived from this one.

    Raises:
        ValueError: If a device is named twice.
    """

    def __init__(
        self,
        devices: Sequence[str] | None = None,
        cross_device_ops: object = None,
        *,
        cluster: Cluster | None = None,
    ) -> None:
        names = ([] if devices is None else _named(devices, "devices")) or logical_devices()
        super().__init__(devices=[_here(i, name) for i, name in enumerate(names)], cluster=cluster)

    def _variable(self, make: Callable[..., Variable], **given: object) -> Variable:
        if self.num_replicas_in_sync == 1:
            with placed(self._devices[0]):
                made = make_distributed(self, given)
        else:
            made = super()._variable(make, **given)
        check_has_mean(made)
        return made


def _named(devices: Sequence[str], argument: str) -> list[str]:
    """The names of devices, which must differ."""
    names = [text(each, argument) for each in listed(devices, argument)]
    if len({*names}) != len(names):
        raise ValueError(f"`{argument}` must name each of them once, got {devices!r}.")
    return names


def _here(i: int, name: str) -> str:
    """The device of a replica: the part of the processor that is named, or the next one."""
    spec = DeviceSpec.from_string(name)
    index = i if spec.device_type != "CPU" or spec.device_index is None else spec.device_index
    return CPU.replace("CPU:0", f"CPU:{index}")


@public("distribute.experimental.CentralStorageStrategy")
class CentralStorageStrategy(MirroredStrategy):
    """A replica on each device that computes, with variables that are on one device, for all.

    Each value of a variable of a ``MirroredStrategy`` is here once as well, so this is the same.

    >>> import cinta as tf
    >>> tf.distribute.experimental.CentralStorageStrategy().num_replicas_in_sync
    1

    Args:
        compute_devices: The devices, by their names; None for the first one.
        parameter_device: Accepted.
    """

    def __init__(
        self, compute_devices: Sequence[str] | None = None, parameter_device: str | None = None
    ) -> None:
        given = logical_devices()[:1] if compute_devices is None else compute_devices
        super().__init__(_named(given, "compute_devices"))


@public(
    "distribute.MultiWorkerMirroredStrategy",
    "distribute.experimental.MultiWorkerMirroredStrategy",
)
class MultiWorkerMirroredStrategy(MirroredStrategy):
    """Replicas in several processes, on one machine or on several, which train one model together.

    Every process runs the same program, with ``TF_CONFIG`` or a resolver that says which processes
    there are, and which of them it is. Without others, it is a ``MirroredStrategy`` of this one.

    >>> import cinta as tf
    >>> tf.distribute.MultiWorkerMirroredStrategy().num_replicas_in_sync
    1

    Args:
        cluster_resolver: The resolver; None for that of ``TF_CONFIG``.
        communication_options: ``tf.distribute.experimental.CommunicationOptions``.

    Raises:
        TypeError: If it is not a resolver.
    """

    def __init__(
        self, cluster_resolver: ClusterResolver | None = None, communication_options: object = None
    ) -> None:
        self._resolver = TFConfigClusterResolver() if cluster_resolver is None else cluster_resolver
        if not hasattr(self._resolver, "cluster_spec"):
            raise TypeError(
                "`cluster_resolver` must be a tf.distribute.cluster_resolver.ClusterResolver, got "
                f"{cluster_resolver!r}."
            )
        limit = getattr(communication_options, "timeout_seconds", None)
        cluster = cluster_of(self._resolver, len(logical_devices()), limit)
        super().__init__(cluster=cluster)

    @property
    def cluster_resolver(self) -> ClusterResolver:
        """The resolver of the processes that take part."""
        return self._resolver
