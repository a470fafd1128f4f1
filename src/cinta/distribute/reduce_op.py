"""How the values of several replicas become one."""

from __future__ import annotations

from enum import Enum

from ..engine.variable import VariableAggregation
from ..public import public


@public("distribute.ReduceOp")
class ReduceOp(Enum):
    """The sum or the mean of the values of all replicas.

    >>> import cinta as tf
    >>> tf.distribute.ReduceOp("SUM")
    <ReduceOp.SUM: 'SUM'>
    """

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation: VariableAggregation) -> ReduceOp:
        """The one that a variable's aggregation stands for."""
        if aggregation not in (VariableAggregation.SUM, VariableAggregation.MEAN):
            raise ValueError(f"There is no ReduceOp for {aggregation!r}; it is for SUM and MEAN.")
        return ReduceOp[aggregation.name]


def chosen(reduce_op: object) -> ReduceOp:
    """The member that is meant: it may be named in small letters too."""
    return ReduceOp(reduce_op.upper() if isinstance(reduce_op, str) else reduce_op)
