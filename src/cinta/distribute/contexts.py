"""Where a call runs: under which strategy, and for one replica or for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.replicas import Context, context, within
from ..public import public

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from .replica_context import ReplicaContext
    from .strategy import Strategy

_chosen: list[Strategy] = []
"""The strategy that holds where no scope says another, if one has been set."""


def default_strategy() -> Strategy:
    """The strategy of programs that have not chosen one."""
    from .strategies import DEFAULT

    return DEFAULT


@public("distribute.get_strategy")
def get_strategy() -> Strategy:
    """The strategy under which the call runs: that of the scope, or the default one.

    >>> import cinta as tf
    >>> tf.distribute.get_strategy().num_replicas_in_sync
    1
    """
    where = context()
    if where is not None:
        found: Strategy = where.strategy
        return found
    return _chosen[0] if _chosen else default_strategy()


@public("distribute.has_strategy")
def has_strategy() -> bool:
    """Whether a strategy other than the default one holds.

    >>> import cinta as tf
    >>> with tf.distribute.OneDeviceStrategy("/cpu:0").scope():
    ...     print(tf.distribute.has_strategy())
    True
    """
    return get_strategy() is not default_strategy()


@public("distribute.in_cross_replica_context")
def in_cross_replica_context() -> bool:
    """Whether the call runs once for all replicas, as in the scope of a strategy.

    >>> import cinta as tf
    >>> with tf.distribute.OneDeviceStrategy("/cpu:0").scope():
    ...     print(tf.distribute.in_cross_replica_context())
    True
    """
    return get_replica_context() is None


@public("distribute.get_replica_context")
def get_replica_context() -> ReplicaContext | None:
    """The replica for which the call runs; None where it runs once for all replicas.

    >>> import cinta as tf
    >>> strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    >>> strategy.run(lambda: tf.distribute.get_replica_context().num_replicas_in_sync)
    1
    """
    where = context()
    if where is not None:
        found: ReplicaContext | None = where.replica
        return found
    return None if _chosen else default_strategy()._replicas[0]


@public("distribute.experimental_set_strategy")
def experimental_set_strategy(strategy: Strategy | None) -> None:
    """Let this strategy hold for the program from now on, as if all were in its scope.

    >>> import cinta as tf
    >>> tf.distribute.experimental_set_strategy(tf.distribute.OneDeviceStrategy("/cpu:0"))
    >>> tf.distribute.has_strategy()
    True
    >>> tf.distribute.experimental_set_strategy(None)

    Args:
        strategy: The strategy; None for none.

    Raises:
        RuntimeError: If a strategy holds for a block around the call.
        TypeError: If it is not a strategy.
    """
    if context() is not None:
        raise RuntimeError("Must not be called inside a `tf.distribute.Strategy` scope.")
    if strategy is not None and not hasattr(strategy, "num_replicas_in_sync"):
        raise TypeError(f"`strategy` must be a tf.distribute.Strategy or None, got {strategy!r}.")
    _chosen[:] = [] if strategy is None or strategy is default_strategy() else [strategy]


def across(strategy: Strategy) -> AbstractContextManager[None]:
    """Run the block once for all replicas."""
    return within(Context(strategy, None))


def require_all_replicas(what: str) -> None:
    """Raise where a call runs for one replica that belongs to all."""
    if has_strategy() and not in_cross_replica_context():
        raise RuntimeError(
            "Method requires being in cross-replica context, use "
            f"get_replica_context().merge_call(): `{what}` is for all replicas together."
        )
