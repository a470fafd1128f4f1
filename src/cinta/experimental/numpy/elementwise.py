"""Functions of every element."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.dtype_kinds import BOOL, REAL
from ...engine.primitives import OnesLike
from ...engine.tensor import Tensor, seen, wrap
from ...ops.arguments import common_shape, flag, whole_number
from ...ops.arrays.creation import zeros_like as _zeros_like
from ...ops.arrays.selecting import where as _where
from ...ops.arrays.tiling import broadcast_to
from ...ops.elementwise import arithmetic, comparison, division, powers, trigonometry
from ...ops.elementwise import complex_numbers as numbers
from ...ops.elementwise import unary as mathematics
from ...ops.elementwise.casting import cast
from ...ops.elementwise.clipping import clip_by_value
from ...public import public
from .function_makers import asks, on_integers, one, two
from .types import asarray, floating, promoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import NumericLike, TensorLike


_MOST_DECIMALS = 300
"""Ten to the power of it is a number yet."""
_LOG_2, _LOG_10 = math.log(2), math.log(10)

# -- of one array --------------------------------------------------------------------------------

sin = public("tnp.sin")(one("sin", trigonometry.sin))
cos = public("tnp.cos")(one("cos", trigonometry.cos))
tan = public("tnp.tan")(one("tan", trigonometry.tan))
arcsin = public("tnp.arcsin")(one("arcsin", trigonometry.asin))
arccos = public("tnp.arccos")(one("arccos", trigonometry.acos))
arctan = public("tnp.arctan")(one("arctan", trigonometry.atan))
sinh = public("tnp.sinh")(one("sinh", trigonometry.sinh))
cosh = public("tnp.cosh")(one("cosh", trigonometry.cosh))
tanh = public("tnp.tanh")(one("tanh", trigonometry.tanh))
arcsinh = public("tnp.arcsinh")(one("arcsinh", trigonometry.asinh))
arccosh = public("tnp.arccosh")(one("arccosh", trigonometry.acosh, example=1.5))
arctanh = public("tnp.arctanh")(one("arctanh", trigonometry.atanh))
exp = public("tnp.exp")(one("exp", mathematics.exp))
exp2 = public("tnp.exp2")(one("exp2", lambda x: powers.pow(2.0 * OnesLike(x), x)))
expm1 = public("tnp.expm1")(one("expm1", mathematics.expm1))
log = public("tnp.log")(one("log", mathematics.log))
log2 = public("tnp.log2")(one("log2", lambda x: mathematics.log(x) / _LOG_2))
log10 = public("tnp.log10")(one("log10", lambda x: mathematics.log(x) / _LOG_10))
log1p = public("tnp.log1p")(one("log1p", mathematics.log1p))
sqrt = public("tnp.sqrt")(one("sqrt", mathematics.sqrt))
floor = public("tnp.floor")(one("floor", mathematics.floor))
ceil = public("tnp.ceil")(one("ceil", mathematics.ceil))
deg2rad = public("tnp.deg2rad")(one("deg2rad", lambda x: x * (math.pi / 180)))
rad2deg = public("tnp.rad2deg")(one("rad2deg", lambda x: x * (180 / math.pi)))
absolute = public("tnp.abs", "tnp.absolute")(one("absolute", mathematics.abs, floats=False))
abs = absolute
fabs = public("tnp.fabs")(one("fabs", mathematics.abs, floats=False))
negative = public("tnp.negative")(one("negative", arithmetic.negative, floats=False))
positive = public("tnp.positive")(one("positive", lambda x: x, floats=False))
square = public("tnp.square")(one("square", arithmetic.square, floats=False))
reciprocal = public("tnp.reciprocal")(one("reciprocal", division.reciprocal, floats=False))
conjugate = public("tnp.conj", "tnp.conjugate")(one("conjugate", numbers.conj, floats=False))
conj = conjugate
logical_not = public("tnp.logical_not")(
    one("logical_not", lambda x: comparison.logical_not(cast(x, "bool")), floats=False)
)
isnan = public("tnp.isnan")(asks("isnan"))
isfinite = public("tnp.isfinite")(asks("isfinite"))
isinf = public("tnp.isinf")(asks("isinf"))
isreal = public("tnp.isreal")(asks("isreal"))
iscomplex = public("tnp.iscomplex")(asks("iscomplex"))
isneginf = public("tnp.isneginf")(asks("isneginf", REAL + BOOL))
isposinf = public("tnp.isposinf")(asks("isposinf", REAL + BOOL))
signbit = public("tnp.signbit")(asks("signbit", REAL + BOOL))


def _cbrt(x: Tensor) -> Tensor:
    return mathematics.sign(x) * powers.pow(mathematics.abs(x), 1 / 3)


def _sinc(x: Tensor) -> Tensor:
    """By a series near zero, where the quotient has no derivatives."""
    near = mathematics.abs(x) < 0.01
    angle = math.pi * x
    squared = arithmetic.square(_where(near, angle, 0 * angle))
    series = 1 - squared / 6 * (1 - squared / 20 * (1 - squared / 42))
    safe = _where(near, OnesLike(angle), angle)
    return _where(near, series, trigonometry.sin(safe) / safe)


cbrt = public("tnp.cbrt")(one("cbrt", _cbrt))
sinc = public("tnp.sinc")(one("sinc", _sinc))
fix = public("tnp.fix")(
    one("fix", lambda x: _where(x < 0, mathematics.ceil(x), mathematics.floor(x)))
)


@public("tnp.bitwise_not")
def bitwise_not(x: NumericLike) -> Tensor:
    """Every bit of integers flipped; ``not`` of bools.

    >>> import cinta as tf
    >>> tf.experimental.numpy.bitwise_not([0, 5]).numpy()
    array([-1, -6])

    Args:
        x: An array, a tensor, or what becomes one.
    """
    tensor = asarray(x)
    return (comparison.logical_not if tensor.dtype.is_bool else comparison.invert)(tensor)


@public("tnp.sign")
def sign(x: NumericLike, out: object = None, where: object = None, **kwargs: object) -> Tensor:
    """-1, 0 or 1 as an element is negative, zero or positive; of complex ones, their direction.

    >>> import cinta as tf
    >>> tf.experimental.numpy.sign([-2.0, 0.0]).numpy()
    array([-1.,  0.])

    Args:
        x: An array, a tensor, or what becomes one.
        out: None.
        where: None.
        kwargs: None of NumPy's.
    """
    _only_defaults("sign", out=out, where=where, **kwargs)
    return mathematics.sign(asarray(x))


@public("tnp.real")
def real(val: NumericLike) -> Tensor:
    """The real parts.

    >>> import cinta as tf
    >>> tf.experimental.numpy.real([1 + 2j]).numpy()
    array([1.])

    Args:
        val: An array, a tensor, or what becomes one.
    """
    return numbers.real(asarray(val))


@public("tnp.imag")
def imag(val: NumericLike) -> Tensor:
    """The imaginary parts; zeros of real numbers.

    >>> import cinta as tf
    >>> tf.experimental.numpy.imag([1 + 2j]).numpy()
    array([2.])

    Args:
        val: An array, a tensor, or what becomes one.
    """
    tensor = asarray(val)
    return numbers.imag(tensor) if tensor.dtype.is_complex else _zeros_like(tensor)


@public("tnp.angle")
def angle(z: NumericLike, deg: bool = False) -> Tensor:
    """The angle of complex numbers, in radians or degrees.

    >>> import cinta as tf
    >>> tf.experimental.numpy.angle([1j, -1], deg=True).numpy()
    array([ 90., 180.])

    Args:
        z: An array, a tensor, or what becomes one.
        deg: Whether to give degrees.
    """
    found = numbers.angle(floating(asarray(z)))
    return rad2deg(found) if flag(deg, "deg") else found


@public("tnp.around")
def around(a: NumericLike, decimals: int = 0) -> Tensor:
    """Rounded to so many decimals, halves to even; negative ones round to tens and hundreds.

    >>> import cinta as tf
    >>> tf.experimental.numpy.around([2.567, 12.5], 1).numpy()
    array([ 2.6, 12.5])

    Args:
        a: An array, a tensor, or what becomes one.
        decimals: How many.

    Raises:
        ValueError: If they are more than 300.
    """
    tensor, digits = asarray(a), whole_number(decimals, "decimals")
    if not -_MOST_DECIMALS <= digits <= _MOST_DECIMALS:
        raise ValueError(f"`decimals` must be at most {_MOST_DECIMALS}, got {digits}.")
    if tensor.dtype.is_bool:
        return tensor
    if tensor.dtype.is_integer:
        return wrap(np.asarray(np.around(seen(tensor), digits))[()])
    if not digits:
        return mathematics.round(tensor)
    scale = 10.0 ** (digits if digits > 0 else -digits)
    if digits < 0:
        return mathematics.round(tensor / scale) * scale
    return mathematics.round(tensor * scale) / scale


@public("tnp.round")
def round(a: NumericLike, decimals: int = 0) -> Tensor:
    """The same as ``around``.

    >>> import cinta as tf
    >>> tf.experimental.numpy.round(2.567, 2).numpy()
    np.float64(2.57)

    Args:
        a: An array, a tensor, or what becomes one.
        decimals: How many digits stay behind the point; negative ones count before it.
    """
    return around(a, decimals)


@public("tnp.clip")
def clip(a: NumericLike, a_min: NumericLike | None, a_max: NumericLike | None) -> Tensor:
    """Elements below ``a_min`` raised to it, those above ``a_max`` lowered; None means no bound.

    >>> import cinta as tf
    >>> tf.experimental.numpy.clip([1, 5], None, 3).numpy()
    array([1, 3])

    Args:
        a: An array, a tensor, or what becomes one.
        a_min: The lower bound.
        a_max: The upper bound.

    Raises:
        ValueError: If there is no bound.
    """
    if a_min is None:
        if a_max is None:
            raise ValueError("Not more than one of `a_min` and `a_max` may be `None`.")
        return minimum(a, a_max)
    if a_max is None:
        return maximum(a, a_min)
    x, low, high = promoted(a, a_min, a_max)
    shape = common_shape("clip", x._array.shape, low._array.shape, high._array.shape)
    clipped: Tensor = clip_by_value(broadcast_to(x, shape), low, high)
    return clipped


# -- of two arrays -------------------------------------------------------------------------------


def _bools(logical: Callable[..., Any], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """One function for bools, and another for numbers."""
    return lambda x, y: (logical if x.dtype.is_bool else otherwise)(x, y)


def _truths(*values: TensorLike) -> list[Tensor]:
    """The values as bools: numbers that are not zero are true."""
    return [cast(asarray(x), "bool") for x in values]


def _numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of numbers, for which bools are numbers too."""

    def call(x: Tensor, y: Tensor) -> Tensor:
        if x.dtype.is_bool:
            x, y = floating(x), floating(y)
        found: Tensor = function(x, y)
        return found

    return call


