"""Values that differ from replica to replica, as one object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..public import public
from .composites import Composite

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .variable import Variable


@public("distribute.DistributedValues")
class DistributedValues:
    """A value for each replica: what ``Strategy.run`` returns, or a variable made in a scope.

    >>> import cinta as tf
    >>> issubclass(tf.types.experimental.distributed.PerReplica, tf.distribute.DistributedValues)
    True
    """

    @property
    def values(self) -> tuple[Any, ...]:
        """The values in the order of replicas; raises NotImplementedError where there is only the
        base.
        """
        raise NotImplementedError


class ReplicaValues(DistributedValues, Composite):
    """Values that are kept side by side."""

    def __init__(self, *values: object) -> None:
        self._values = values

    @property
    def values(self) -> tuple[Any, ...]:
        """The values in the order of replicas.

        >>> import cinta as tf
        >>> tf.types.experimental.distributed.PerReplica(2.0, 3.0).values
        (2.0, 3.0)
        """
        return self._values

    def _shown(self, show: Callable[[object], str]) -> str:
        lines = [f"  {i}: {show(value)}" for i, value in enumerate(self._values)]
        return f"{type(self).__name__}:{{\n" + ",\n".join(lines) + "\n}"

    def __repr__(self) -> str:
        return self._shown(repr)

    def __str__(self) -> str:
        return self._shown(str)


def copies_of(variable: object) -> Sequence[Variable]:
    """The copies for all replicas, of a variable that is one of them; none for other variables."""
    found: Sequence[Variable] = vars(variable).get("_siblings", ())
    return found


@public("types.experimental.distributed.PerReplica")
class PerReplica(ReplicaValues):
    """Values that differ from replica to replica. ``values`` has them all; they do not compute.

    >>> import cinta as tf
    >>> tf.types.experimental.distributed.PerReplica(2.0, 3.0).values
    (2.0, 3.0)
    """


@public("types.experimental.distributed.Mirrored")
class Mirrored(ReplicaValues):
    """A value that is the same for every replica.

    >>> import cinta as tf
    >>> tf.types.experimental.distributed.Mirrored(2.0, 2.0).values
    (2.0, 2.0)
    """
