"""The same elements under another shape, or in another order of the axes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ..broadcasting import lead
from ..op import op

if TYPE_CHECKING:
    from ..annotations import ArrayModule
    from ..shapes import Shape
    from ..tensor import Array


@op("Reshape", moves=True)
def Reshape(xp: ArrayModule, x: Array, *, shape: Shape) -> Array:
    """The same elements in the same order under another shape."""
    return xp.reshape(x, shape)


Reshape.run = lambda x, *, shape: x.reshape(shape)  # a third of np.reshape's time
Reshape.grads(x=lambda g, x_shape, out_shape: Reshape(g, shape=lead(g, len(out_shape)) + x_shape))


def boxed(part: Array | bytes) -> Array:
    """An element that was picked from an array; NumPy hands out single strings bare."""
    return np.array(part, object) if isinstance(part, bytes) else part


@op("Transpose", moves=True, rowwise=True)
def Transpose(xp: ArrayModule, x: Array, *, perm: Shape) -> Array:
    """The last axes in another order; ``perm`` counts from the right."""
    rank = x.ndim
    if rank > len(perm):
        return xp.transpose(x, (*range(rank - len(perm)), *[p + rank for p in perm]))
    return x.transpose(perm)


@cache
def inverse(perm: Shape) -> Shape:
    """The permutation of axes, counted from the right, that undoes this one."""
    rank = len(perm)
    return tuple([perm.index(axis) - rank for axis in range(-rank, 0)])


Transpose.grads(x=lambda g, perm: Transpose(g, perm=inverse(perm)))
