"""The same values: as they are, as constants, in another dtype; and zeros and ones like them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..device_values import Spread
from ..gradient_plan import Undense
from ..halves import converted
from ..op import Op, op

if TYPE_CHECKING:
    from ..annotations import ArrayModule
    from ..tensor import Array


@op("Identity", elementwise=True)
def Identity(xp: ArrayModule, input: Array) -> Array:
    """The same values under another name."""
    return input


Identity.grads(input=lambda g: g)
Identity.takes_rows = True


@op("ZerosLike", rowwise=True)
def ZerosLike(xp: ArrayModule, x: Array) -> Array:
    """Zeros of the same shape and dtype."""
    return xp.zeros_like(x)[()]


def _untouched_zeros(x: Array) -> Array:
    """Zeros that cost nothing until they are touched."""
    if isinstance(x, Spread):
        raise TypeError
    found: Array = np.zeros(x.shape, x.dtype)[()]
    return found


ZerosLike.run = _untouched_zeros
ZerosLike.no_grad()


@op("OnesLike", rowwise=True)
def OnesLike(xp: ArrayModule, x: Array) -> Array:
    """Ones of the same shape and dtype."""
    return xp.ones_like(x)[()]


OnesLike.no_grad()


@op("Cast", elementwise=True)
def Cast(xp: ArrayModule, x: Array, *, dtype: np.dtype[Any]) -> Array:
    """The nearest values of another dtype; of a complex number that becomes real, the real part."""
    if x.dtype.kind == "c" and dtype.kind not in "cb":
        x = x.real
    return converted(x, dtype) if x.dtype != dtype else x.astype(dtype)


Cast.grads(
    x=lambda g, x_dtype: (
        g.mapped(lambda rows: Cast(rows, dtype=x_dtype))
        if isinstance(g, Undense)
        else Cast(g, dtype=x_dtype)
    )
)
Cast.takes_rows = True


Convert = Op("Convert", Cast.kernel, rowwise=True).no_grad()
"""Cast between dtypes one of which is not differentiable."""


@op("StopGradient", rowwise=True)
def StopGradient(xp: ArrayModule, input: Array) -> Array:
    """The same values, on which nothing depends."""
    return input


StopGradient.no_grad()
