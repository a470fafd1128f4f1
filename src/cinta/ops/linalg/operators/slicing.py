"""Parts of batches of operators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....engine.convert import as_tensor
from ....engine.tensor import wrap
from ...arrays.tiling import broadcast_to
from .base import LinearOperator

if TYPE_CHECKING:
    from ....engine.annotations import NumericLike
    from ....engine.shapes import Shape


def part_of(operator: LinearOperator, slices: tuple[Any, ...], batch: Shape) -> LinearOperator:
    """The same operator on a part of its batch, which is broadcast to this shape first."""
    return operator._with_fields(
        {
            name: _part(getattr(operator, name), axes, slices, batch)
            for name, axes in operator.batched.items()
        }
    )


def _part(value: NumericLike | None, axes: int, slices: tuple[Any, ...], batch: Shape) -> Any:
    """The part of a parameter whose last axes, so many, are those of the matrix."""
    if value is None:
        return None
    if isinstance(value, LinearOperator):
        return part_of(value, slices, batch)
    if isinstance(value, list):  # which is an axis itself
        return [_part(each, axes - 1, slices, batch) for each in value]
    if isinstance(value, tuple):  # the shape of a batch that has no values
        own = value[len(value) - axes :]
        return (*wrap(np.broadcast_to(False, batch))[slices]._array.shape, *own)
    tensor = as_tensor(value)
    shape = tensor._array.shape
    filled = broadcast_to(tensor, [*batch, *shape[len(shape) - axes :]])
    rest = () if any(each is Ellipsis for each in slices) else (Ellipsis,)
    return filled[(*slices, *rest, *[slice(None)] * axes)]
