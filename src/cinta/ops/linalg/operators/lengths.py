"""How many rows and columns matrices have, and how many matrices there are, as people give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.convert import as_tensor
from ....engine.shapes import Shape, TensorShape
from ....engine.tensor import seen
from ....engine.variable import Variable

if TYPE_CHECKING:
    from ....engine.annotations import IntLike, ShapeLike


def _check_fixed(value: object, argument: str) -> None:
    """Refuse a variable, whose later values the operator would not follow."""
    if isinstance(value, Variable):
        raise TypeError(
            f"Argument `{argument}` cannot be reference type, as a variable is: the shape of an "
            f"operator stays. Give its value, `{argument}=x.numpy()`."
        )


def checked_length(value: IntLike, argument: str) -> int:
    """How many rows or columns a matrix has."""
    _check_fixed(value, argument)
    array = np.asarray(seen(as_tensor(value)))
    if array.dtype.kind not in "iu":
        raise TypeError(f"Argument `{argument}` must be integer type. Found: {value!r}")
    if array.ndim:
        raise ValueError(f"Argument `{argument}` must be a 0-D Tensor. Found: {value!r}")
    if array < 0:
        raise ValueError(f"Argument `{argument}` must be non-negative. Found: {value!r}")
    return int(array)


def checked_batch(value: ShapeLike | None) -> Shape:
    """The shape of a batch of matrices; none is the shape of a single one."""
    if value is None:
        return ()
    _check_fixed(value, "batch_shape")
    given = np.asarray(
        value.as_list() if isinstance(value, TensorShape) else seen(as_tensor(value))
    )
    if given.size and given.dtype.kind not in "iu":
        raise TypeError(f"Argument `batch_shape` must be integer type. Found: {value!r}")
    if given.ndim != 1:
        raise ValueError(f"Argument `batch_shape` must be a 1-D Tensor. Found: {value!r}")
    if (given < 0).any():
        raise ValueError(f"Argument `batch_shape` must be non-negative. Found: {value!r}")
    return tuple(given.tolist())
