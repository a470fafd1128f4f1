"""Trigonometry: circular and hyperbolic functions and their inverses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.fast_calls import matched, unary
from ...engine.op import elementwise, op
from ...public import public
from .unary import Sqrt, Tanh

if TYPE_CHECKING:
    from numpy import dtype

    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor

Sin = elementwise("Sin", "sin")
Cos = elementwise("Cos", "cos")
Tan = elementwise("Tan", "tan")
Asin = elementwise("Asin", "arcsin")
Acos = elementwise("Acos", "arccos")
Atan = elementwise("Atan", "arctan")
Sinh = elementwise("Sinh", "sinh")
Cosh = elementwise("Cosh", "cosh")
Asinh = elementwise("Asinh", "arcsinh")
Acosh = elementwise("Acosh", "arccosh")
Atanh = elementwise("Atanh", "arctanh")


@op("OneLessSquare", elementwise=True)
def OneLessSquare(xp: ArrayModule, x: Array) -> Array:
    """1 - x * x; written like this digits would be lost where x is close to 1."""
    result: Array = (1 - x) * (1 + x)
    return result


@op("Atan2", broadcasts=True)
def Atan2(xp: ArrayModule, y: Array, x: Array) -> Array:
    """The angle of the point (x, y)."""
    return xp.arctan2(y, x)


Hypot = elementwise("Hypot", "hypot")  # the root of x^2 + y^2, which may themselves overflow


def _from_asinh(g: Tensor, x: Tensor, out: Tensor, x_dtype: dtype[Any]) -> Tensor:
    return g / Cosh(out) if x_dtype.kind == "c" else g / Hypot(x, 1)


Hypot.grads(x=lambda g, x, out: g * (x / out), y=lambda g, y, out: g * (y / out))
Sin.grads(x=lambda g, x: g * Cos(x))
Cos.grads(x=lambda g, x: -g * Sin(x))
Tan.grads(x=lambda g, out: g * (1 + out * out))
OneLessSquare.grads(x=lambda g, x: -2 * (g * x))
Asin.grads(x=lambda g, x: g / Sqrt(OneLessSquare(x)))
Acos.grads(x=lambda g, x: -g / Sqrt(OneLessSquare(x)))
Atan.grads(x=lambda g, x: g / (1 + x * x))
Sinh.grads(x=lambda g, x: g * Cosh(x))
Cosh.grads(x=lambda g, x: g * Sinh(x))
Asinh.grads(x=lambda g, x, out, x_dtype: _from_asinh(g, x, out, x_dtype))
Acosh.grads(x=lambda g, x: g / (Sqrt(x - 1) * Sqrt(x + 1)))
Atanh.grads(x=lambda g, x: g / OneLessSquare(x))
Atan2.grads(
    y=lambda g, y, x: g * (x / Hypot(x, y) * (1 / Hypot(x, y))),
    x=lambda g, y, x: g * (-y / Hypot(x, y) * (1 / Hypot(x, y))),
)

sin = public("math.sin", "sin")(
    unary(
        Sin,
        "sin",
        """The sine.

    >>> import cinta as tf
    >>> tf.sin([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.8415], dtype=float32)
    """,
    )
)
cos = public("cos", "math.cos")(
    unary(
        Cos,
        "cos",
        """The cosine.

    >>> import cinta as tf
    >>> tf.cos([0.0, 1.0]).numpy().round(4)
    array([1.    , 0.5403], dtype=float32)
    """,
    )
)
tan = public("math.tan", "tan")(
    unary(
        Tan,
        "tan",
        """The tangent.

    >>> import cinta as tf
    >>> tf.tan([0.0, 1.0]).numpy().round(4)
    array([0.    , 1.5574], dtype=float32)
    """,
    )
)
asin = public("asin", "math.asin")(
    unary(
        Asin,
        "asin",
        """The angle between -pi/2 and pi/2 that has this sine.

    >>> import cinta as tf
    >>> tf.asin([0.0, 1.0]).numpy().round(4)
    array([0.    , 1.5708], dtype=float32)
    """,
    )
)
acos = public("acos", "math.acos")(
    unary(
        Acos,
        "acos",
        """The angle between 0 and pi that has this cosine.

    >>> import cinta as tf
    >>> tf.acos([0.0, 1.0]).numpy().round(4)
    array([1.5708, 0.    ], dtype=float32)
    """,
    )
)
atan = public("atan", "math.atan")(
    unary(
        Atan,
        "atan",
        """The angle between -pi/2 and pi/2 that has this tangent.

    >>> import cinta as tf
    >>> tf.atan([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.7854], dtype=float32)
    """,
    )
)
sinh = public("math.sinh", "sinh")(
    unary(
        Sinh,
        "sinh",
        """The hyperbolic sine.

    >>> import cinta as tf
    >>> tf.sinh([0.0, 1.0]).numpy().round(4)
    array([0.    , 1.1752], dtype=float32)
    """,
    )
)
cosh = public("cosh", "math.cosh")(
    unary(
        Cosh,
        "cosh",
        """The hyperbolic cosine.

    >>> import cinta as tf
    >>> tf.cosh([0.0, 1.0]).numpy().round(4)
    array([1.    , 1.5431], dtype=float32)
    """,
    )
)
tanh = public("math.tanh", "nn.tanh", "tanh")(
    unary(
        Tanh,
        "tanh",
        """The hyperbolic tangent, which lies between -1 and 1.

    >>> import cinta as tf
    >>> tf.tanh([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.7616], dtype=float32)
    """,
    )
)
asinh = public("asinh", "math.asinh")(
    unary(
        Asinh,
        "asinh",
        """The number that has this hyperbolic sine.

    >>> import cinta as tf
    >>> tf.asinh([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.8814], dtype=float32)
    """,
    )
)
acosh = public("acosh", "math.acosh")(
    unary(
        Acosh,
        "acosh",
        """The number, not below 0, that has this hyperbolic cosine.

    >>> import cinta as tf
    >>> tf.acosh([1.0, 2.0]).numpy().round(4)
    array([0.   , 1.317], dtype=float32)
    """,
    )
)
atanh = public("atanh", "math.atanh")(
    unary(
        Atanh,
        "atanh",
        """The number that has this hyperbolic tangent.

    >>> import cinta as tf
    >>> tf.atanh([0.0, 0.5]).numpy().round(4)
    array([0.    , 0.5493], dtype=float32)
    """,
    )
)


@public("atan2", "math.atan2")
def atan2(y: NumericLike, x: NumericLike, name: str | None = None) -> Tensor:
    """The angle between the positive x axis and the point (x, y), from -pi to pi.

    >>> import cinta as tf
    >>> tf.atan2([1.0, -1.0], [-1.0, 1.0]).numpy().round(4)
    array([ 2.3562, -0.7854], dtype=float32)
    """
    return matched(Atan2, y, x, REAL_FLOATING)
