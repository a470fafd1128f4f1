"""Images made brighter, darker, richer, paler."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, is_tensor
from ...engine.dtype_kinds import REAL
from ...engine.op import op
from ...engine.tensor import look
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import tensor_of
from ..elementwise.arithmetic import maximum, multiply
from ..elementwise.casting import cast
from ..elementwise.powers import pow as power
from ..reductions.moments import reduce_std
from ..reductions.reduction import reduce_mean
from .colors import AdjustHue, AdjustSaturation
from .dtype_conversion import convert_image_dtype
from .geometry import check_image

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


@op("AdjustContrastv2")  # as in TensorFlow, no gradient is registered for it
def AdjustContrastv2(xp: ArrayModule, images: Array, contrast_factor: Array) -> Array:
    """Every channel moved away from its mean over an image, or towards it."""
    rows, columns = images.shape[-3:-1]
    total = xp.sum(images, axis=(-3, -2), keepdims=True, dtype=np.float32)
    mean: Array = total / (rows * columns)
    return ((images - mean) * contrast_factor + mean).astype(images.dtype)


def _in_floats(image: NumericLike, adjust: Callable[[Tensor], Tensor]) -> Tensor:
    """The image adjusted as one of floats, in its own dtype again."""
    given = as_tensor(image)
    halves = given._array.dtype == np.float16
    adjusted = adjust(given if halves else convert_image_dtype(given, dtypes.float32))
    return convert_image_dtype(adjusted, given.dtype, saturate=True)


def _factor(op: str, value: NumericLike, argument: str) -> Tensor:
    """One number in single precision."""
    factor = as_tensor(value, None if is_tensor(value) else np.dtype(np.float32))
    if factor.dtype != dtypes.float32 or factor.ndim:
        raise InvalidArgumentError(
            f"{argument} must be scalar, one number of dtype float, got {factor!r} [Op:{op}]"
        )
    return factor


@public("image.adjust_contrast")
def adjust_contrast(images: NumericLike, contrast_factor: NumericLike) -> Tensor:
    """Every channel of each image made ``contrast_factor`` times as far from its mean.

    >>> import cinta as tf
    >>> tf.image.adjust_contrast([[[1.0], [2.0], [3.0]]], 2.0).numpy().ravel()
    array([0., 2., 4.], dtype=float32)

    As in TensorFlow it has no gradient: asking for one raises LookupError.

    Args:
        images: An image ``[height, width, channels]``, or several.
        contrast_factor: The factor.
    """
    _check_rank("AdjustContrastv2", images)
    factor = _factor("AdjustContrastv2", contrast_factor, "contrast_factor")
    return _in_floats(images, lambda x: AdjustContrastv2(x, factor))


@public("image.adjust_brightness")
def adjust_brightness(image: NumericLike, delta: NumericLike) -> Tensor:
    """A number added to every element of an image, where 1 is the whole range.

    >>> import cinta as tf
    >>> tf.image.adjust_brightness([[[0.25, 0.5, 0.75]]], 0.125).numpy()
    array([[[0.375, 0.625, 0.875]]], dtype=float32)

    Args:
        image: An image ``[height, width, channels]``, or several.
        delta: What to add, usually between -1 and 1.
    """
    return _in_floats(image, lambda x: x + cast(as_tensor(delta), x.dtype))


def _never_negative(array: Array) -> bool:
    return bool(np.all(array >= 0))


@public("image.adjust_gamma")
def adjust_gamma(image: NumericLike, gamma: NumericLike = 1, gain: NumericLike = 1) -> Tensor:
    """``gain * image**gamma``, for an image whose elements are from 0 to 1.

    >>> import cinta as tf
    >>> tf.image.adjust_gamma([[[0.25, 0.5, 1.0]]], 2.0).numpy()
    array([[[0.0625, 0.25  , 1.    ]]], dtype=float32)

    Args:
        image: An image ``[height, width, channels]``, or several.
        gamma: The power, not negative.
        gain: The factor.

    Raises:
        ValueError: If ``gamma`` is negative.
    """
    if not look(tensor_of("Pow", gamma, REAL), _never_negative):
        raise ValueError(f"Gamma should be a non-negative real number. Received {gamma}.")
    return _in_floats(image, lambda x: multiply(gain, power(x, gamma)))


@public("image.adjust_hue")
def adjust_hue(image: NumericLike, delta: NumericLike, name: str | None = None) -> Tensor:
    """The colors turned on the color wheel by a part of a full turn, from -1 to 1.

    >>> import cinta as tf
    >>> tf.image.adjust_hue([[[1.0, 0.0, 0.0]]], 0.5).numpy()
    array([[[0., 1., 1.]]], dtype=float32)

    As in TensorFlow it has no gradient: asking for one raises LookupError.

    Args:
        image: An image ``[height, width, channels]``, or several.
        delta: The part of a full turn, from -1 to 1.
    """
    turn = _factor("AdjustHue", delta, "delta")
    if not -1 <= float(turn) <= 1:
        raise ValueError(f"delta must be in the interval [-1, 1], got {delta}.")
    _check_colors("AdjustHue", image)
    return _in_floats(image, lambda x: AdjustHue(x, turn))


@public("image.adjust_saturation")
def adjust_saturation(
    image: NumericLike, saturation_factor: NumericLike, name: str | None = None
) -> Tensor:
    """The colors ``saturation_factor`` times as far from gray.

    >>> import cinta as tf
    >>> tf.image.adjust_saturation([[[0.8, 0.4, 0.4]]], 0.0).numpy()
    array([[[0.8, 0.8, 0.8]]], dtype=float32)

    As in TensorFlow it has no gradient: asking for one raises LookupError.
    """
    _check_colors("AdjustSaturation", image)
    factor = _factor("AdjustSaturation", saturation_factor, "saturation_factor")
    return _in_floats(image, lambda x: AdjustSaturation(x, factor))


def _check_rank(op: str, image: NumericLike) -> None:
    x = as_tensor(image)
    if x.ndim < 3:
        raise InvalidArgumentError(f"input must be at least 3-D, got shape {x.shape} [Op:{op}]")


def _check_colors(op: str, image: NumericLike) -> None:
    _check_rank(op, image)
    x = as_tensor(image)
    if x._array.shape[-1] != 3:
        raise InvalidArgumentError(
            f"input must have 3 channels but instead has {x._array.shape[-1]} channels [Op:{op}]"
        )


@public("image.per_image_standardization")
def per_image_standardization(image: NumericLike) -> Tensor:
    """Each image shifted and scaled to mean 0 and variance 1.

    The standard deviation counts as at least one by the square root of the number of elements, so
    that an even image does not make a division by 0.

    >>> import cinta as tf
    >>> tf.image.per_image_standardization([[[1.0], [3.0]]]).numpy().ravel()
    array([-1.,  1.], dtype=float32)
    """
    given = as_tensor(image)
    check_image(given, "image")
    x: Tensor = cast(given, dtypes.float32)
    axes, least = [-1, -2, -3], float(np.prod(given._array.shape[-3:]) ** -0.5)
    deviation = maximum(reduce_std(x, axes, keepdims=True), least)
    return (x - reduce_mean(x, axes, keepdims=True)) / deviation