def _bytes(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A function of numbers, for which bools are bytes, as in NumPy."""
    return lambda x, y: function(*[cast(z, "int8") if z.dtype.is_bool else z for z in (x, y)])


def _log_of_sum(x: Tensor, y: Tensor) -> Tensor:
    largest, distance = arithmetic.maximum(x, y), x - y
    smaller = mathematics.log1p(mathematics.exp(-mathematics.abs(distance)))
    return _where(comparison.is_nan(distance), x + y, largest + smaller)


def _heaviside(x: Tensor, y: Tensor) -> Tensor:
    steps = cast(x > 0, x.dtype)
    return _where(comparison.equal(x, 0 * x), y, _where(comparison.is_nan(x), x, steps))


def _hypot(x: Tensor, y: Tensor) -> Tensor:
    return mathematics.sqrt(arithmetic.square(x) + arithmetic.square(y))


add = public("tnp.add")(two("add", _bools(comparison.logical_or, arithmetic.add)))
subtract = public("tnp.subtract")(two("subtract", arithmetic.subtract))
multiply = public("tnp.multiply")(
    two("multiply", _bools(comparison.logical_and, arithmetic.multiply))
)
divide = public("tnp.divide")(two("divide", _numbers(division.truediv)))
true_divide = public("tnp.true_divide")(two("true_divide", _numbers(division.truediv)))
floor_divide = public("tnp.floor_divide")(two("floor_divide", _bytes(division.floordiv)))
mod = public("tnp.mod")(two("mod", _bytes(division.floormod)))
remainder = public("tnp.remainder")(two("remainder", _bytes(division.floormod)))
power = public("tnp.power")(two("power", powers.pow))
float_power = public("tnp.float_power")(two("float_power", powers.pow))
maximum = public("tnp.maximum")(two("maximum", _bools(comparison.logical_or, arithmetic.maximum)))
minimum = public("tnp.minimum")(two("minimum", _bools(comparison.logical_and, arithmetic.minimum)))
arctan2 = public("tnp.arctan2")(two("arctan2", trigonometry.atan2, floats=True))
hypot = public("tnp.hypot")(two("hypot", _hypot, floats=True, together=promoted))
logaddexp = public("tnp.logaddexp")(two("logaddexp", _log_of_sum, floats=True))
logaddexp2 = public("tnp.logaddexp2")(
    two("logaddexp2", lambda x, y: _log_of_sum(x * _LOG_2, y * _LOG_2) / _LOG_2, floats=True)
)
heaviside = public("tnp.heaviside")(two("heaviside", _heaviside, floats=True))
nextafter = public("tnp.nextafter")(two("nextafter", mathematics.nextafter, floats=True))
gcd = public("tnp.gcd")(on_integers("gcd"))
lcm = public("tnp.lcm")(on_integers("lcm"))
bitwise_and = public("tnp.bitwise_and")(
    two("bitwise_and", _bools(comparison.logical_and, comparison.bitwise_and))
)
bitwise_or = public("tnp.bitwise_or")(
    two("bitwise_or", _bools(comparison.logical_or, comparison.bitwise_or))
)
bitwise_xor = public("tnp.bitwise_xor")(
    two("bitwise_xor", _bools(comparison.logical_xor, comparison.bitwise_xor))
)
logical_and = public("tnp.logical_and")(
    two("logical_and", comparison.logical_and, together=_truths)
)
logical_or = public("tnp.logical_or")(two("logical_or", comparison.logical_or, together=_truths))
logical_xor = public("tnp.logical_xor")(
    two("logical_xor", comparison.logical_xor, together=_truths)
)
equal = public("tnp.equal")(two("equal", comparison.equal, together=promoted))
not_equal = public("tnp.not_equal")(two("not_equal", comparison.not_equal, together=promoted))
greater = public("tnp.greater")(two("greater", _numbers(comparison.greater), together=promoted))
greater_equal = public("tnp.greater_equal")(
    two("greater_equal", _numbers(comparison.greater_equal), together=promoted)
)
less = public("tnp.less")(two("less", _numbers(comparison.less), together=promoted))
less_equal = public("tnp.less_equal")(
    two("less_equal", _numbers(comparison.less_equal), together=promoted)
)


@public("tnp.divmod")
def divmod(x1: NumericLike, x2: NumericLike) -> tuple[Tensor, Tensor]:
    """The quotient, rounded down, and what remains.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.experimental.numpy.divmod([7, -7], 3)]
    [[2, -3], [1, 2]]

    Args:
        x1: An array, a tensor, or what becomes one.
        x2: Another; the shapes are broadcast.
    """
    return floor_divide(x1, x2), mod(x1, x2)


def _only_defaults(name: str, **given: object) -> None:
    """Refuse arguments that NumPy takes and that a tensor can do nothing with."""
    refused = [key for key, value in given.items() if value is not None]
    if refused:
        raise ValueError(f"{name} does not support the argument {refused[0]!r} of NumPy's.")
