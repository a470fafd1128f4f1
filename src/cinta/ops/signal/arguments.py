"""Helpers of the functions of signals: arguments, and signals made longer or shorter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.convert import as_tensor
from ...engine.fast_calls import on_one
from ...engine.shapes import Shape
from ...engine.tensor import seen
from ...errors import InvalidArgumentError
from ..arrays.indexing import StridedSlice
from ..arrays.padding import Pad

if TYPE_CHECKING:
    from ...engine.annotations import IntLike
    from ...engine.tensor import Array, Tensor

INT32 = np.dtype(np.int32)


def fitted(x: Tensor, axes: Shape, lengths: Shape, value: Array | float = 0) -> Tensor:
    """The tensor with these lengths along axes that are counted from the right.

    A signal that is too long is cut at its end; one that is too short is padded with a value.
    """
    shape = x._array.shape
    index: list[Any] = [(None, None, None)] * len(shape)
    paddings = [(0, 0)] * len(shape)
    for axis, length in zip(axes, lengths, strict=True):
        index[axis] = (None, min(length, shape[axis]), None)
        paddings[axis] = (0, max(length - shape[axis], 0))
    if any([shape[i] > n for i, n in zip(axes, lengths, strict=True)]):
        x = on_one(StridedSlice, x, index=tuple(index), rank=len(shape))
    if any([after for _, after in paddings]):
        x = on_one(Pad, x, paddings=tuple(paddings), value=value)
    return x


def check_rank(x: Tensor, least: int) -> None:
    """Refuse tensors with too few axes."""
    x.shape.with_rank_at_least(least)


def count(value: IntLike, argument: str, dtype: np.dtype[Any] | None = None) -> int:
    """A length or a step: one whole number that is not negative."""
    tensor = as_tensor(value, dtype)
    tensor.shape.assert_has_rank(0)
    if tensor._array.dtype.kind not in "iu":
        raise InvalidArgumentError(f"`{argument}` must be a whole number, got {value!r}.")
    number = int(seen(tensor))
    if number < 0:
        raise InvalidArgumentError(f"`{argument}` must not be negative, got {number}.")
    return number


def step(value: IntLike, argument: str = "frame_step") -> int:
    """How far it is from the beginning of one frame to that of the next."""
    number = count(value, argument)
    if number == 0:
        raise InvalidArgumentError(f"`{argument}` must be at least 1, got 0: division by zero.")
    return number
