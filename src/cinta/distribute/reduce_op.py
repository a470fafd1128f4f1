"""How the values of replicas are made into one."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from ..public import public

if TYPE_CHECKING:
    from ..engine.replicas import VariableAggregation


@public("distribute.ReduceOp")
class ReduceOp(Enum):
    """How the values of replicas are made into one: ``SUM`` adds them, ``MEAN`` takes their mean.

    >>> import cinta as tf
    >>> tf.distribute.ReduceOp("SUM") is tf.distribute.ReduceOp.SUM
    True
    """

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation: VariableAggregation) -> ReduceOp:
        """The one that corresponds to the aggregation of a variable."""
        if aggregation.name not in ("SUM", "MEAN"):
            raise ValueError(
                f"Could not convert from `tf.VariableAggregation` {aggregation} to "
                "`tf.distribute.ReduceOp` type. Make the variable with "
                "aggregation=tf.VariableAggregation.SUM or MEAN."
            )
        return ReduceOp(aggregation.name)


def reduce_op_of(given: object) -> ReduceOp:
    """A ReduceOp that was given as such, or by its name."""
    if isinstance(given, ReduceOp):
        return given
    if not isinstance(given, str):
        raise TypeError(
            f"`reduce_op` must be a tf.distribute.ReduceOp, 'SUM' or 'MEAN', got {given!r}."
        )
    if given.upper() not in ReduceOp.__members__:
        raise ValueError(f"{given!r} is not a valid ReduceOp: `reduce_op` must be 'SUM' or 'MEAN'.")
    return ReduceOp[given.upper()]
