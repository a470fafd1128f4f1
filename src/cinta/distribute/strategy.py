"""A strategy: how many replicas a program has, and how they run."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from .. import nest
from ..engine.convert import as_tensor
from ..engine.devices import CPU
from ..engine.distributed_values import PerReplica, ReplicaValues
from ..engine.placing import placed
from ..engine.primitives import ConcatV2
from ..engine.recorders import cannot_be_replayed, paused
from ..engine.replicas import (
    Context,
    ReplicaTurns,
    context,
    context_of_replica,
    made_by_first,
    within,
)
from ..engine.tensor import wrap
from ..languages.counted import counted
from ..ops.arguments import whole_number
from ..ops.reductions.reduction import reduce_mean, reduce_sum
from ..public import public
from ..replay.engines import compiles_with_xla, has_jax
from ..replay.entry_source import ELSEWHERE
from .contexts import across, require_all_replicas
from .options import for_each_replica
from .reduce_op import ReduceOp, reduce_op_of
from .reducing import mean_along, total, total_along
from .replica_context import ReplicaContext, call_arguments
from .replica_values import joined, of_replica
from .variables import make_distributed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, MutableMapping, Sequence
    from contextlib import AbstractContextManager

    from ..data.dataset import Dataset
    from ..engine.tensor import Tensor
    from ..engine.variable import Variable
    from .cluster import Cluster
    from .datasets import DistributedDataset
    from .extended import StrategyExtended
    from .input_context import InputContext, ValueContext
    from .replica_context import Call
    from .replica_programs import ProgramForAll
    from .resolvers import ClusterResolver

T = TypeVar("T")


@public("distribute.Strategy")
class Strategy:
    """How a program is spread over replicas, each of which computes on a part of the data.

    >>> import cinta as tf
    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    >>> with strategy.scope():
    ...     v = tf.Variable(1.0)
    >>> x = strategy.experimental_distribute_values_from_function(
    ...     lambda value: tf.constant([float(value.replica_id_in_sync_group)])
    ... )
    >>> y = strategy.run(lambda x: v + x, args=(x,))
    >>> strategy.reduce("SUM", y).numpy(), strategy.gather(y, axis=0).numpy()
    (array([3.], dtype=float32), array([1., 2.], dtype=float32))
    >>> [each.numpy() for each in strategy.experimental_local_results(y)]
    [array([1.], dtype=float32), array([2.], dtype=float32)]

    Data are given to the replicas as batches that are cut, or each as it comes:

    >>> batches = tf.data.Dataset.range(4).batch(4)
    >>> next(iter(strategy.experimental_distribute_dataset(batches))).values[1].numpy()
    array([2, 3])
    >>> dealt = strategy.distribute_datasets_from_function(lambda context: batches.repeat(2))
    >>> next(iter(dealt)).values[1].numpy()
    array([0, 1, 2, 3])

    Args:
        extended: Accepted.
        devices: A device for each replica of this process, for strategies that are derived.
        cluster: The processes that take part, for strategies that are derived.
    """

    _hides_from_tapes = True  # whether a tape outside of `run` records nothing of what is in it

    def __init__(
        self,
        extended: object = None,
        *,
        devices: Sequence[str] = (CPU,),
        cluster: Cluster | None = None,
    ) -> None:
        first = 0 if cluster is None else cluster.first
        self._cluster = cluster
        self._programs: MutableMapping[Callable[..., object], ProgramForAll] = WeakKeyDictionary()
        self._devices = tuple(devices)
        self._replicas = [ReplicaContext(self, first + i) for i in range(len(devices))]
        """Those of this process."""

    # -- properties ----------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {counted(self.num_replicas_in_sync, 'replica')}>"

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas there are."""
        processes = 1 if self._cluster is None else len(self._cluster)
        return len(self._replicas) * processes

    @property
    def extended(self) -> StrategyExtended:
        """More methods, for those who write libraries."""
        from .extended import StrategyExtended

        return StrategyExtended(self)

    @property
    def cluster_resolver(self) -> ClusterResolver | None:
        """The resolver of the processes that take part; None where there is one."""
        return None

    def __copy__(self) -> Strategy:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Strategy:
        return self

    @contextmanager
    def scope(self) -> Iterator[Strategy]:
        """Let the block belong to the strategy: it makes variables for all replicas.

        Raises RuntimeError where a replica runs, and where another strategy holds.
        """
        self._check_alone()
        if context_of_replica() is not None:
            raise RuntimeError(
                "A replica runs here, and `scope` is for all replicas together: make variables "
                "before `strategy.run`."
            )
        with across(self):
            yield self

    def _check_alone(self) -> None:
        """Raise in the scope of another strategy."""
        where = context()
        if where is not None and where.strategy is not self:
            raise RuntimeError(
                f"Mixing different tf.distribute.Strategy objects: {where.strategy} is not {self}. "
                "The scope of one strategy cannot stand in that of another."
            )

    def _variable(self, make: Callable[..., Variable], **given: object) -> Variable:
        """A variable that is made under the strategy: one for all replicas."""
        if self.num_replicas_in_sync == 1:
            with placed(self._devices[0]):
                return make(**given)
        what = f"the making of a variable named {given.get('name')!r}"
        return made_by_first(what, lambda: make_distributed(self, given))

    # -- running -------------------------------------------------------------------------------

    def run(
        self,
        fn: Callable[..., T],
        args: Sequence[object] = (),
        kwargs: dict[str, object] | None = None,
        options: object = None,
    ) -> T:
        """Call a function for each replica, with its part of values that differ between them.

        Args:
            fn: The function.
            args: Its arguments.
            kwargs: Others by name.
            options: Accepted.

        Raises:
            TypeError: If it is not a function.
        """
        require_all_replicas("run")
        self._check_alone()
        if not callable(fn):
            raise TypeError(f"`fn` must be a function that each replica runs, got {fn!r}.")
        overridden = type(self).scope is not Strategy.scope  # as libraries do, for their creators
        with self.scope() if overridden else nullcontext():
            return self._run_all(fn, call_arguments(args, kwargs))

    def _run_all(self, fn: Callable[..., T], given: Call) -> T:
        if self.num_replicas_in_sync == 1:
            return self._run_one(fn, 0, *of_replica(given, 0, 1), None)
        cannot_be_replayed("it runs several replicas")
        program = self._program(fn)
        if program is None:
            return joined(self._in_turns(fn, self._parts(given)))
        found: T = program.at_once(given, self._parts)
        if found is ELSEWHERE:
            with self._apart_from_tapes():
                found = program(given, self._parts(given))
        return found

    def _parts(self, given: Call) -> list[Call]:
        """A call as each replica of this process makes it."""
        here = len(self._replicas)
        return [of_replica(given, i, here) for i in range(here)]

    def _in_turns(self, fn: Callable[..., T], parts: Sequence[Call]) -> list[T]:
        """The results of replicas that take turns."""
        turns = ReplicaTurns(len(parts), self._cluster)
        calls = [partial(self._run_one, fn, i, *part) for i, part in enumerate(parts)]
        return turns.run([partial(call, turns) for call in calls])

    def _program(self, fn: Callable[..., object]) -> ProgramForAll | None:
        """The program of all replicas, in functions that XLA compiles; None where there is none."""
        chosen = compiles_with_xla() or (getattr(fn, "_jit_compile", None) and has_jax())
        if not chosen:
            return None
        python = getattr(fn, "python_function", fn)
        program = self._programs.get(python)
        if program is None:
            from .replica_programs import ProgramForAll

            roots = fn._refers_to() if hasattr(fn, "_refers_to") else (fn,)
            name = getattr(fn, "__name__", type(fn).__name__)
            program = self._programs[python] = ProgramForAll(
                name, roots, len(self._replicas), partial(self._in_turns, fn), self._cluster
            )
        return program

    def _run_one(
        self,
        fn: Callable[..., T],
        number: int,
        args: tuple[object, ...],
        kwargs: dict[str, object],
        turns: ReplicaTurns | None,
    ) -> T:
        where = Context(self, self._replicas[number], turns, number)
        with self._apart_from_tapes(), placed(self._devices[number]), within(where):
            return fn(*args, **kwargs)

    def _apart_from_tapes(self) -> AbstractContextManager[None]:
        """Let tapes that are outside of `run` hear nothing."""
        return paused(observers=False) if self._hides_from_tapes else nullcontext()

    def reduce(self, reduce_op: ReduceOp | str, value: object, axis: int | None = None) -> Any:
        """The sum or the mean of the values of replicas.

        Args:
            reduce_op: "SUM", "MEAN" or a ``tf.distribute.ReduceOp``.
            value: The values, as ``run`` gives them.
            axis: An axis along which they are reduced, too; None for none.
        """
        require_all_replicas("reduce")
        how = reduce_op_of(reduce_op)
        return nest.map_structure(lambda leaf: self._reduced(leaf, how, axis), value)

    def _reduced(self, value: object, how: ReduceOp, axis: int | None) -> object:
        if self.num_replicas_in_sync == 1 and not isinstance(value, ReplicaValues):
            if axis is None:
                return value
            return (reduce_sum if how is ReduceOp.SUM else reduce_mean)(as_tensor(value), axis)
        if not hasattr(value, "values") and len(self._replicas) > 1:
            if how is ReduceOp.MEAN and axis is None:
                return value  # the same for all
            raise ValueError(
                f"The input {value} is a non-DistributedValues value, which cannot be reduced with "
                f"the given reduce op {how}. Reduce what `strategy.run` returned."
            )
        tensors = self._of_all(f"reduce({how.value})", value)
        if axis is None:
            return total(tensors, how)
        return (mean_along if how is ReduceOp.MEAN else total_along)(tensors, axis)

    def _of_all(self, what: str, value: object) -> list[Tensor]:
        """The values of the replicas of all processes."""
        tensors = [as_tensor(each) for each in self.experimental_local_results(value)]
        if self._cluster is None:
            return tensors
        cannot_be_replayed("it asks other processes for values")
        return [wrap(x) for x in self._cluster.exchange(what, [x._array for x in tensors])]

    def gather(self, value: Any, axis: int) -> Any:
        """The values of replicas, joined along an axis.

        Args:
            value: The values, as ``run`` gives them.
            axis: The axis.

        Raises:
            ValueError: If they are scalars.
        """
        axis = whole_number(axis, "axis")
        require_all_replicas("gather")

        def one(leaf: object) -> Tensor:
            tensors = self._of_all("gather", leaf)
            if not all(each.ndim for each in tensors):
                raise ValueError("gather joins along an axis, and a scalar has none.")
            return ConcatV2(*tensors, axis=axis) if len(tensors) > 1 else tensors[0]

        return nest.map_structure(one, value)

    def experimental_local_results(self, value: object) -> tuple[Any, ...]:
        """The values of the replicas on this machine, in their order.

        >>> import cinta as tf
        >>> tf.distribute.OneDeviceStrategy("/cpu:0").unwrap(3.0)
        (3.0,)

        Args:
            value: The values, as ``run`` gives them.
        """
        if isinstance(value, ReplicaValues):
            return value.values
        count = len(self._replicas)
        if count == 1:
            return (value,)
        if nest.is_nested(value):
            return tuple(of_replica(value, i, count) for i in range(count))
        found: tuple[Any, ...] = value.values if hasattr(value, "values") else (value,)
        return found

    unwrap = experimental_local_results

    # -- data ----------------------------------------------------------------------------------

    def experimental_distribute_dataset(
        self, dataset: Dataset, options: object = None
    ) -> Dataset | DistributedDataset:
        """The batches of a dataset, each cut into a part for every replica.

        Args:
            dataset: The dataset.
            options: Accepted.
        """
        from .datasets import DistributedDataset

        require_all_replicas("experimental_distribute_dataset")
        return dataset if self.num_replicas_in_sync == 1 else DistributedDataset(dataset, self)

    def distribute_datasets_from_function(
        self, dataset_fn: Callable[[InputContext], Dataset], options: object = None
    ) -> Dataset | DistributedDataset:
        """A dataset that the function makes, whose elements are dealt to the replicas in turn.

        >>> import cinta as tf
        >>> strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
        >>> dataset = strategy.distribute_datasets_from_function(
        ...     lambda context: tf.data.Dataset.range(4).batch(2)
        ... )
        >>> [each.numpy().tolist() for each in dataset]
        [[0, 1], [2, 3]]

        Args:
            dataset_fn: A function of a ``tf.distribute.InputContext``.
            options: ``tf.distribute.InputOptions``, which say how often it is called.
        """
        from .datasets import DealtDataset
        from .input_context import InputContext

        cluster, count = self._cluster, self.num_replicas_in_sync
        if for_each_replica(options):
            contexts = [InputContext(count, each._number, count) for each in self._replicas]
        elif cluster is None:
            contexts = [InputContext(1, 0, count)]
        else:
            contexts = [InputContext(len(cluster), cluster.number, count)]
        made = [dataset_fn(each) for each in contexts]
        return made[0] if count == 1 else DealtDataset(made, self)

    experimental_distribute_datasets_from_function = distribute_datasets_from_function

    def experimental_distribute_values_from_function(
        self, value_fn: Callable[[ValueContext], T]
    ) -> T:
        """The function's results for each replica.

        Args:
            value_fn: A function of a ``tf.distribute.experimental.ValueContext``.
        """
        from .input_context import ValueContext

        count = self.num_replicas_in_sync
        found = [value_fn(ValueContext(each._number, count)) for each in self._replicas]
        if len(found) == 1:
            return found[0]
        values: T = nest.map_structure(PerReplica, *found)
        return values
