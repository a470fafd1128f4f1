"""Division: true, floored, truncated, and without NaN."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, convert_to_tensor, is_tensor
from ...engine.dtype_kinds import FLOATING, INTEGER, REAL
from ...engine.fast_calls import binary, matched, unary
from ...engine.op import elementwise, op
from ...engine.tensor import Tensor
from ...errors import InvalidArgumentError
from ...public import public
from .casting import cast
from .guarded import DivNoNan, MulNoNan
from .unary import Floor

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array

RealDiv = elementwise("RealDiv", "true_divide", operator.truediv)
RealDiv.grads(x=lambda g, y: g / y, y=lambda g, y, out: -g * out / y)


@op("Reciprocal", elementwise=True)
def Reciprocal(xp: ArrayModule, x: Array) -> Array:
    """One divided by x."""
    return 1 / x


# infinite at 0, but what does not reach the target counts for nothing
Reciprocal.grads(x=lambda g, out: MulNoNan(-out * out, g))


def are_integers(x: Array, y: Array) -> bool:
    """Whether the operands, one of which may be a Python number, are integers."""
    return (y if hasattr(y, "dtype") else x).dtype.kind in INTEGER


def check_divisor(op: str, xp: ArrayModule, x: Array, y: Array) -> None:
    """Refuse to divide integers by zero, for which they have no infinity."""
    if xp is np and are_integers(x, y) and not np.all(y) and np.size(x):
        raise InvalidArgumentError(f"Integer division by zero [Op:{op}]")


@op("FloorDiv", broadcasts=True)
def FloorDiv(xp: ArrayModule, x: Array, y: Array) -> Array:
    """The quotient, rounded down."""
    check_divisor("FloorDiv", xp, x, y)
    return x // y if are_integers(x, y) else xp.floor(x / y)


@op("FloorMod", broadcasts=True)
def FloorMod(xp: ArrayModule, x: Array, y: Array) -> Array:
    """The remainder of floored division; it has the sign of the divisor."""
    check_divisor("FloorMod", xp, x, y)
    return xp.remainder(x, y)


@op("TruncateDiv", broadcasts=True)
def TruncateDiv(xp: ArrayModule, x: Array, y: Array) -> Array:
    """The quotient, rounded towards zero."""
    check_divisor("TruncateDiv", xp, x, y)
    return (x - xp.fmod(x, y)) // y if are_integers(x, y) else xp.trunc(x / y)


@op("TruncateMod", broadcasts=True)
def TruncateMod(xp: ArrayModule, x: Array, y: Array) -> Array:
    """The remainder of truncated division; it has the sign of the dividend."""
    check_divisor("TruncateMod", xp, x, y)
    return xp.fmod(x, y)


for op_of_division in (FloorDiv, FloorMod, TruncateDiv, TruncateMod):
    op_of_division.fails_if(
        lambda xp, out, x, y: (
            xp.any(xp.asarray(y) == 0) if are_integers(x, y) and out.size else xp.asarray(False)
        )
    )
FloorDiv.no_grad()
TruncateDiv.no_grad()
FloorMod.grads(x=lambda g: g, y=lambda g, x, y: -g * Floor(x / y))


reciprocal = public("math.reciprocal")(
    unary(
        Reciprocal,
        "reciprocal",
        """One divided by every element.

    >>> import cinta as tf
    >>> tf.math.reciprocal([2.0, 4.0]).numpy()
    array([0.5 , 0.25], dtype=float32)
    """,
    )
)
floordiv = public("math.floordiv")(
    binary(
        FloorDiv,
        "floordiv",
        """The quotient, rounded down; the same as ``x // y``.

    >>> import cinta as tf
    >>> tf.math.floordiv([7, -7], 2).numpy()
    array([ 3, -4], dtype=int32)
    """,
        REAL,
    )
)
floormod = public("math.floormod", "math.mod")(
    binary(
        FloorMod,
        "floormod",
        """The remainder of floored division, with the sign of the divisor; the same as ``x % y``.

    >>> import cinta as tf
    >>> tf.math.floormod([7, -7], 3).numpy()
    array([1, 2], dtype=int32)
    """,
        REAL,
    )
)
truncatediv = public("truncatediv")(
    binary(
        TruncateDiv,
        "truncatediv",
        """The quotient, rounded towards zero.

    >>> import cinta as tf
    >>> tf.truncatediv([7, -7], 2).numpy()
    array([ 3, -3], dtype=int32)
    """,
        REAL,
    )
)
truncatemod = public("truncatemod")(
    binary(
        TruncateMod,
        "truncatemod",
        """The remainder of the truncated division, with the sign of the dividend.

    >>> import cinta as tf
    >>> tf.truncatemod([7, -7], 3).numpy()
    array([ 1, -1], dtype=int32)
    """,
        REAL,
    )
)


def floating_match(op: str, x: object, y: NumericLike) -> tuple[Tensor, Tensor]:
    """Dividend and divisor as tensors of one floating dtype; integers are cast to one."""
    left = as_tensor(x, as_tensor(y)._array.dtype if is_tensor(y) and not is_tensor(x) else None)
    right = convert_to_tensor(y, dtype_hint=left.dtype)
    if left.dtype is not right.dtype:
        raise TypeError(
            f"`x` and `y` must have the same dtype, got {left.dtype!r} != {right.dtype!r}. "
            "Use tf.cast on one of them."
        )
    if not left.dtype.is_numeric:
        raise TypeError(f"Invalid dtype {left.dtype!r} in a division, which takes numbers.")
    if left.dtype.is_integer:
        wide = dtypes.float32 if left.dtype.size < 4 else dtypes.float64
        return cast(left, wide), cast(right, wide)
    return left, right


truediv = public("math.truediv", "truediv")(
    binary(
        RealDiv,
        "truediv",
        """The quotient of two tensors; the same as ``x / y``. Integers give floats.

    >>> import cinta as tf
    >>> tf.truediv([1, 2], 4).numpy()
    array([0.25, 0.5 ])
    """,
        FLOATING,
        floating_match,
    )
)
divide = public("divide", "math.divide")(
    binary(
        RealDiv,
        "divide",
        """The quotient of two tensors; the same as ``x / y``. Integers give floats.

    >>> import cinta as tf
    >>> tf.divide([1.0, 2.0], 4.0).numpy()
    array([0.25, 0.5 ], dtype=float32)
    """,
        FLOATING,
        floating_match,
    )
)
realdiv = public("realdiv")(
    binary(
        RealDiv,
        "realdiv",
        """The quotient of floating-point numbers.

    >>> import cinta as tf
    >>> tf.realdiv([1.0, 2.0], 4.0).numpy()
    array([0.25, 0.5 ], dtype=float32)
    """,
        FLOATING,
    )
)


@public("math.divide_no_nan")
def divide_no_nan(x: NumericLike, y: NumericLike, name: str | None = None) -> Tensor:
    """The quotient, and 0 where the divisor is 0.

    >>> import cinta as tf
    >>> tf.math.divide_no_nan([3.0, 3.0], [2.0, 0.0]).numpy()
    array([1.5, 0. ], dtype=float32)

    Args:
        x: What is divided: floating-point or complex numbers.
        y: The divisor, of the same dtype; the shapes are broadcast.
    """
    return matched(DivNoNan, x, y, FLOATING, floating_match)


@public("math.reciprocal_no_nan")
def reciprocal_no_nan(x: NumericLike, name: str | None = None) -> Tensor:
    """One divided by every element, and 0 where the element is 0.

    >>> import cinta as tf
    >>> tf.math.reciprocal_no_nan([2.0, 0.0]).numpy()
    array([0.5, 0. ], dtype=float32)

    Args:
        x: A tensor of floating-point or complex numbers.
    """
    return matched(DivNoNan, 1, as_tensor(x))
