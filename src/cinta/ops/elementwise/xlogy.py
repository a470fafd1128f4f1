"""Products with a logarithm, and quotients, which are 0 wherever the first factor is 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.fast_calls import matched
from ...engine.op import op
from ...public import public
from .unary import ComplexLog1p, Log1p

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


@op("Xlogy", broadcasts=True)
def Xlogy(xp: ArrayModule, x: Array, y: Array) -> Array:
    """x * log(y), and 0 where x is 0."""
    zero = x == 0
    return (x * xp.log(xp.where(zero, 1, y)))[()]


@op("Xlog1py", broadcasts=True)
def Xlog1py(xp: ArrayModule, x: Array, y: Array) -> Array:
    """x * log(1 + y), and 0 where x is 0."""
    log1p = Log1p if y.dtype.kind != "c" else ComplexLog1p
    return (x * log1p.kernel(xp, xp.where(x == 0, 0, y)))[()]


@op("Xdivy", broadcasts=True)
def Xdivy(xp: ArrayModule, x: Array, y: Array) -> Array:
    """x / y, and 0 where x is 0."""
    return (x / xp.where(x == 0, 1, y))[()]


@op("NonZero", rowwise=True)
def NonZero(xp: ArrayModule, x: Array) -> Array:
    """1 where the number is not 0, in its own dtype."""
    result: Array = (x != 0).astype(x.dtype)
    return result


NonZero.no_grad()


Xlogy.grads(x=lambda g, x, y: g * Xlogy(NonZero(x), y), y=lambda g, x, y: g * Xdivy(x, y))


Xlog1py.grads(x=lambda g, x, y: g * Xlog1py(NonZero(x), y), y=lambda g, x, y: g * Xdivy(x, y + 1))


Xdivy.grads(
    x=lambda g, x, y: g * Xdivy(NonZero(x), y),
    y=lambda g, y, out: g * Xdivy(-out, y),  # and not over the square of y, which may overflow
)


@public("math.xlogy")
def xlogy(x: NumericLike, y: NumericLike, name: str | None = None) -> Tensor:
    """x * log(y), and 0 where x is 0, whatever y is there.

    >>> import cinta as tf
    >>> tf.math.xlogy([0.0, 2.0], [0.0, 2.0]).numpy().round(4)
    array([0.    , 1.3863], dtype=float32)
    """
    return matched(Xlogy, x, y)


@public("math.xlog1py")
def xlog1py(x: NumericLike, y: NumericLike, name: str | None = None) -> Tensor:
    """x * log(1 + y), and 0 where x is 0, whatever y is there.

    >>> import cinta as tf
    >>> tf.math.xlog1py([0.0, 2.0], [-1.0, 1.0]).numpy().round(4)
    array([0.    , 1.3863], dtype=float32)
    """
    return matched(Xlog1py, x, y)


@public("math.xdivy")
def xdivy(x: NumericLike, y: NumericLike, name: str | None = None) -> Tensor:
    """x / y, and 0 where x is 0, whatever y is there.

    >>> import cinta as tf
    >>> tf.math.xdivy([0.0, 2.0], [0.0, 4.0]).numpy()
    array([0. , 0.5], dtype=float32)
    """
    return matched(Xdivy, x, y)
