"""Products and quotients in which 0 counts for more than infinity and NaN."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.op import op
from ..arrays.selecting import has_no_nan

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array


@op("MulNoNan", broadcasts=True, linear=True)
def MulNoNan(xp: ArrayModule, x: Array, y: Array) -> Array:
    """The product, and 0 where y is 0, whatever x is there."""
    product = x * y
    if xp is np and has_no_nan(product):
        return product
    return xp.where(y == 0, product.dtype.type(0), product)[()]


MulNoNan.grads(x=lambda g, y: MulNoNan(g, y), y=lambda g, x: MulNoNan(x, g))


@op("DivNoNan", broadcasts=True)
def DivNoNan(xp: ArrayModule, x: Array, y: Array) -> Array:
    """The quotient, and 0 where the divisor is 0."""
    if xp is np and np.all(y):
        return x / y
    zero = y == 0
    return xp.where(zero, 0, x / xp.where(zero, 1, y))[()]


DivNoNan.grads(
    x=lambda g, y: DivNoNan(g, y),
    y=lambda g, y, out: DivNoNan(-g * out, y),
)
