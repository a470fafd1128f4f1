"""Views of the memory of arrays by strides, which never reach beyond it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Array = np.ndarray[Any, Any]


def strided(array: Array, shape: Sequence[int], strides: Sequence[int]) -> Array:
    """A view that cannot be written to; ``ValueError`` if it would reach beyond the array.

    >>> strided(np.arange(4, dtype=np.int8), (3, 2), (1, 1)).tolist()
    [[0, 1], [1, 2], [2, 3]]
    """
    if min(shape, default=0) < 0:
        raise ValueError(f"a view cannot have the shape {tuple(shape)}")
    if 0 not in shape:
        low, high = _reach(zip(shape, strides, strict=True))
        first, last = _reach(zip(array.shape, array.strides, strict=True))
        if not array.size or low < first or high > last:
            raise ValueError(
                f"a view of the shape {tuple(shape)} reaches beyond its array, of the shape "
                f"{array.shape}"
            )
    return as_strided(array, shape, strides, writeable=False)


def _reach(axes: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """How many bytes before and behind the first element the others begin."""
    low = high = 0
    for length, stride in axes:
        if stride < 0:
            low += stride * (length - 1)
        else:
            high += stride * (length - 1)
    return low, high
