"""The parts of strategies that libraries use."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from ..engine.replicas import once
from ..public import public
from .contexts import across, get_replica_context
from .replica_context import call_arguments
from .replica_values import joined, of_replica
from .variables import SyncOnReadVariable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..engine.variable import Variable
    from .reduce_op import ReduceOp
    from .strategy import Strategy

T = TypeVar("T")


@public("distribute.StrategyExtended")
class StrategyExtended:
    """More methods of a strategy, for those who write libraries: ``strategy.extended``.

    >>> import cinta as tf
    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    >>> with strategy.scope():
    ...     v = tf.Variable(1.0)
    >>> extended = strategy.extended
    >>> extended.variable_created_in_scope(v), extended.value_container(v) is v
    (True, True)
    >>> gradient = strategy.run(lambda: tf.constant(2.0))
    >>> total = extended.reduce_to("SUM", gradient, destinations=v)
    >>> [each.numpy() for each in extended.batch_reduce_to("MEAN", [(gradient, v)])]
    [np.float32(2.0)]
    >>> with extended.colocate_vars_with(v):
    ...     _ = extended.update(v, lambda v, by: v.assign_sub(by), args=(total,))
    >>> v.numpy()
    np.float32(-3.0)

    Args:
        strategy: The strategy.
    """

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy

    @property
    def worker_devices(self) -> tuple[str, ...]:
        """The device of each replica."""
        devices, cluster = self._strategy._devices, self._strategy._cluster
        if cluster is None:
            return devices
        job, number = cluster.names[cluster.number].split()[:2]
        task = f"/job:{job}/replica:0/task:{number}"
        return tuple(each.replace("/job:localhost/replica:0/task:0", task) for each in devices)

    parameter_devices = worker_devices

    @property
    def experimental_require_static_shapes(self) -> bool:
        """Whether shapes must be known beforehand, which they need not be."""
        return False

    def _in_multi_worker_mode(self) -> bool:
        return self._strategy._cluster is not None

    def _use_merge_call(self) -> bool:
        return False

    def update(
        self,
        var: Variable,
        fn: Callable[..., T],
        args: Sequence[object] = (),
        kwargs: dict[str, object] | None = None,
        group: bool = True,
    ) -> T:
        """Call ``fn(var, *args, **kwargs)``, which changes a variable, once for all replicas.

        Where each replica has a copy of the variable, each makes the call.

        Args:
            var: The variable.
            fn: The function.
            args: Its arguments, which must be the same for all, as reduced gradients are.
            kwargs: Others by name.
            group: Accepted.

        Raises:
            TypeError: If the arguments are not a tuple and a dictionary.
        """
        given = call_arguments(args, kwargs)
        here = len(self._strategy._replicas)
        if isinstance(var, SyncOnReadVariable) and get_replica_context() is None:
            calls = [of_replica(given, i, here) for i in range(here)]
            copies = zip(var.values, calls, strict=True)
            return joined([fn(copy, *args, **kwargs) for copy, (args, kwargs) in copies])
        alone = self._strategy.num_replicas_in_sync == 1
        if alone or (get_replica_context() and isinstance(var, SyncOnReadVariable)):
            return fn(var, *given[0], **given[1])

        def work() -> T:
            positional, named = of_replica(given, 0, here)
            with across(self._strategy):
                return fn(var, *positional, **named)

        return once("update", work)

    def reduce_to(
        self, reduce_op: ReduceOp | str, value: T, destinations: object, options: object = None
    ) -> T:
        """The sum or the mean of the values of replicas.

        Args:
            reduce_op: "SUM", "MEAN" or a ``tf.distribute.ReduceOp``.
            value: The values.
            destinations: Accepted.
            options: Accepted.
        """
        found: T = self._strategy.reduce(reduce_op, value)
        return found

    def batch_reduce_to(
        self,
        reduce_op: ReduceOp | str,
        value_destination_pairs: Sequence[tuple[T, object]],
        options: object = None,
    ) -> list[T]:
        """The sums or the means of several values of replicas.

        Args:
            reduce_op: "SUM", "MEAN" or a ``tf.distribute.ReduceOp``.
            value_destination_pairs: Pairs of values and of a destination, which changes nothing.
            options: Accepted.

        Raises:
            TypeError: If it is not a list of pairs.
        """
        pairs = value_destination_pairs
        if not (isinstance(pairs, (list, tuple)) and all(map(_is_pair, pairs))):
            raise TypeError(f"`value_destination_pairs` must be a list of pairs, got {pairs!r}.")
        return [self.reduce_to(reduce_op, value, to) for value, to in pairs]

    def value_container(self, value: T) -> T:
        """The variable of all replicas to which a variable belongs: there is one for all.

        Args:
            value: The variable.
        """
        return value

    def variable_created_in_scope(self, v: Variable) -> bool:
        """Whether a variable belongs to this strategy.

        Args:
            v: The variable.
        """
        of = getattr(v, "_strategy", None)
        return of is self._strategy or (of is None and self._strategy.num_replicas_in_sync == 1)

    @contextmanager
    def colocate_vars_with(self, colocate_with_variable: object) -> Iterator[None]:
        """Let variables of the block be where another one is; there is one place for all.

        Args:
            colocate_with_variable: Accepted.
        """
        yield


def _is_pair(given: object) -> bool:
    return isinstance(given, (list, tuple)) and len(given) == 2
