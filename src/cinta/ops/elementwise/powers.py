"""Powers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.dtype_kinds import INTEGER
from ...engine.fast_calls import binary
from ...engine.op import op
from ...public import public
from ..arrays.selecting import Masked
from .unary import Log

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array, Tensor

SQUARED = frozenset(range(3, 17))
"""Exponents for which squaring takes a hundredth of the time of NumPy's general power."""


@op("Pow", broadcasts=True)
def Pow(xp: ArrayModule, x: Array, y: Array | float) -> Array:
    """x to the power of y."""
    if type(y) is int or type(y) is float:
        if y == 1:
            return x
        if y in SQUARED and type(x) is np.ndarray:
            return by_squaring(x, int(y))
    elif xp is not np and _are_whole(x, y):
        return _bit_by_bit(xp, xp.asarray(x), xp.asarray(y))
    return x**y


def _are_whole(x: Array | float, y: Array | float) -> bool:
    """Whether both are whole numbers, of which the exponents are known only as the program runs."""
    return not isinstance(y, int) and _is_whole(x) and _is_whole(y)


def _is_whole(x: Array | float) -> bool:
    return isinstance(x, int) or (not isinstance(x, float) and x.dtype.kind in INTEGER)


def _bit_by_bit(xp: ArrayModule, x: Array, y: Array) -> Array:
    """A whole power: JAX looks at six bits of an exponent, above which powers overflow."""
    power: Array = xp.ones_like(x * y)
    for _ in range(8 * y.dtype.itemsize):
        power = xp.where(y & 1 != 0, power * x, power)
        x, y = x * x, y >> 1
    return power


@op("Raised", broadcasts=True)
def Raised(xp: ArrayModule, x: Array, y: Array) -> Array:
    """A power as it stands in the slope of another one: a constant where y is 0, at x = 0 too."""
    return Pow.kernel(xp, x, y)


@op("Lowered", broadcasts=True)
def Lowered(xp: ArrayModule, y: Array, x: Array) -> Array:
    """y - 1; but 0 where both are 0, so that the slope there is y * 1 and not y * infinity."""
    result: Array = (xp.asarray(y, x.dtype) - 1) * ~((y == 0) & (x == 0))
    return result


def by_squaring(x: Array, n: int) -> Array:
    """A whole power."""
    if n == 1:
        return x
    half = by_squaring(x, n // 2)
    return half * half * x if n % 2 else half * half


@op("HasLog")
def HasLog(xp: ArrayModule, x: Array) -> Array:
    """Where a base has a logarithm: above 0, or if it is complex, anywhere but at 0."""
    return x > 0 if xp.isrealobj(x) else x != 0


@op("LogBase", elementwise=True)
def LogBase(xp: ArrayModule, x: Array, *, dtype: np.dtype[Any]) -> Array:
    """A base where it has a logarithm, and 1 elsewhere, whose logarithm is 0.

    A base that is a Python number becomes one of the power's dtype.
    """
    return xp.asarray(xp.where(HasLog.kernel(xp, x), x, 1), dtype)[()]


HasLog.no_grad()
LogBase.grads(x=lambda g, x: Masked(g, HasLog(x)))
Pow.grads(
    x=lambda g, x, y: g * (y * Raised(x, y - 1)),
    # at x = 0 the logarithm is infinite, but the slope is 0 for every positive y
    y=lambda g, x, out, out_dtype: g * (out * Log(LogBase(x, dtype=out_dtype))),
)
Raised.grads(
    x=lambda g, x, y: g * (y * Raised(x, _lowered(y, x))),
    y=lambda g, x, out, out_dtype: g * (out * Log(LogBase(x, dtype=out_dtype))),
)
Lowered.grads(y=lambda g: g)


def _lowered(y: Any, x: Tensor | Array) -> Any:
    return y - 1 if type(y) in (int, float) and y != 0 else Lowered(y, x)


pow = public("math.pow", "pow")(
    binary(
        Pow,
        "pow",
        """x to the power of y, elementwise; the same as ``x ** y``.

    >>> import cinta as tf
    >>> tf.pow([2.0, 3.0], 2.0).numpy()
    array([4., 9.], dtype=float32)
    """,
    )
)
