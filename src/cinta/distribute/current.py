"""The strategy, and the replica of it, in which a piece of code runs."""

from __future__ import annotations

from typing import cast

from ..engine import replicas
from ..public import public
from .replica_context import ReplicaContext
from .strategy import DefaultStrategy, Strategy

_default = DefaultStrategy()
_default_context = ReplicaContext(_default, 0)


@public("distribute.get_strategy")
def get_strategy() -> Strategy:
    """The strategy in whose scope this runs; outside of all, the default one.

    >>> import cinta as tf
    >>> tf.distribute.get_strategy().num_replicas_in_sync
    1
    """
    here = replicas.place()
    return _default if here is None else cast("Strategy", here.strategy)


@public("distribute.has_strategy")
def has_strategy() -> bool:
    """Whether this runs in the scope of a strategy that the program has chosen.

    >>> import cinta as tf
    >>> with tf.distribute.OneDeviceStrategy("/cpu:0").scope():
    ...     tf.distribute.has_strategy()
    True
    """
    return get_strategy() is not _default


@public("distribute.in_cross_replica_context")
def in_cross_replica_context() -> bool:
    """Whether this runs in the scope of a strategy, and in no replica of it.

    >>> import cinta as tf
    >>> tf.distribute.in_cross_replica_context()
    False
    """
    return replicas.is_between_replicas()


@public("distribute.get_replica_context")
def get_replica_context() -> ReplicaContext | None:
    """The replica in which this runs; None in the scope of a strategy outside of ``run``.

    >>> import cinta as tf
    >>> tf.distribute.get_replica_context().num_replicas_in_sync
    1
    """
    here = replicas.place()
    return _default_context if here is None else cast("ReplicaContext | None", here.replica)
