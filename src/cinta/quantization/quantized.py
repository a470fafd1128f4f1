"""Floats as whole numbers of few bits, of dtypes such as qint8, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor
from ..engine.op import op
from ..engine.shapes import written
from ..engine.tensor import Tensor
from ..errors import InvalidArgumentError
from ..ops.arguments import axis_from_right, flag, number, text
from ..public import public

if TYPE_CHECKING:
    from ..engine.annotations import ArrayModule, DTypeLike, NumericLike
    from ..engine.tensor import Array

MODES = ("MIN_COMBINED", "MIN_FIRST", "SCALED")
ROUND_MODES = ("HALF_AWAY_FROM_ZERO", "HALF_TO_EVEN")
FLOAT32 = np.dtype(np.float32)
_ALL = (dtypes.qint8, dtypes.quint8, dtypes.qint32, dtypes.qint16, dtypes.quint16)
_LARGEST = np.float32(np.finfo(np.float32).max)


class QuantizeV2(NamedTuple):
    """Whole numbers of few bits, and the floats that the lowest and the highest stand for."""

    output: Tensor
    output_min: Tensor
    output_max: Tensor


@public("quantization.quantize")
def quantize(
    input: NumericLike,
    min_range: NumericLike,
    max_range: NumericLike,
    T: DTypeLike,
    mode: str = "MIN_COMBINED",
    round_mode: str = "HALF_AWAY_FROM_ZERO",
    name: str | None = None,
    narrow_range: bool = False,
    axis: int | None = None,
    ensure_minimum_range: float = 0.01,
) -> QuantizeV2:
    """Floats as whole numbers of few bits, counted from one bound of a range to the other.

    There is no gradient: ``tf.quantization.quantize_and_dequantize`` has one.

    >>> import cinta as tf
    >>> found = tf.quantization.quantize([-1.0, 0.0, 0.5, 2.0], -1.0, 1.0, tf.qint8, mode="SCALED")
    >>> found.output
    <tf.Tensor: shape=(4,), dtype=qint8, numpy=array([-127,    0,   64,  127], dtype=int8)>
    >>> tf.quantization.dequantize(*found, mode="SCALED").numpy().round(2).tolist()
    [-1.0, 0.0, 0.5, 1.0]

    Args:
        input: A tensor of float32.
        min_range: The lower bound; with ``axis`` one for each place along it. It is lowered to 0
            if it is above.
        max_range: The upper bound, which is raised to 0, and so that it is far enough from the
            lower one.
        T: The dtype of the result: ``tf.qint8``, ``quint8``, ``qint16``, ``quint16`` or
            ``qint32``.
        mode: "MIN_COMBINED" counts from the lower bound and rounds the sum, "MIN_FIRST" rounds
            the number and the lower bound apart, and "SCALED" counts from 0.
        round_mode: Where halves go: "HALF_AWAY_FROM_ZERO", or with "SCALED" "HALF_TO_EVEN" as well.
        narrow_range: Whether "SCALED" leaves out the lowest number.
        axis: An axis with bounds for each place along it; None for one range.
        ensure_minimum_range: How far the bounds are apart at least, times the larger of them and 1.

    Returns:
        A named tuple of ``output``, ``output_min`` and ``output_max``, which ``dequantize`` takes.

    Raises:
        InvalidArgumentError: If the dtype, the mode or the bounds are other ones.
    """
    wanted, ways = _quantized_dtype(T, "QuantizeV2"), _modes(mode, round_mode)
    found = Quantize(
        _floats(input, "input"),
        _floats(min_range, "min_range"),
        _floats(max_range, "max_range"),
        T=wanted.dtype,
        mode=ways[0],
        round_mode=ways[1],
        narrow_range=flag(narrow_range, "narrow_range"),
        axis=_axis(input, axis),
        ensure_minimum_range=float(number(ensure_minimum_range, "ensure_minimum_range")),
    )
    return QuantizeV2(*found)


@public("quantization.dequantize")
def dequantize(
    input: Tensor,
    min_range: NumericLike,
    max_range: NumericLike,
    mode: str = "MIN_COMBINED",
    name: str | None = None,
    axis: int | None = None,
    narrow_range: bool = False,
    dtype: DTypeLike = dtypes.float32,
) -> Tensor:
    """The floats that whole numbers of few bits stand for.

    >>> import cinta as tf
    >>> few = tf.constant([-128, 0, 127], tf.qint8)
    >>> tf.quantization.dequantize(few, 0.0, 2.55).numpy().round(2).tolist()
    [0.0, 1.28, 2.55]

    Args:
        input: A tensor of ``tf.qint8``, ``quint8``, ``qint16``, ``quint16`` or ``qint32``.
        min_range: The float that the lowest number stands for; with ``axis`` one for each place.
        max_range: The float that the highest number stands for.
        mode: That of ``quantize``.
        axis: An axis with bounds for each place along it; None for one range.
        narrow_range: Whether "SCALED" leaves out the lowest number.
        dtype: ``tf.float32``, or with "MIN_COMBINED" ``tf.bfloat16`` as well.

    Raises:
        InvalidArgumentError: If the dtypes, the mode or the bounds are other ones.
    """
    q, (way, _), wanted = as_tensor(input), _modes(mode, ROUND_MODES[0]), dtypes.as_dtype(dtype)
    _quantized_dtype(q.dtype, "Dequantize")
    if wanted not in (dtypes.float32, dtypes.bfloat16):
        raise InvalidArgumentError(
            f"dtype must be tf.float32 or tf.bfloat16, got {wanted!r} [Op:Dequantize]"
        )
    if wanted == dtypes.bfloat16 and way != "MIN_COMBINED":
        raise InvalidArgumentError(
            "When output type is bfloat16, Mode string must be 'MIN_COMBINED', "
            f"is {way!r} [Op:Dequantize]"
        )
    return Dequantize(
        q,
        _floats(min_range, "min_range"),
        _floats(max_range, "max_range"),
        mode=way,
        narrow_range=flag(narrow_range, "narrow_range"),
        axis=_axis(q, axis),
        dtype=wanted.dtype,
    )


# -- arguments -------------------------------------------------------------------------------------


def _quantized_dtype(given: DTypeLike, op: str) -> dtypes.DType:
    found = dtypes.as_dtype(given)
    if found not in _ALL:
        raise InvalidArgumentError(
            f"Value for attr 'T' of {found.name} is not in the list of allowed values: "
            f"{', '.join(each.name for each in _ALL)} [Op:{op}]"
        )
    return found


def _modes(mode: str, round_mode: str) -> tuple[str, str]:
    for given, name, allowed in ((mode, "mode", MODES), (round_mode, "round_mode", ROUND_MODES)):
        if text(given, name) not in allowed:
            raise InvalidArgumentError(
                f"Value for attr '{name}' of {given!r} is not in the list of allowed values: "
                f"{', '.join(allowed)}"
            )
    if round_mode == "HALF_TO_EVEN" and mode != "SCALED":
        raise InvalidArgumentError(
            f"Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED', but mode is {mode!r}."
        )
    return mode, round_mode


def _floats(value: NumericLike, argument: str) -> Tensor:
    found = as_tensor(value, None if isinstance(value, Tensor) else FLOAT32)
    if found.dtype is not dtypes.float32:
        raise InvalidArgumentError(
            f"`{argument}` must be of dtype float32, got {found.dtype.name}: use tf.cast."
        )
    return found


def _axis(input: NumericLike, axis: int | None) -> int:
    """The axis counted from the left; -1 if there is none."""
    if axis is None:
        return -1
    rank = as_tensor(input).ndim
    return axis_from_right("Quantize", axis, rank) + rank


# -- ops -------------------------------------------------------------------------------------------


def _is_quantized(dtype: np.dtype[Any]) -> bool:
    return any(dtype == each.dtype for each in _ALL)


Quantity = Annotated[np.dtype[Any], _is_quantized]


@op("QuantizeV2")
def Quantize(
    xp: ArrayModule,
    input: Array,
    min_range: Array,
    max_range: Array,
    *,
    T: Quantity,
    mode: Annotated[str, MODES.__contains__],
    round_mode: Annotated[str, ROUND_MODES.__contains__],
    narrow_range: bool,
    axis: int,
    ensure_minimum_range: float,
) -> tuple[Array, Array, Array]:
    """Whole numbers of few bits, and the bounds that they are counted between."""
    low, high = (_bound("QuantizeV2", each, input, axis) for each in (min_range, max_range))
    if np.any(high < low):
        raise InvalidArgumentError(
            "input_max_range must be larger than input_min_range. [Op:QuantizeV2]"
        )
    apart = np.float32(ensure_minimum_range) * np.maximum(1, np.maximum(abs(low), abs(high)))
    low = np.minimum(np.float32(0), low)
    high = np.maximum(np.float32(0), np.maximum(high, low + apart.astype(np.float32)))
    ends = _ends(T, narrow_range and mode == "SCALED")
    if mode == "SCALED":
        scale = _scale(ends, low, high)
        low, high = ends[0] / scale, ends[1] / scale
        steps = np.clip(input, low, high) * scale
        whole = np.rint(steps) if round_mode == "HALF_TO_EVEN" else _nearest(steps)
    else:
        width = high - low
        scale = np.divide(ends[1] - ends[0], width, out=np.zeros_like(width), where=width > 0)
        if mode == "MIN_FIRST":
            whole = _nearest(input * scale) - (_nearest(low * scale) - ends[0])
        else:
            half = np.float32((float(ends[1]) - float(ends[0]) + 1) / 2 if ends[0] else 0)
            whole = _nearest((np.clip(input, low, high) - low) * scale - half)
    return _kept(whole, T), _flat(low), _flat(high)


@op("Dequantize")
def Dequantize(
    xp: ArrayModule,
    input: Array,
    min_range: Array,
    max_range: Array,
    *,
    mode: Annotated[str, MODES.__contains__],
    narrow_range: bool,
    axis: int,
    dtype: np.dtype[Any],
) -> Array:
    """The floats that whole numbers of few bits stand for."""
    low, high = (_bound("Dequantize", each, input, axis) for each in (min_range, max_range))
    numbers = plain(input).astype(np.float32)
    least, most = _ends(input.dtype, narrow_range and mode == "SCALED")
    if mode == "SCALED":
        scale = np.maximum(low / least, high / most) if least else high / most
        return (numbers * scale)[()]
    scale = (high - low) / (most - least)
    if mode == "MIN_COMBINED":
        half = np.float32((float(most) - float(least) + 1) / 2 if least else 0)
        return ((numbers + half) * scale + low).astype(dtype)[()]
    whole = np.divide(low, scale, out=np.zeros_like(scale), where=scale != 0)
    first = np.where(scale != 0, _nearest(whole) * scale, low).astype(np.float32)
    found: Array = numbers * scale + (first - least * scale)
    return found.astype(np.float32)[()]


def plain(array: Array) -> Array:
    """The whole numbers themselves, of a dtype that NumPy computes with."""
    found: Array = array[array.dtype.names[0]] if array.dtype.names else array
    return found


def _ends(dtype: np.dtype[Any], narrow: bool) -> tuple[np.float32, np.float32]:
    """The lowest and the highest number of a dtype, as floats."""
    limits = np.iinfo(dtype[0])
    return np.float32(limits.min + narrow), np.float32(limits.max)


def _scale(ends: tuple[np.float32, np.float32], low: Array, high: Array) -> Array:
    """How many steps make up 1, so that both bounds are within the numbers."""
    found = [
        np.divide(end, bound, out=np.full_like(bound, _LARGEST), where=end * bound > 0)
        for end, bound in zip(ends, (low, high), strict=True)
    ]
    return np.minimum(*found)


def _nearest(x: Array) -> Array:
    """The nearest whole numbers; halves go away from zero. 64 bits hold the sum exactly."""
    wide = np.asarray(x, np.float64)
    found: Array = np.copysign(np.floor(np.abs(wide) + 0.5), wide)
    return found.astype(np.float32)


def _kept(whole: Array, dtype: np.dtype[Any]) -> Array:
    """Whole floats as numbers of the dtype; those beyond its ends become the nearest end."""
    limits = np.iinfo(dtype[0])
    within = np.clip(np.nan_to_num(np.asarray(whole, np.float64)), limits.min, limits.max)
    numbers: Array = np.asarray(within.astype(dtype[0]))
    return numbers.view(dtype)[()]


def _bound(name: str, bound: Array, x: Array, axis: int) -> Array:
    """One bound for all, or one for each place along an axis, as it is broadcast."""
    if axis < 0:
        if np.size(bound) != 1:
            raise InvalidArgumentError(
                "If axis is not specified, a bound must be one number, but there are "
                f"{np.size(bound)} [Op:{name}]"
            )
        return np.reshape(bound, ())
    if np.shape(bound) != (x.shape[axis],):
        raise InvalidArgumentError(
            f"a bound must be a vector of {x.shape[axis]} numbers, one for each place along axis "
            f"{axis} of the input, got shape {written(np.shape(bound))} [Op:{name}]"
        )
    return np.reshape(bound, [-1 if i == axis else 1 for i in range(x.ndim)])


def _flat(bound: Array) -> Array:
    found: Array = np.asarray(bound, np.float32)
    return found.reshape(-1) if found.ndim else found[()]
