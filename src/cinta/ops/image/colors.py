"""Colors: red, green and blue as other numbers, and back."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.op import op
from ...engine.primitives import ConcatV2
from ...engine.tensor import wrap
from ...errors import FailedPreconditionError, InvalidArgumentError
from ...public import public
from ..arguments import tensor_of
from ..arrays.joining import stack, unstack
from ..arrays.selecting import where
from ..arrays.tiling import broadcast_to
from ..elementwise.arithmetic import maximum
from ..elementwise.casting import cast
from ..elementwise.comparison import (
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    not_equal,
)
from ..elementwise.division import divide_no_nan
from ..linalg.matmul import tensordot
from ..reductions.reduction import Sum, reduce_any
from .dtype_conversion import convert_image_dtype

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, DTypeLike, NumericLike
    from ...engine.tensor import Array, Tensor

# The matrices between red, green, blue and the three other components, in both directions.
_GRAY = ((0.2989,), (0.587,), (0.114,))
_RGB_TO_YIQ = (
    (0.299, 0.59590059, 0.2115),
    (0.587, -0.27455667, -0.52273617),
    (0.114, -0.32134392, 0.31119955),
)
_YIQ_TO_RGB = (
    (1.0, 1.0, 1.0),
    (0.95598634, -0.27201283, -1.10674021),
    (0.6208248, -0.64720424, 1.70423049),
)
_RGB_TO_YUV = (
    (0.299, -0.14714119, 0.61497538),
    (0.587, -0.28886916, -0.51496512),
    (0.114, 0.43601035, -0.10001026),
)
_YUV_TO_RGB = (
    (1.0, 1.0, 1.0),
    (0.0, -0.394642334, 2.03206185),
    (1.13988303, -0.58062185, 0.0),
)


_NOT_THREE = (
    "input must have 3 channels but instead has shape {}: the last axis holds red, green and blue, "
    "or what stands for them [Op:{}]"
)


@cache
def _matrix(rows: tuple[tuple[float, ...], ...], dtype: DTypeLike) -> Tensor:
    return wrap(np.array(rows).astype(dtype))


def _mixed(op: str, images: NumericLike, rows: tuple[tuple[float, ...], ...]) -> Tensor:
    x = tensor_of(op, images, REAL_FLOATING)
    if not _has_three(x):
        raise InvalidArgumentError(_NOT_THREE.format(x.shape, op))
    return tensordot(x, _matrix(rows, x._array.dtype), 1)


def _has_three(x: Tensor) -> bool:
    return bool(x.ndim) and x._array.shape[-1] == 3


# -- weighted sums -----------------------------------------------------------------------------


@public("image.rgb_to_grayscale")
def rgb_to_grayscale(images: NumericLike, name: str | None = None) -> Tensor:
    """How bright a color is, as one channel.

    >>> import cinta as tf
    >>> tf.image.rgb_to_grayscale([[[1.0, 1.0, 0.0]]]).numpy().round(4)
    array([[[0.8859]]], dtype=float32)

    Args:
        images: Images whose last axis holds the three numbers of a color.
    """
    given = as_tensor(images)
    floats = convert_image_dtype(given, dtypes.float32)
    return convert_image_dtype(_mixed("RGBToGrayscale", floats, _GRAY), given.dtype)


@public("image.grayscale_to_rgb")
def grayscale_to_rgb(images: NumericLike, name: str | None = None) -> Tensor:
    """The one channel as red, green and blue alike.

    >>> import cinta as tf
    >>> tf.image.grayscale_to_rgb([[[0.5]]]).numpy()
    array([[[0.5, 0.5, 0.5]]], dtype=float32)

    Args:
        images: Images whose last axis has length 1.

    Raises:
        ValueError: If it has another length.
    """
    x = as_tensor(images)
    if x.ndim < 2:
        raise ValueError(f"A grayscale image (shape {x.shape}) must be at least two-dimensional.")
    if x._array.shape[-1] != 1:
        raise ValueError(
            f"Last dimension of a grayscale image should be size 1. Received shape {x.shape}."
        )
    return broadcast_to(x, [*x._array.shape[:-1], 3])


@public("image.rgb_to_yiq")
def rgb_to_yiq(images: NumericLike) -> Tensor:
    """Red, green and blue as brightness and two numbers for the color (NTSC).

    >>> import cinta as tf
    >>> tf.image.rgb_to_yiq([1.0, 0.0, 0.0]).numpy().round(2)
    array([0.3 , 0.6 , 0.21], dtype=float32)

    Args:
        images: Images whose last axis holds the three numbers of a color.
    """
    return _mixed("RGBToYIQ", images, _RGB_TO_YIQ)


@public("image.yiq_to_rgb")
def yiq_to_rgb(images: NumericLike) -> Tensor:
    """The inverse of `rgb_to_yiq`.

    >>> import cinta as tf
    >>> tf.image.yiq_to_rgb(tf.image.rgb_to_yiq([1.0, 0.5, 0.25])).numpy().round(3)
    array([1.  , 0.5 , 0.25], dtype=float32)

    Args:
        images: Images whose last axis holds the three numbers of a color.
    """
    return _mixed("YIQToRGB", images, _YIQ_TO_RGB)


@public("image.rgb_to_yuv")
def rgb_to_yuv(images: NumericLike) -> Tensor:
    """Red, green and blue as brightness and two numbers for the color (PAL).

    >>> import cinta as tf
    >>> tf.image.rgb_to_yuv([1.0, 0.0, 0.0]).numpy().round(2)
    array([ 0.3 , -0.15,  0.61], dtype=float32)

    Args:
        images: Images whose last axis holds the three numbers of a color.
    """
    return _mixed("RGBToYUV", images, _RGB_TO_YUV)


@public("image.yuv_to_rgb")
def yuv_to_rgb(images: NumericLike) -> Tensor:
    """The inverse of `rgb_to_yuv`.

    >>> import cinta as tf
    >>> tf.image.yuv_to_rgb(tf.image.rgb_to_yuv([1.0, 0.5, 0.25])).numpy().round(3)
    array([1.  , 0.5 , 0.25], dtype=float32)

    Args:
        images: Images whose last axis holds the three numbers of a color.
    """
    return _mixed("YUVToRGB", images, _YUV_TO_RGB)


# -- hue, saturation, value --------------------------------------------------------------------


@public("image.rgb_to_hsv")
def rgb_to_hsv(images: NumericLike, name: str | None = None) -> Tensor:
    """Red, green and blue as hue, saturation and value, each from 0 to 1.

    >>> import cinta as tf
    >>> tf.image.rgb_to_hsv([0.0, 0.5, 0.0]).numpy().round(4)
    array([0.3333, 1.    , 0.5   ], dtype=float32)

    Args:
        images: Images whose last axis holds the three numbers of a color.
    """
    x = _three_channels("RGBToHSV", images)
    r, g, b = unstack(x, axis=-1)
    red_most = logical_and(greater_equal(r, g), greater_equal(r, b))
    green_most = logical_and(greater(g, r), greater_equal(g, b))
    red_least = logical_and(less(r, g), less(r, b))
    green_least = logical_and(less_equal(g, r), less(g, b))
    value = where(red_most, r, where(green_most, g, b))
    least = where(red_least, r, where(green_least, g, b))
    spread = value - least
    ahead = where(red_most, g - b, where(green_most, b - r, r - g))
    third = where(red_most, 0.0, where(green_most, 2.0, 4.0))
    sixths = divide_no_nan(ahead, spread)
    turned = where(greater(spread, 0), sixths + cast(third, x.dtype), sixths)
    hue = turned / 6.0
    saturation = divide_no_nan(spread, maximum(value, 0.0))
    turned_back = stack([where(less(hue, 0), hue + 1.0, hue), saturation, value], -1)
    unknown = reduce_any(not_equal(x, x), -1, True)  # NaN should stay visible
    return where(unknown, float("nan"), turned_back)


def _three_channels(op: str, images: NumericLike) -> Tensor:
    x = tensor_of(op, images, REAL_FLOATING)
    if not _has_three(x):
        raise FailedPreconditionError(_NOT_THREE.format(x.shape, op))
    return x


def _hue(xp: ArrayModule, rgb: Array) -> Array:
    """Where on the wheel a color is, from 0 to 1."""
    r, g, b = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    value = xp.max(rgb, axis=-1)
    spread = value - xp.min(rgb, axis=-1)
    some = xp.where(spread > 0, spread, 1)
    behind = xp.where(g == value, 2 + (b - r) / some, 4 + (r - g) / some)
    return xp.where(spread > 0, xp.where(r == value, (g - b) / some, behind) / 6 % 1, 0)


@op("HueChannels", rowwise=True)
def HueChannels(xp: ArrayModule, hue: Array) -> Array:
    """How much red, green and blue, from 0 to 1, is in the purest color of a hue."""
    return xp.clip(_ramps(xp, hue), 0, 1).astype(hue.dtype, copy=False)


@op("HueSlopes", rowwise=True)
def HueSlopes(xp: ArrayModule, hue: Array) -> Array:
    """How fast each channel grows with the hue."""
    turns, ramps = hue * 6, _ramps(xp, hue)
    rising = xp.concatenate([turns > 3, turns < 2, turns < 4], axis=-1)
    slopes = xp.where(rising, 6, -6) * ((ramps > 0) & (ramps < 1))
    return slopes.astype(hue.dtype)


def _ramps(xp: ArrayModule, hue: Array) -> Array:
    """The channels before they are cut off at 0 and at 1; the hue lies along the last axis."""
    turns = hue * 6
    return xp.concatenate([abs(turns - 3) - 1, 2 - abs(turns - 2), 2 - abs(turns - 4)], axis=-1)


HueChannels.grads(hue=lambda g, hue: Sum(g * HueSlopes(hue), axis=(-1,), keepdims=True))
HueSlopes.no_grad()


def _painted(xp: ArrayModule, hue: Array, low: Array, spread: Array) -> Array:
    """The color of this hue whose weakest channel is ``low``, and the strongest so much more."""
    channels = HueChannels.kernel(xp, hue[..., None])
    result: Array = low[..., None] + spread[..., None] * channels
    return result


@op("HSVToRGB", rowwise=True)
def HSVToRGB(xp: ArrayModule, images: Array) -> Array:
    """Hue, saturation and value as red, green and blue."""
    hue, saturation, value = images[..., 0], images[..., 1], images[..., 2]
    spread = saturation * value
    return _painted(xp, hue, value - spread, spread).astype(images.dtype, copy=False)


def _hsv_grad(g: Tensor, images: Tensor) -> Tensor:
    hue, saturation, value = images[..., :1], images[..., 1:2], images[..., 2:]
    missing = HueChannels(hue) - 1
    parts = (
        g * HueSlopes(hue) * (saturation * value),
        g * missing * value,
        g * (missing * saturation + 1),
    )
    return ConcatV2(*[Sum(part, axis=(-1,), keepdims=True) for part in parts], axis=-1)


HSVToRGB.grads(images=_hsv_grad)


@op("AdjustHue")  # as in TensorFlow, no gradient is registered for it
def AdjustHue(xp: ArrayModule, images: Array, delta: Array) -> Array:
    """The colors turned on the wheel, by so much of a full turn."""
    wide = images.astype(np.float32)
    low = xp.min(wide, axis=-1)
    turned = _painted(xp, (_hue(xp, wide) + delta) % 1, low, xp.max(wide, axis=-1) - low)
    return turned.astype(images.dtype)


@op("AdjustSaturation")  # as in TensorFlow, no gradient is registered for it
def AdjustSaturation(xp: ArrayModule, images: Array, scale: Array) -> Array:
    """The colors farther from gray, or nearer to it, by a factor."""
    wide = images.astype(np.float32)
    value = xp.max(wide, axis=-1)
    saturation = xp.where(value > 0, 1 - xp.min(wide, axis=-1) / xp.where(value > 0, value, 1), 0)
    spread = xp.clip(saturation * scale, 0, 1) * value
    return _painted(xp, _hue(xp, wide), value - spread, spread).astype(images.dtype)


@public("image.hsv_to_rgb")
def hsv_to_rgb(images: NumericLike, name: str | None = None) -> Tensor:
    """The inverse of `rgb_to_hsv`.

    >>> import cinta as tf
    >>> tf.image.hsv_to_rgb([0.5, 1.0, 0.8]).numpy()
    array([0. , 0.8, 0.8], dtype=float32)

    Args:
        images: Images whose last axis holds the three numbers of a color.
    """
    return HSVToRGB(_three_channels("HSVToRGB", images))
