"""Functions of one number: exponentials, logarithms, roots, sigmoids, rounding."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import numpy as np

from ...engine.c_kernels import FLOAT32, accelerate
from ...engine.convert import as_tensor
from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.fast_calls import matched, unary
from ...engine.halves import converted
from ...engine.op import elementwise, op
from ...engine.parallel import in_blocks
from ...engine.primitives import ZerosLike
from ...engine.sparse_tensor import SparseTensor
from ...public import public
from ..choosing import positive
from .arithmetic import negative
from .complex_numbers import ComplexAbs, Phase
from .guarded import MulNoNan
from .slopes import SigmoidGrad, TanhGrad

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor

Exp = elementwise("Exp", "exp")
Expm1 = elementwise("Expm1", "expm1")
Tanh = elementwise("Tanh", "tanh")
Log = elementwise("Log", "log")
Log1p = elementwise("Log1p", "log1p")
Sqrt = elementwise("Sqrt", "sqrt")
Abs = elementwise("Abs", "absolute")
Sign = elementwise("Sign", "sign")
Floor = elementwise("Floor", "floor").no_grad()
Ceil = elementwise("Ceil", "ceil").no_grad()
Rint = elementwise("Rint", "rint").no_grad()
accelerate(Exp, "exp")
accelerate(Tanh, "tanh")
accelerate(Log, "log")
accelerate(Log1p, "log1p")


@op("Rsqrt", elementwise=True)
def Rsqrt(xp: ArrayModule, x: Array) -> Array:
    """One divided by the square root."""
    return 1 / xp.sqrt(x)


@op("Sigmoid", elementwise=True)
def Sigmoid(xp: ArrayModule, x: Array) -> Array:
    """1 / (1 + exp(-x)); where exp overflows the result is 0, as it should be."""
    if x.dtype.char not in "fd":
        return _unusual_sigmoid(xp, x)
    done = in_blocks(_sigmoid, x) if xp is np else None
    return 1 / (1 + xp.exp(-x)) if done is None else done


def _unusual_sigmoid(xp: ArrayModule, x: Array) -> Array:
    if x.dtype.kind != "c":  # half precision would be rounded at each step
        return converted(Sigmoid.kernel(xp, converted(x, FLOAT32)), x.dtype)
    e = xp.exp(xp.where(x.real < 0, x, -x))  # a quotient of complex infinities would be NaN
    result: Array = xp.where(x.real < 0, e, 1)[()] / (1 + e)
    return result


def _sigmoid(x: Array, out: Array) -> None:
    np.negative(x, out)
    e = np.exp(out)  # NumPy's exp is slow in place
    np.add(e, 1, e)
    np.divide(1, e, out)


Sigmoid.writes(_sigmoid)
accelerate(Sigmoid, "sigmoid")


@op("Softplus", elementwise=True)
def Softplus(xp: ArrayModule, features: Array) -> Array:
    """log(1 + exp(x)), which is close to x where exp overflows."""
    return positive(xp, features) + xp.log1p(xp.exp(-xp.abs(features)))


@op("SoftplusGrad", broadcasts=True)
def SoftplusGrad(xp: ArrayModule, gradients: Array, features: Array) -> Array:
    """Gradients times the sigmoid, whose own slope is known to all its digits here."""
    slope = Sigmoid.kernel(xp, features)
    return (gradients * slope).astype(slope.dtype, copy=False)  # bfloat16 gives way to numbers


@op("SigmoidSlope", elementwise=True)
def SigmoidSlope(xp: ArrayModule, x: Array) -> Array:
    """The derivative of the sigmoid, exact where the sigmoid itself is close to 1."""
    if x.dtype.kind == "c":
        y = Sigmoid.kernel(xp, x)
        result: Array = y * (1 - y)
        return result
    e = xp.exp(-xp.abs(x))
    return e / xp.square(1 + e)


accelerate(SigmoidSlope, "sigmoid_slope")
accelerate(Softplus, "softplus")
Exp.grads(x=lambda g, out: g * out)
Expm1.grads(x=lambda g, x: g * Exp(x))
Log.grads(x=lambda g, x: g / x)
Log1p.grads(x=lambda g, x: g / (x + 1))
# roots have infinite slopes at 0, but what does not reach the target counts for nothing
Sqrt.grads(x=lambda g, out: MulNoNan(1 / (out + out), g))
Rsqrt.grads(x=lambda g, out: MulNoNan(out * out * out / -2, g))
Abs.grads(x=lambda g, x: g * Sign(x))
Sign.grads(x=lambda g: ZerosLike(g))
Tanh.grads(x=lambda g, out: TanhGrad(out, g))
Sigmoid.grads(x=lambda g, out: SigmoidGrad(out, g))
Softplus.grads(features=lambda g, features: SoftplusGrad(g, features))
SoftplusGrad.grads(
    gradients=lambda g, features: SoftplusGrad(g, features),
    features=lambda g, gradients, features: g * gradients * SigmoidSlope(features),
)
SigmoidSlope.grads(x=lambda g, x, out: g * (out * -Tanh(x / 2)))


@op("ComplexLog1p", elementwise=True)
def ComplexLog1p(xp: ArrayModule, x: Array) -> Array:
    """log(1 + x) of complex numbers, precise where x is close to 0 and NumPy's is not."""
    a, b = x.real, x.imag
    # where abs(x) < 0.5, the square of abs(1 + x) is above 0.25
    near = xp.log1p(xp.maximum(a * (a + 2) + b * b, -0.75)) / 2 + 1j * xp.arctan2(b, 1 + a)
    return xp.where(xp.abs(x) < 0.5, near, xp.log1p(x)).astype(x.dtype)[()]


