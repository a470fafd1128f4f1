"""The slopes of sigmoid and tanh by their results, times a gradient: one pass over memory.

Written with operators each takes three passes, and large arrays are bound by memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.c_kernels import accelerate
from ...engine.op import op
from ...engine.parallel import in_blocks

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array


def _sigmoid_slope(y: Array, dy: Array, out: Array) -> None:
    np.subtract(1, y, out)
    np.multiply(out, y, out)
    np.multiply(out, dy, out)


@op("SigmoidGrad", broadcasts=True)
def SigmoidGrad(xp: ArrayModule, y: Array, dy: Array) -> Array:
    """dy * y * (1 - y)."""
    done = in_blocks(_sigmoid_slope, y, dy) if xp is np else None
    return dy * (y * (1 - y)) if done is None else done


def _tanh_slope(y: Array, dy: Array, out: Array) -> None:
    np.multiply(y, y, out)
    np.subtract(1, out, out)
    np.multiply(out, dy, out)


@op("TanhGrad", broadcasts=True)
def TanhGrad(xp: ArrayModule, y: Array, dy: Array) -> Array:
    """dy * (1 - y * y)."""
    done = in_blocks(_tanh_slope, y, dy) if xp is np else None
    return dy * (1 - y * y) if done is None else done


SigmoidGrad.writes(_sigmoid_slope)
TanhGrad.writes(_tanh_slope)
accelerate(SigmoidGrad, "sigmoid_grad")
accelerate(TanhGrad, "tanh_grad")
SigmoidGrad.grads(y=lambda g, y, dy: g * dy * (1 - 2 * y), dy=lambda g, y: SigmoidGrad(y, g))
TanhGrad.grads(y=lambda g, y, dy: -2 * (g * dy * y), dy=lambda g, y: TanhGrad(y, g))
