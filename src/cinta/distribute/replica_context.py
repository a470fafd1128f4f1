"""The context of code that runs in one of the replicas of a strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .. import nest
from ..engine import replicas
from ..engine.convert import as_tensor, is_tensor
from ..engine.indexed_slices import IndexedSlices
from ..engine.tensor import Tensor, wrap
from ..public import public
from .reduce_op import chosen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .strategy import Strategy

T = TypeVar("T")


@public("distribute.ReplicaContext")
class ReplicaContext:
    """The replica in which a function runs that was given to ``strategy.run``.

    >>> import cinta as tf
    >>> context = tf.distribute.get_replica_context()
    >>> context.num_replicas_in_sync, context.all_reduce("SUM", 3.0).numpy()
    (1, np.float32(3.0))
    """

    def __init__(self, strategy: Strategy, replica_id_in_sync_group: int) -> None:
        self._strategy = strategy
        self._number = replica_id_in_sync_group

    @property
    def strategy(self) -> Strategy:
        """The strategy whose replica this is."""
        return self._strategy

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas there are."""
        return self._strategy.num_replicas_in_sync

    @property
    def replica_id_in_sync_group(self) -> Tensor:
        """The number of this replica, from zero on."""
        return wrap(np.int32(self._number))

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices of this replica."""
        return self._strategy.extended.worker_devices

    def all_reduce(self, reduce_op: object, value: Any, options: object = None) -> Any:
        """The sum or mean of a structure of values over all replicas: here, the one that is."""
        chosen(reduce_op)
        return nest.map_structure(_reduced, value)

    def all_gather(self, value: Any, axis: int, options: object = None) -> Any:
        """The values of all replicas, joined along an axis: here, the one that is."""
        return nest.map_structure(_reduced, value)

    def merge_call(
        self,
        merge_fn: Callable[..., T],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> T:
        """Call a function once for all replicas, with the strategy before the arguments."""
        with replicas.entered(self._strategy, None):
            return merge_fn(self._strategy, *args, **(kwargs or {}))


def _reduced(value: Any) -> Any:
    if isinstance(value, IndexedSlices) or is_tensor(value):
        return value
    return as_tensor(value)
