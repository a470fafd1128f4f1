"""Sums and means of the values of replicas."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..engine.tensor import wrap
from ..ops.arguments import whole_numbers
from ..ops.collective import reduced
from ..ops.elementwise.division import divide
from ..ops.reductions.reduction import reduce_sum
from .reduce_op import ReduceOp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.tensor import Tensor

Axes: TypeAlias = "int | Sequence[int]"


def total(tensors: Sequence[Tensor], how: ReduceOp) -> Tensor:
    """The sum or the mean of tensors of one shape."""
    return wrap(reduced([each._array for each in tensors], how.value))


def total_along(tensors: Sequence[Tensor], axes: Axes) -> Tensor:
    """The sum along axes of all tensors together."""
    for each in tensors:
        _check_axes(each, axes)
    return total([reduce_sum(each, axes) for each in tensors], ReduceOp.SUM)


def mean_along(tensors: Sequence[Tensor], axes: Axes) -> Tensor:
    """The mean along axes of all tensors together, however long each is there."""
    whole = total_along(tensors, axes)
    lengths = [np.prod([each._array.shape[axis] for axis in _listed(axes)]) for each in tensors]
    return divide(whole, wrap(np.asarray(sum(lengths), whole._array.dtype)[()]))


def _listed(axes: Axes) -> Sequence[int]:
    return whole_numbers(axes, "axis")


def _check_axes(tensor: Tensor, axes: Axes) -> None:
    for axis in _listed(axes):
        if not -tensor.ndim <= axis < tensor.ndim:
            raise ValueError(
                f"Invalid reduction dimension {axis} for a value of shape {tensor.shape}."
            )
