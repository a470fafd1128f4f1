"""Arguments that are not differentiated - axes, shapes, counts - checked and made plain."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from ..convert import as_tensor
from ..doors import FLOATING, refused_dtype
from ..dtypes import of
from ..errors import InvalidArgumentError

if TYPE_CHECKING:
    from ..shapes import Shape
    from ..tensor import Tensor


def integers(value: Any, argument: str) -> tuple[int, ...]:
    """A number, or a list, array or tensor of whole numbers, as a tuple of ints."""
    if type(value) is int:
        return (value,)
    if type(value) in (tuple, list) and all([type(n) is int for n in value]):
        return tuple(value)
    array = np.asarray(as_tensor(value)._array)
    if array.size and array.dtype.kind not in "iu":
        raise InvalidArgumentError(
            f"Value for attr 'T{argument}' of {of(array.dtype).kernel_name} is not in the list of "
            f"allowed values: int32, int64: `{argument}` must be whole numbers, got {value!r}."
        )
    return tuple(array.reshape(-1).tolist())


def integer(value: Any, argument: str) -> int:
    """One whole number."""
    given = integers(value, argument)
    if len(given) != 1:
        raise InvalidArgumentError(
            f"'{argument}' must be a tensor with a single value, got {value!r}."
        )
    return given[0]


def axis_from_right(op: str, axis: Any, rank: int, argument: str = "axis") -> int:
    """An axis counted from the right, as rules need it: -1 is the last."""
    given = axis if type(axis) is int else integer(axis, argument)
    if not -rank <= given < rank:
        raise InvalidArgumentError(
            f"Invalid {argument} {given}: expected one in [{-rank}, {rank}) for an input with "
            f"{rank} dimension(s) [Op:{op}]"
        )
    return given - rank if given >= 0 else given


def axes_from_right(op: str, axis: Any, rank: int) -> tuple[int, ...]:
    """The axes to reduce, counted from the right and in order; None means all."""
    if axis is None:
        return tuple(range(-rank, 0))
    if type(axis) is int and -rank <= axis < rank:
        return (axis - rank if axis >= 0 else axis,)
    if isinstance(axis, float):
        raise TypeError(f"Cannot convert {axis} to EagerTensor of dtype int32: `axis` is an int.")
    given = integers(axis, "axis")
    for each in given:
        if not -rank <= each < rank:
            raise InvalidArgumentError(
                f"Invalid reduction dimension ({each} for input with {rank} dimension(s)) [Op:{op}]"
            )
    axes = tuple(sorted(i - rank if i >= 0 else i for i in given))
    if len(set(axes)) < len(axes):
        raise InvalidArgumentError(
            f"Invalid reduction arguments: Axes contains duplicate dimension: {axis} [Op:{op}]"
        )
    return axes


def shape_argument(shape: Any, argument: str = "shape") -> Shape:
    """A shape given as numbers, a list, a TensorShape or a tensor."""
    if isinstance(shape, (list, tuple)) or hasattr(shape, "as_list"):
        try:
            return tuple(map(index, shape))
        except TypeError:  # a variable among them, or what is no whole number
            return tuple([n for part in shape for n in integers(part, argument)])
    return integers(shape, argument)


def tensor_of(op: str, value: Any, kinds: str = FLOATING) -> Tensor:
    """The value as a tensor whose dtype is of a kind that the op takes."""
    tensor = as_tensor(value)
    if tensor._array.dtype.kind not in kinds:
        raise refused_dtype(op, tensor, kinds)
    return tensor


def whole(indices: Any) -> Tensor:
    """Indices as a tensor of whole numbers."""
    tensor = as_tensor(indices)
    if tensor._array.dtype.kind in "iu":
        return tensor
    if not tensor._array.size and not hasattr(indices, "dtype"):
        return as_tensor(np.zeros(tensor._array.shape, np.int32))
    raise InvalidArgumentError(
        f"Value for attr 'Tindices' of {tensor.dtype.kernel_name} is not in the list of allowed "
        f"values: int32, int64. Indices must be whole numbers: tf.cast(indices, tf.int32)."
    )
