"""How a program runs on the devices there are: here on one, in one replica."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from .. import nest
from ..engine import replicas
from ..engine.convert import as_tensor, is_tensor
from ..engine.devices import CPU, DeviceSpec, device
from ..ops.reductions.reduction import reduce_mean, reduce_sum
from ..public import public
from .inputs import InputContext, ValueContext
from .reduce_op import ReduceOp, chosen
from .replica_context import ReplicaContext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from ..data.dataset import Dataset
    from ..engine.tensor import Tensor

T = TypeVar("T")


class StrategyExtended:
    """Queries of libraries to a strategy, which programs do not make."""

    experimental_require_static_shapes = False
    should_checkpoint = should_save_summary = experimental_should_init = True
    experimental_between_graph = False

    def __init__(self, strategy: Strategy, name: str = CPU) -> None:
        self._strategy = strategy
        self._device = name

    @property
    def worker_devices(self) -> tuple[str, ...]:
        """The devices that compute."""
        return (self._device,)

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        """The devices that hold variables."""
        return (self._device,)

    def call_for_each_replica(
        self,
        fn: Callable[..., T],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> T:
        """Call a function in each replica."""
        return self._strategy.run(fn, args, kwargs)

    def reduce_to(
        self, reduce_op: object, value: T, destinations: object, options: object = None
    ) -> T:
        """The sum or mean over all replicas, at the given places."""
        chosen(reduce_op)
        return value

    def batch_reduce_to(
        self,
        reduce_op: object,
        value_destination_pairs: Iterable[tuple[T, object]],
        options: object = None,
    ) -> list[T]:
        """The sums or means over all replicas of several values."""
        chosen(reduce_op)
        return [value for value, _ in value_destination_pairs]

    def update(
        self,
        var: object,
        fn: Callable[..., T],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        group: bool = True,
    ) -> T | tuple[T, ...]:
        """Call a function that changes a variable, where the variable is."""
        result = fn(var, *args, **(kwargs or {}))
        return result if group else (result,)

    def colocate_vars_with(self, colocate_with_variable: object) -> AbstractContextManager[None]:
        """A block whose variables are where the given one is."""
        return nullcontext()

    def read_var(self, v: Any) -> Tensor:
        """The value of a variable, over all replicas."""
        value: Tensor = v.read_value()
        return value

    def value_container(self, value: T) -> T:
        """A container of a value in all replicas."""
        return value


@public("distribute.Strategy")
class Strategy:
    """How a program runs on the devices that there are.

    cinta computes on one device, in one replica, so that values are never split and never copied.

    >>> import cinta as tf
    >>> strategy = tf.distribute.get_strategy()
    >>> strategy.run(lambda x: x * 2.0, args=(tf.constant(3.0),)).numpy()
    np.float32(6.0)
    """

    cluster_resolver = None

    def __init__(self, extended: StrategyExtended | None = None) -> None:
        self._extended = StrategyExtended(self) if extended is None else extended

    @property
    def extended(self) -> StrategyExtended:
        """Queries of libraries to a strategy."""
        return self._extended

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas there are: one."""
        return 1

    def scope(self) -> AbstractContextManager[Strategy]:
        """A block in which this is the strategy of the program."""
        return self._scope()

    @contextmanager
    def _scope(self) -> Iterator[Strategy]:
        here = replicas.place()
        if here is not None and here.strategy is not self:
            raise RuntimeError(
                f"Mixing different tf.distribute.Strategy objects: {here.strategy} is not {self}. "
                "Leave the scope of one before the scope of another begins."
            )
        if here is not None and here.replica is not None:
            raise _only_between_replicas()
        with replicas.entered(self, None), device(self._extended.worker_devices[0]):
            yield self

    def run(
        self,
        fn: Callable[..., T],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        options: object = None,
    ) -> T:
        """Call a function in each replica; the result is that of the one replica."""
        with self.scope(), replicas.entered(self, ReplicaContext(self, 0)):
            return fn(*args, **(kwargs or {}))

    def reduce(self, reduce_op: object, value: Any, axis: int | Sequence[int] | None) -> Any:
        """The sum or mean over all replicas, and along an axis of the value if one is given."""
        self._check_between_replicas()
        how = reduce_mean if chosen(reduce_op) is ReduceOp.MEAN else reduce_sum
        if axis is None:
            return nest.map_structure(_tensor, value)
        return nest.map_structure(lambda each: how(each, axis=axis), value)

    def gather(self, value: T, axis: int) -> T:
        """The values of all replicas, joined along an axis."""
        self._check_between_replicas()
        return value

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The values of the replicas in this process."""
        return (value,)

    def experimental_distribute_dataset(self, dataset: Dataset, options: object = None) -> Dataset:
        """The dataset, dealt to all replicas."""
        return dataset

    def distribute_datasets_from_function(
        self, dataset_fn: Callable[[InputContext], T], options: object = None
    ) -> T:
        """A dataset that a function makes for this process."""
        return dataset_fn(InputContext())

    experimental_distribute_datasets_from_function = distribute_datasets_from_function

    def experimental_distribute_values_from_function(
        self, value_fn: Callable[[ValueContext], T]
    ) -> T:
        """The value that a function makes for each replica."""
        return value_fn(ValueContext())

    def group(self, value: object, name: str | None = None) -> None:
        """Group what ran already."""

    def unwrap(self, value: Any) -> tuple[Any, ...]:
        """The values of the replicas in this process."""
        return (value,)

    def _check_between_replicas(self) -> None:
        here = replicas.place()
        if here is not None and here.replica is not None:
            raise _only_between_replicas()


def _tensor(value: Any) -> Any:
    return value if is_tensor(value) else as_tensor(value)


def _only_between_replicas() -> RuntimeError:
    return RuntimeError(
        "Method requires being in cross-replica context, use get_replica_context().merge_call()"
    )


class DefaultStrategy(Strategy):
    """The strategy of programs that choose none."""

    @contextmanager
    def _scope(self) -> Iterator[Strategy]:
        here = replicas.place()
        if here is not None and here.strategy is not self:
            raise RuntimeError("Must not nest tf.distribute.Strategy scopes.")
        yield self

    def run(
        self,
        fn: Callable[..., T],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        options: object = None,
    ) -> T:
        with self.scope():
            return fn(*args, **(kwargs or {}))


@public("distribute.OneDeviceStrategy")
class OneDeviceStrategy(Strategy):
    """A strategy that computes on the device of this name.

    >>> import cinta as tf
    >>> strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    >>> with strategy.scope():
    ...     v = tf.Variable(2.0)
    >>> strategy.run(lambda: v * 3.0).numpy()
    np.float32(6.0)
    """

    def __init__(self, device: str) -> None:
        super().__init__(StrategyExtended(self, _named(device)))


@public("distribute.MirroredStrategy")
class MirroredStrategy(Strategy):
    """A strategy that computes in a replica on each device of this machine; cinta has one.

    >>> import cinta as tf
    >>> tf.distribute.MirroredStrategy().num_replicas_in_sync
    1
    """

    def __init__(
        self, devices: Sequence[str] | None = None, cross_device_ops: object = None
    ) -> None:
        names = [CPU] if devices is None else [_named(each) for each in devices]
        if len(set(names)) != 1:
            raise ValueError(
                f"cinta computes on one device, and `devices` names {len(set(names))}: {devices}. "
                "Leave `devices` out, or name one."
            )
        super().__init__(StrategyExtended(self, names[0]))


def _named(device: str) -> str:
    """The whole name of a device."""
    spec = DeviceSpec.from_string(device if device.startswith("/") else f"/{device}")
    kind, index = spec.device_type or "CPU", spec.device_index or 0
    return f"/job:localhost/replica:0/task:0/device:{kind}:{index}"


@public("distribute.TPUStrategy", "distribute.experimental.TPUStrategy")
class TPUStrategy(Strategy):
    """A strategy for TPUs, on which cinta does not compute: it cannot be made."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise ValueError(
            "cinta does not compute on TPUs. Use tf.distribute.get_strategy(), or "
            "tf.distribute.OneDeviceStrategy('/cpu:0')."
        )
