"""Ops on each element: arithmetic, functions, comparisons, bits, casts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cinta as tf

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.tensor import Tensor

_m, _special, _bits = tf.math, tf.math.special, tf.bitwise


def _comparing(compare: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A comparison that, if it is told to, finds shapes that do not fit unequal."""

    def compared(x: Tensor, y: Tensor, incompatible_shape_error: bool) -> Tensor:
        try:
            return compare(x, y)
        except tf.errors.InvalidArgumentError:
            if incompatible_shape_error:
                raise
            return tf.constant(compare is tf.not_equal)

    return compared


def _population_count(x: Tensor) -> Tensor:
    steps = tf.range(8 * x.dtype.size)
    bits = _bits.right_shift(x[..., None], tf.cast(steps, x.dtype))
    return tf.reduce_sum(tf.cast(_bits.bitwise_and(bits, tf.cast(1, x.dtype)), "uint8"), axis=-1)


_MANTISSAS = {"bfloat16": 7, "float16": 10, "float32": 23, "float64": 52}


def _cast(x: Tensor, dtype: tf.DType, truncate: bool) -> Tensor:
    """Cast; ``truncate`` drops what a narrower float has no room for, instead of rounding."""
    lost = _MANTISSAS.get(x.dtype.name, 0) - _MANTISSAS.get(dtype.name, 52)
    if truncate and lost > 0:
        x = tf.grad_pass_through(lambda full: _shortened(full, lost))(x)
    return tf.cast(x, dtype)


def _shortened(x: Tensor, lost: int) -> Tensor:
    """Floats with so many of their last bits set to 0."""
    width = tf.as_dtype(f"uint{8 * x.dtype.size}")
    kept = tf.constant((2 ** (8 * width.size) - 1) >> lost << lost, width)
    return tf.bitcast(_bits.bitwise_and(tf.bitcast(x, width), kept), x.dtype)


def _of_parts(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A function of complex numbers whose result is of the dtype that is asked for."""
    return lambda x, dtype: tf.cast(function(x), dtype)


def _clipped(t: Tensor, low: Tensor, high: Tensor) -> Tensor:
    return tf.clip_by_value(t, low, high)


def _nearly_equal(x: Tensor, y: Tensor, tolerance: float) -> Tensor:
    if x.shape != y.shape:
        raise tf.errors.InvalidArgumentError(
            f"x and y must be of the same shape. x shape: {x.shape}. y shape: {y.shape} "
            "[Op:ApproximateEqual]"
        )
    return tf.abs(x - y) < tf.cast(tolerance, x.dtype)


def _divided(x: Tensor, y: Tensor) -> Tensor:
    return tf.truncatediv(x, y) if x.dtype.is_integer else tf.realdiv(x, y)


OPS: dict[str, Callable[..., Any]] = {
    "Abs": tf.abs,
    "AccumulateNV2": _m.accumulate_n,
    "Acos": tf.acos,
    "Acosh": tf.acosh,
    "Add": tf.add,
    "AddN": tf.add_n,
    "AddV2": tf.add,
    "Angle": _of_parts(_m.angle),
    "ApproximateEqual": _nearly_equal,
    "Asin": tf.asin,
    "Asinh": tf.asinh,
    "Atan": tf.atan,
    "Atan2": tf.atan2,
    "Atanh": tf.atanh,
    "BesselI0": _special.bessel_i0,
    "BesselI0e": _special.bessel_i0e,
    "BesselI1": _special.bessel_i1,
    "BesselI1e": _special.bessel_i1e,
    "BesselJ0": _special.bessel_j0,
    "BesselJ1": _special.bessel_j1,
    "BesselK0": _special.bessel_k0,
    "BesselK0e": _special.bessel_k0e,
    "BesselK1": _special.bessel_k1,
    "BesselK1e": _special.bessel_k1e,
    "BesselY0": _special.bessel_y0,
    "BesselY1": _special.bessel_y1,
    "Betainc": _m.betainc,
    "Bitcast": tf.bitcast,
    "BitwiseAnd": _bits.bitwise_and,
    "BitwiseOr": _bits.bitwise_or,
    "BitwiseXor": _bits.bitwise_xor,
    "Cast": _cast,
    "Ceil": _m.ceil,
    "ClipByValue": _clipped,
    "Complex": lambda real, imag, dtype: tf.cast(tf.complex(real, imag), dtype),
    "ComplexAbs": _of_parts(tf.abs),
    "Conj": _m.conj,
    "Cos": tf.cos,
    "Cosh": tf.cosh,
    "Dawsn": _special.dawsn,
    "Digamma": _m.digamma,
    "Div": _divided,
    "DivNoNan": _m.divide_no_nan,
    "Equal": _comparing(tf.equal),
    "Erf": _m.erf,
    "Erfc": _m.erfc,
    "Erfinv": _m.erfinv,
    "Exp": tf.exp,
    "Expint": _special.expint,
    "Expm1": _m.expm1,
    "Floor": tf.floor,
    "FloorDiv": _m.floordiv,
    "FloorMod": _m.floormod,
    "FresnelCos": _special.fresnel_cos,
    "FresnelSin": _special.fresnel_sin,
    "Greater": tf.greater,
    "GreaterEqual": tf.greater_equal,
    "Igamma": _m.igamma,
    "Igammac": _m.igammac,
    "Imag": _of_parts(_m.imag),
    "Inv": _m.reciprocal,
    "Invert": _bits.invert,
    "IsFinite": _m.is_finite,
    "IsInf": _m.is_inf,
    "IsNan": _m.is_nan,
    "LeftShift": _bits.left_shift,
    "Less": tf.less,
    "LessEqual": tf.less_equal,
    "Lgamma": _m.lgamma,
    "Log": _m.log,
    "Log1p": _m.log1p,
    "LogicalAnd": tf.logical_and,
    "LogicalNot": tf.logical_not,
    "LogicalOr": tf.logical_or,
    "Maximum": tf.maximum,
    "Minimum": tf.minimum,
    "Mod": tf.truncatemod,
    "Mul": tf.multiply,
    "MulNoNan": _m.multiply_no_nan,
    "Ndtri": _m.ndtri,
    "Neg": tf.negative,
    "NextAfter": _m.nextafter,
    "NotEqual": _comparing(tf.not_equal),
    "OnesLike": tf.ones_like,
    "Polygamma": _m.polygamma,
    "PopulationCount": _population_count,
    "Pow": tf.pow,
    "Real": _of_parts(_m.real),
    "RealDiv": tf.realdiv,
    "Reciprocal": _m.reciprocal,
    "RightShift": _bits.right_shift,
    "Rint": _m.rint,
    "Round": tf.round,
    "Rsqrt": _m.rsqrt,
    "Sigmoid": tf.sigmoid,
    "Sign": tf.sign,
    "Sin": tf.sin,
    "Sinh": tf.sinh,
    "Spence": _special.spence,
    "Sqrt": tf.sqrt,
    "Square": tf.square,
    "SquaredDifference": _m.squared_difference,
    "Sub": tf.subtract,
    "Tan": tf.tan,
    "Tanh": tf.tanh,
    "TruncateDiv": tf.truncatediv,
    "TruncateMod": tf.truncatemod,
    "Xdivy": _m.xdivy,
    "Xlog1py": _m.xlog1py,
    "Xlogy": _m.xlogy,
    "ZerosLike": tf.zeros_like,
    "Zeta": _m.zeta,
}
