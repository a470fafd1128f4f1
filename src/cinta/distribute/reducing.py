"""Sums and means of the values of replicas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..engine.tensor import wrap
from ..errors import InvalidArgumentError
from ..ops.collective import reduced
from ..ops.elementwise.division import divide
from ..ops.reductions.reduction import reduce_sum
from .reduce_op import ReduceOp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.tensor import Tensor


def total(tensors: Sequence[Tensor], how: ReduceOp) -> Tensor:
    """The sum or the mean of tensors of one shape."""
    return wrap(reduced([each._array for each in tensors], how.value))


def mean_along(tensors: Sequence[Tensor], axis: int) -> Tensor:
    """The mean along an axis of all tensors together, however long each is there."""
    for each in tensors:
        if not -each.ndim <= axis < each.ndim:
            raise InvalidArgumentError(
                f"Invalid reduction dimension {axis} for a value of shape {each.shape}."
            )
    length = sum(each._array.shape[axis] for each in tensors)
    whole = total([reduce_sum(each, axis) for each in tensors], ReduceOp.SUM)
    return divide(whole, wrap(np.asarray(length, whole._array.dtype)[()]))