ComplexLog1p.grads(x=lambda g, x: g / (x + 1))


@op("NextAfter", broadcasts=True)
def NextAfter(xp: ArrayModule, x1: Array, x2: Array) -> Array:
    """The number next to x1 in the direction of x2."""
    return xp.nextafter(x1, x2)


NextAfter.grads(x1=lambda g: g, x2=lambda g: ZerosLike(g))


exp = public("exp", "math.exp")(
    unary(
        Exp,
        "exp",
        """e to the power of every element.

    >>> import cinta as tf
    >>> tf.exp([0.0, 1.0]).numpy().round(4)
    array([1.    , 2.7183], dtype=float32)
    """,
    )
)
expm1 = public("math.expm1")(
    unary(
        Expm1,
        "expm1",
        """exp(x) - 1, precise where x is close to 0.

    >>> import cinta as tf
    >>> tf.math.expm1([0.0, 1e-9]).numpy()
    array([0.e+00, 1.e-09], dtype=float32)
    """,
    )
)
log = public("math.log")(
    unary(
        Log,
        "log",
        """The natural logarithm.

    >>> import cinta as tf
    >>> tf.math.log([1.0, 10.0]).numpy().round(4)
    array([0.    , 2.3026], dtype=float32)
    """,
    )
)
sqrt = public("math.sqrt", "sqrt")(
    unary(
        Sqrt,
        "sqrt",
        """The square root.

    >>> import cinta as tf
    >>> tf.sqrt([4.0, 9.0]).numpy()
    array([2., 3.], dtype=float32)
    """,
    )
)
rsqrt = public("math.rsqrt")(
    unary(
        Rsqrt,
        "rsqrt",
        """One divided by the square root.

    >>> import cinta as tf
    >>> tf.math.rsqrt([4.0, 16.0]).numpy()
    array([0.5 , 0.25], dtype=float32)
    """,
    )
)
sigmoid = public("math.sigmoid", "nn.sigmoid", "sigmoid")(
    unary(
        Sigmoid,
        "sigmoid",
        """1 / (1 + exp(-x)), which lies between 0 and 1.

    >>> import cinta as tf
    >>> tf.sigmoid([0.0, 2.0]).numpy().round(4)
    array([0.5   , 0.8808], dtype=float32)
    """,
    )
)
floor = public("floor", "math.floor")(
    unary(
        Floor,
        "floor",
        """The next whole number below, or the number itself. It has no gradient.

    >>> import cinta as tf
    >>> tf.floor([1.5, -1.5]).numpy()
    array([ 1., -2.], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
ceil = public("math.ceil")(
    unary(
        Ceil,
        "ceil",
        """The next whole number above, or the number itself. It has no gradient.

    >>> import cinta as tf
    >>> tf.math.ceil([1.5, -1.5]).numpy()
    array([ 2., -1.], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
rint = public("math.rint")(
    unary(
        Rint,
        "rint",
        """The nearest whole number; of two equally near ones, the even one. It has no gradient.

    >>> import cinta as tf
    >>> tf.math.rint([0.5, 1.5, 1.7]).numpy()
    array([0., 2., 2.], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
_real_log1p = unary(Log1p, "log1p", "")
_softplus = unary(Softplus, "softplus", "", REAL_FLOATING)
_real_abs = unary(Abs, "abs", "", REAL_FLOATING + "i")
_real_sign = unary(Sign, "sign", "", REAL_FLOATING + "i")


@public("math.log1p")
def log1p(x: NumericLike, name: str | None = None) -> Tensor:
    """log(1 + x), precise where x is close to 0.

    >>> import cinta as tf
    >>> tf.math.log1p([0.0, 1e-9]).numpy()
    array([0.e+00, 1.e-09], dtype=float32)
    """
    tensor = as_tensor(x)
    return ComplexLog1p(tensor) if tensor._array.dtype.kind == "c" else _real_log1p(tensor)


@overload
def abs(  # type: ignore[overload-overlap]
    x: SparseTensor, name: str | None = None
) -> SparseTensor: ...
@overload
def abs(x: NumericLike, name: str | None = None) -> Tensor: ...
@public("abs", "math.abs")
def abs(x: NumericLike | SparseTensor, name: str | None = None) -> Tensor | SparseTensor:
    """The absolute value; of complex numbers, their distance from 0.

    At 0 the gradient is 0.

    >>> import cinta as tf
    >>> tf.abs([-2.0, 3.0]).numpy()
    array([2., 3.], dtype=float32)

    Args:
        x: A tensor of numbers, or a sparse tensor.
    """
    if isinstance(x, SparseTensor):
        return x.with_values(abs(x.values))
    tensor = as_tensor(x)
    return ComplexAbs(tensor) if tensor._array.dtype.kind == "c" else _real_abs(tensor)


@overload
def sign(  # type: ignore[overload-overlap]
    x: SparseTensor, name: str | None = None
) -> SparseTensor: ...
@overload
def sign(x: NumericLike, name: str | None = None) -> Tensor: ...
@public("math.sign", "sign")
def sign(x: NumericLike | SparseTensor, name: str | None = None) -> Tensor | SparseTensor:
    """-1, 0 or 1 with the sign of x; of complex numbers, x / abs(x). The gradient is 0.

    >>> import cinta as tf
    >>> tf.sign([-2.0, 0.0, 3.0]).numpy()
    array([-1.,  0.,  1.], dtype=float32)
    """
    if isinstance(x, SparseTensor):
        return x.with_values(sign(x.values))
    tensor = as_tensor(x)
    return Phase(tensor) if tensor._array.dtype.kind == "c" else _real_sign(tensor)


@public("math.round", "round")
def round(x: NumericLike, name: str | None = None) -> Tensor:
    """The nearest whole number; of two equally near ones, the even one. It has no gradient.

    >>> import cinta as tf
    >>> tf.round([0.5, 1.5, 1.7]).numpy()
    array([0., 2., 2.], dtype=float32)

    Args:
        x: A tensor of numbers.
    """
    tensor = as_tensor(x)
    return tensor if tensor.dtype.is_integer else rint(tensor)


@public("math.softplus", "nn.softplus")
def softplus(features: NumericLike, name: str | None = None) -> Tensor:
    """log(1 + exp(x)): close to 0 for small x, to x for large ones, and smooth in between.

    >>> import cinta as tf
    >>> tf.math.softplus([-100.0, 0.0, 100.0]).numpy().round(4)
    array([  0.    ,   0.6931, 100.    ], dtype=float32)

    Args:
        features: A tensor of floating-point numbers.
    """
    return _softplus(features)


@public("math.log_sigmoid")
def log_sigmoid(x: NumericLike, name: str | None = None) -> Tensor:
    """The logarithm of the sigmoid, precise where that is close to 0.

    >>> import cinta as tf
    >>> tf.math.log_sigmoid([-100.0, 0.0]).numpy().round(4)
    array([-100.    ,   -0.6931], dtype=float32)

    Args:
        x: A tensor of floating-point numbers.
    """
    return negative(_softplus(negative(x)))


@public("math.nextafter")
def nextafter(x1: NumericLike, x2: NumericLike, name: str | None = None) -> Tensor:
    """The floating-point number next to x1 in the direction of x2.

    >>> import cinta as tf
    >>> tf.math.nextafter(1.0, 2.0).numpy()
    np.float32(1.0000001)
    """
    return matched(NextAfter, x1, x2, REAL_FLOATING)
