"""A replica, as the function sees it that runs in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

from .. import nest
from ..engine.convert import as_tensor
from ..engine.indexed_slices import IndexedSlices
from ..engine.op import originate
from ..engine.recorders import cannot_be_replayed
from ..engine.replicas import meet_here, shared_by_all
from ..engine.tensor import Tensor
from ..ops.arguments import axis_from_right, checked_callable
from ..ops.collective import AllGather, AllReduce, ReplicaId
from ..ops.elementwise.casting import cast
from ..public import public
from .contexts import across, default_strategy
from .reduce_op import ReduceOp, reduce_op_of
from .replica_values import joined, of_replica

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import Gradient, TensorLike
    from .strategy import Strategy

T = TypeVar("T")

Call: TypeAlias = "tuple[tuple[object, ...], dict[str, object]]"
"""The arguments of a call, by position and by name."""


@public("distribute.ReplicaContext")
class ReplicaContext:
    """The replica for which a function runs, given by ``tf.distribute.get_replica_context()``.

    >>> import cinta as tf
    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    >>> x = strategy.experimental_distribute_values_from_function(
    ...     lambda value: tf.constant([1.0 + value.replica_id_in_sync_group])
    ... )
    >>> def mean(strategy, x):
    ...     return strategy.reduce("MEAN", x)
    >>> def step(x):
    ...     replica = tf.distribute.get_replica_context()
    ...     total = replica.all_reduce("SUM", x)
    ...     both = replica.all_gather(x, axis=0)
    ...     return total, both, replica.merge_call(mean, args=(x,))
    >>> [each.numpy() for each in strategy.experimental_local_results(strategy.run(step, (x,)))[0]]
    [array([3.], dtype=float32), array([1., 2.], dtype=float32), array([1.5], dtype=float32)]

    Args:
        strategy: The strategy.
        number: The number of the replica, counted from 0.
    """

    def __init__(self, strategy: Strategy, number: int) -> None:
        self._strategy, self._number = strategy, number

    def __repr__(self) -> str:
        return f"<replica {self._number} of {self.num_replicas_in_sync}>"

    @property
    def strategy(self) -> Strategy:
        """The strategy that has this replica."""
        return self._strategy

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas there are."""
        return self._strategy.num_replicas_in_sync

    @property
    def replica_id_in_sync_group(self) -> Tensor | int:
        """The number of this replica, counted from 0."""
        if self.num_replicas_in_sync == 1:
            is_chosen = self._strategy is not default_strategy()
            return as_tensor(0) if is_chosen else 0
        number: Tensor = originate(ReplicaId)
        return number

    @property
    def _here(self) -> int:
        """The number among the replicas of this process."""
        return self._strategy._replicas.index(self)

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices of this replica."""
        return (self._strategy._devices[self._here],)

    def all_reduce(self, reduce_op: ReduceOp | str, value: T, options: object = None) -> T:
        """The sum or the mean of what the replicas give, for each leaf of a structure.

        Args:
            reduce_op: "SUM", "MEAN" or a ``tf.distribute.ReduceOp``.
            value: What this replica gives.
            options: Accepted.
        """
        how = reduce_op_of(reduce_op)
        found: T = nest.map_structure(lambda leaf: self._reduced(leaf, how), value)
        return found

    def _reduced(self, value: TensorLike | IndexedSlices, how: ReduceOp) -> Gradient:
        if self.num_replicas_in_sync == 1:
            return value if isinstance(value, IndexedSlices) else as_tensor(value)
        if isinstance(value, IndexedSlices):
            return self._joined_rows(value, how)
        return AllReduce(as_tensor(value), how=how.value)

    def _joined_rows(self, rows: IndexedSlices, how: ReduceOp) -> IndexedSlices:
        """The rows of all replicas, one below the other."""
        values = as_tensor(rows.values)
        if how is ReduceOp.MEAN:
            values = values / cast(self.num_replicas_in_sync, values.dtype)
        gathered, indices = (self.all_gather(x, 0) for x in (values, as_tensor(rows.indices)))
        return IndexedSlices(gathered, indices, rows.dense_shape)

    def all_gather(self, value: T, axis: int, options: object = None) -> T:
        """The replicas' values, joined along an axis, for each leaf of a structure.

        Args:
            value: What this replica gives.
            axis: The axis.
            options: Accepted.
        """
        found: T = nest.map_structure(lambda leaf: self._gathered(as_tensor(leaf), axis), value)
        return found

    def _gathered(self, tensor: Tensor, axis: int) -> Tensor:
        shape = tensor._array.shape
        if not shape:
            raise ValueError("all_gather joins along an axis, and a scalar has none: use tf.stack.")
        axis = axis_from_right("all_gather", axis, len(shape))
        if self.num_replicas_in_sync == 1:
            return tensor
        lengths = shared_by_all("all_gather", shape[axis])
        return AllGather(tensor, axis=axis, lengths=lengths, length=shape[axis])

    def merge_call(
        self,
        merge_fn: Callable[..., T],
        args: tuple[object, ...] = (),
        kwargs: dict[str, object] | None = None,
    ) -> T:
        """Call ``merge_fn(strategy, *args, **kwargs)`` once for all replicas, with all values.

        Where there are several processes, each calls it with the values of its replicas.

        Args:
            merge_fn: The function.
            args: What this replica gives it.
            kwargs: The same by name.
        """

        def work(given: list[Call]) -> list[T]:
            positional, named = joined(given)
            with across(self._strategy):
                found = merge_fn(self._strategy, *positional, **named)
            return [of_replica(found, i, len(given)) for i in range(len(given))]

        checked_callable(merge_fn, "merge_fn")
        if self.num_replicas_in_sync > 1:
            cannot_be_replayed("it calls merge_call, where Python has the values of all replicas")
        return meet_here("merge_call", call_arguments(args, kwargs), work)


def call_arguments(args: object, kwargs: object) -> Call:
    """The arguments of a call that is made for replicas."""
    if not isinstance(args, (tuple, list)):
        raise TypeError(f"`args` must be a tuple of arguments, got {args!r}.")
    if kwargs is not None and not isinstance(kwargs, dict):
        raise TypeError(f"`kwargs` must be a dictionary of arguments, got {kwargs!r}.")
    return tuple(args), dict(kwargs or {})
