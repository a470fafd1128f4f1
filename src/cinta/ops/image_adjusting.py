"""Images made brighter, darker, richer, paler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..convert import as_tensor
from ..errors import InvalidArgumentError
from ..op import op
from .image_dtypes import convert_image_dtype

if TYPE_CHECKING:
    from ..tensor import Array, Tensor


@op("AdjustContrastv2")  # as in TensorFlow, nobody has registered a gradient for it
def AdjustContrastv2(xp: Any, images: Array, contrast_factor: Array) -> Array:
    """Every channel moved away from its mean over an image, or towards it."""
    mean = xp.mean(images, axis=(-3, -2), keepdims=True, dtype=np.float32)
    return ((images - mean) * contrast_factor + mean).astype(images.dtype)


def adjust_contrast(images: Any, contrast_factor: Any) -> Tensor:
    """Every channel of each image made ``contrast_factor`` times as far from its mean.

    >>> import cinta as tf
    >>> tf.image.adjust_contrast([[[1.0], [2.0], [3.0]]], 2.0).numpy().ravel()
    array([0., 2., 4.], dtype=float32)

    As in TensorFlow it has no gradient: asking for one raises LookupError.
    """
    given = as_tensor(images)
    if given.ndim < 3:
        raise InvalidArgumentError(
            f"input must be at least 3-D, got shape {given.shape} [Op:AdjustContrastv2]"
        )
    halves = given._array.dtype == np.float16
    floats = given if halves else convert_image_dtype(given, np.float32)
    adjusted = AdjustContrastv2(floats, as_tensor(contrast_factor, np.dtype(np.float32)))
    return convert_image_dtype(adjusted, given.dtype, saturate=True)
