"""Several tensors joined into one, and one taken apart; each is the gradient of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..op import op
from .reshaping import boxed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..annotations import ArrayModule
    from ..shapes import Shape
    from ..tensor import Array, Tensor


@op("ConcatV2", moves=True)
def ConcatV2(xp: ArrayModule, *values: Array, axis: int) -> Array:
    """Tensors one after the other along an axis."""
    return xp.concatenate(values, axis=axis)


@op("SplitV", moves=True, rowwise=True)
def SplitV(xp: ArrayModule, x: Array, *, sizes: Shape, axis: int) -> tuple[Array, ...]:
    """Pieces of these sizes along an axis that is counted from the right."""
    ends = np.cumsum(sizes)[:-1].tolist()
    return tuple(xp.split(x, ends, axis=axis))


def split_like(g: Tensor, shapes: Sequence[Shape], axis: int) -> Tensor:
    """Undo a concatenation of tensors of these shapes."""
    if axis >= 0:
        axis -= len(shapes[0])
    return SplitV(g, sizes=tuple([shape[axis] for shape in shapes]), axis=axis)


ConcatV2.grads(values=lambda g, axis, values_shape: split_like(g, values_shape, axis))
SplitV.grads(x=lambda g, axis: ConcatV2(*g, axis=axis))


@op("Pack", moves=True)
def Pack(xp: ArrayModule, *values: Array, axis: int) -> Array:
    """Tensors of one shape along a new axis."""
    first = values[0]
    if xp is np and not first.ndim and first.dtype.kind != "O":
        return np.array(values, first.dtype)  # in a third of the time
    return xp.stack(values, axis=axis)


@op("Unpack", moves=True, rowwise=True)
def Unpack(xp: ArrayModule, x: Array, *, axis: int) -> tuple[Array, ...]:
    """The slices along an axis that is counted from the right."""
    return tuple([boxed(part) for part in (xp.moveaxis(x, axis, 0) if axis + x.ndim else x)])


Pack.grads(
    values=lambda g, axis, out_shape: Unpack(g, axis=axis if axis < 0 else axis - len(out_shape))
)
Unpack.grads(x=lambda g, axis: Pack(*g, axis=axis))
