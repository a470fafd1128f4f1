"""Jacobians: one backward sweep over a block of basis vectors.

Rules let gradients have more axes in front than the values that they belong to. So the gradients of
all elements of a target, stacked, go through the tape at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .asked import is_known
from .dtypes import is_differentiable
from .indexed_slices import Rows
from .op import registry
from .sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .recording import Recorder
    from .tensor import Tensor
    from .variable import Variable


def jacobian(
    recorder: Recorder, target: Any, sources: Sequence[Tensor | Variable], *, keep: bool
) -> list[Any]:
    """The derivative of every element of the target by every element of each source, or None.

    Gradients as the sweep has them, of shape ``target.shape + source.shape``.
    """
    if not is_known(target):
        return [_identity(target) if s is target else None for s in sources]
    shape, dtype = target._array.shape, target._array.dtype
    size = int(np.prod(shape, dtype=np.int64))
    basis = np.eye(size, dtype=dtype).reshape(size, *shape)
    stacked = _stacked(recorder, target, sources, basis, keep=keep)
    return [
        None if d is None else registry["Reshape"](d, shape=shape + tuple(source._array.shape))
        for d, source in zip(stacked, sources, strict=True)
    ]


def batch_jacobian(
    recorder: Recorder, target: Any, source: Tensor | Variable, *, keep: bool
) -> Any:
    """The derivative of ``target[i]`` by ``source[i]`` for each sample, or None.

    The samples must not interact: what one sample does to another is added in.
    """
    if not is_known(target):
        return None
    batch, *inner = target._array.shape
    size = int(np.prod(inner, dtype=np.int64))
    one = np.eye(size, dtype=target._array.dtype).reshape(size, 1, *inner)
    basis = np.broadcast_to(one, (size, batch, *inner))
    (stacked,) = _stacked(recorder, target, [source], basis, keep=keep)
    if stacked is None:
        return None
    rank = stacked.ndim
    by_sample = registry["Transpose"](stacked, perm=(1 - rank, -rank, *range(2 - rank, 0)))
    return registry["Reshape"](by_sample, shape=(batch, *inner, *source._array.shape[1:]))


def _stacked(
    recorder: Recorder,
    target: Any,
    sources: Sequence[Tensor | Variable],
    basis: Any,
    *,
    keep: bool,
) -> list[Any]:
    """For each source the gradients for all the basis vectors, stacked."""
    wanted = {s._number for s in sources if is_known(s)}
    found = sweep(recorder, [(target._number, basis)], wanted, keep=keep)
    return [
        _with_lead(found.get(s._number) if is_known(s) else None, s, len(basis)) for s in sources
    ]


def _with_lead(d: Any, source: Tensor | Variable, count: int) -> Any:
    """A gradient with its leading axis, which one that is the same for all may lack."""
    if isinstance(d, Rows):
        d = d.dense()
    shape = tuple(source._array.shape)
    if d is None or d.ndim > len(shape):
        return d
    return registry["BroadcastTo"](d, shape=(count, *shape), rank=len(shape))


def _identity(target: Tensor | Variable) -> Any:
    """The Jacobian of a tensor by itself, where no tape knows it."""
    shape, dtype = target._array.shape, target._array.dtype
    if not is_differentiable(dtype):
        return None
    return np.eye(int(np.prod(shape, dtype=np.int64)), dtype=dtype).reshape(shape + shape)
