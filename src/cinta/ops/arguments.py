"""Arguments that are not differentiated - axes, shapes, counts - checked and made plain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..convert import as_tensor
from ..doors import FLOATING, refused_dtype
from ..errors import InvalidArgumentError

if TYPE_CHECKING:
    from ..tensor import Tensor


def integers(value: Any, argument: str) -> tuple[int, ...]:
    """A number, or a list, array or tensor of whole numbers, as a tuple of ints."""
    if type(value) is int:
        return (value,)
    if type(value) in (tuple, list) and all([type(n) is int for n in value]):
        return tuple(value)
    array = np.asarray(as_tensor(value)._array)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"`{argument}` must be whole numbers, got {value!r}.")
    return tuple(array.reshape(-1).tolist())


def axis_from_right(op: str, axis: Any, rank: int, argument: str = "axis") -> int:
    """An axis counted from the right, as rules need it: -1 is the last."""
    (index,) = integers(axis, argument)
    if not -rank <= index < rank:
        raise InvalidArgumentError(
            f"Invalid {argument} {index}: expected one in [{-rank}, {rank}) for an input with "
            f"{rank} dimension(s) [Op:{op}]"
        )
    return index - rank if index >= 0 else index


def axes_from_right(op: str, axis: Any, rank: int) -> tuple[int, ...]:
    """The axes to reduce, counted from the right and in order; None means all."""
    if axis is None:
        return tuple(range(-rank, 0))
    if type(axis) is int and -rank <= axis < rank:
        return (axis - rank if axis >= 0 else axis,)
    given = integers(axis, "axis")
    for index in given:
        if not -rank <= index < rank:
            raise InvalidArgumentError(
                f"Invalid reduction dimension ({index} for input with {rank} dimension(s)) "
                f"[Op:{op}]"
            )
    axes = tuple(sorted(i - rank if i >= 0 else i for i in given))
    if len(set(axes)) < len(axes):
        raise InvalidArgumentError(
            f"Invalid reduction arguments: Axes contains duplicate dimension: {axis} [Op:{op}]"
        )
    return axes


def shape_argument(shape: Any, argument: str = "shape") -> tuple[int, ...]:
    """A shape given as numbers, a list, a TensorShape or a tensor."""
    if isinstance(shape, (list, tuple)) or hasattr(shape, "as_list"):
        return tuple([n for part in shape for n in integers(part, argument)])
    return integers(shape, argument)


def tensor_of(op: str, value: Any, kinds: str = FLOATING) -> Tensor:
    """The value as a tensor whose dtype is of a kind that the op takes."""
    tensor = as_tensor(value)
    if tensor._array.dtype.kind not in kinds:
        raise refused_dtype(op, tensor, kinds)
    return tensor
