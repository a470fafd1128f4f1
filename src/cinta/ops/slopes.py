"""The slopes of sigmoid and tanh by their results, times a gradient: one pass over memory.

Written with operators each takes three passes over the arrays, and large arrays are bound by memory.
Block by block the intermediate values stay in the processor's cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..op import op
from ..parallel import blockwise

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..tensor import Array

WORTHWHILE = 1 << 17
"""From this many elements on, arrays do not fit into a core's cache."""


def in_blocks(steps: Callable[..., object], *arrays: Array) -> Array | None:
    """What the steps write into their last argument; None for arrays that are better done at once."""
    first = arrays[0]
    if type(first) is not np.ndarray or first.size < WORTHWHILE:
        return None
    for array in arrays:
        if array.shape != first.shape or not array.flags.c_contiguous or array.dtype != first.dtype:
            return None
    return blockwise(steps, *arrays, out=np.empty_like(first))


def _sigmoid_slope(y: Array, dy: Array, out: Array) -> None:
    np.subtract(1, y, out)
    np.multiply(out, y, out)
    np.multiply(out, dy, out)


@op("SigmoidGrad", broadcasts=True)
def SigmoidGrad(xp: Any, y: Array, dy: Array) -> Array:
    """dy * y * (1 - y)."""
    done = in_blocks(_sigmoid_slope, y, dy) if xp is np else None
    return dy * (y * (1 - y)) if done is None else done


def _tanh_slope(y: Array, dy: Array, out: Array) -> None:
    np.multiply(y, y, out)
    np.subtract(1, out, out)
    np.multiply(out, dy, out)


@op("TanhGrad", broadcasts=True)
def TanhGrad(xp: Any, y: Array, dy: Array) -> Array:
    """dy * (1 - y * y)."""
    done = in_blocks(_tanh_slope, y, dy) if xp is np else None
    return dy * (1 - y * y) if done is None else done


SigmoidGrad.grads(y=lambda g, y, dy: g * dy * (1 - 2 * y), dy=lambda g, y: SigmoidGrad(y, g))
TanhGrad.grads(y=lambda g, y, dy: -2 * (g * dy * y), dy=lambda g, y: TanhGrad(y, g))
