"""Images turned, mirrored, cut and framed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor
from ...engine.fast_calls import on_one
from ...engine.primitives import Transpose
from ...public import public
from ..arguments import integer, number
from ..arrays.indexing import StridedSlice
from ..arrays.length_rules import numbers_of_lengths
from ..arrays.padding import Pad
from ..arrays.reordering import Reverse

if TYPE_CHECKING:
    from ...engine.annotations import IntLike, NumericLike
    from ...engine.tensor import Tensor

_SWAPPED = (-2, -3, -1)


def image_tensor(image: NumericLike, argument: str = "image") -> Tensor:
    """One image ``[height, width, channels]``, or several with a first axis more."""
    x = as_tensor(image)
    check_image(x, argument)
    if x.ndim > 4:
        raise ValueError(f"'{argument}' (shape {x.shape}) must have either 3 or 4 dimensions.")
    return x


def check_image(x: Tensor, argument: str) -> None:
    """Refuse what has no height, width and channels."""
    if x.ndim < 3:
        raise ValueError(
            f"'{argument}' (shape {x.shape}) must have either 3 or 4 dimensions. It must be at "
            "least three-dimensional."
        )
    if 0 in x._array.shape[-3:]:
        raise ValueError(f"inner 3 dims of '{argument}.shape' must be > 0: {x.shape}")


# -- mirrored and turned -----------------------------------------------------------------------


@public("image.flip_left_right")
def flip_left_right(image: NumericLike) -> Tensor:
    """The image, or each of several, mirrored: left becomes right.

    >>> import cinta as tf
    >>> tf.image.flip_left_right([[[1], [2], [3]]]).numpy().ravel()
    array([3, 2, 1], dtype=int32)
    """
    return on_one(Reverse, image_tensor(image), axis=(-2,))


@public("image.flip_up_down")
def flip_up_down(image: NumericLike) -> Tensor:
    """The image, or each of several, upside down.

    >>> import cinta as tf
    >>> tf.image.flip_up_down([[[1]], [[2]], [[3]]]).numpy().ravel()
    array([3, 2, 1], dtype=int32)
    """
    return on_one(Reverse, image_tensor(image), axis=(-3,))


@public("image.transpose")
def transpose(image: NumericLike, name: str | None = None) -> Tensor:
    """The image, or each of several, with rows as columns.

    >>> import cinta as tf
    >>> tf.image.transpose([[[1], [2]], [[3], [4]]]).numpy().ravel()
    array([1, 3, 2, 4], dtype=int32)
    """
    return on_one(Transpose, image_tensor(image), perm=_SWAPPED)


@public("image.rot90")
def rot90(image: NumericLike, k: IntLike = 1, name: str | None = None) -> Tensor:
    """The image, or each of several, turned to the left by ``k`` times 90 degrees.

    >>> import cinta as tf
    >>> tf.image.rot90([[[1], [2]], [[3], [4]]]).numpy().ravel()
    array([2, 4, 1, 3], dtype=int32)
    """
    x = image_tensor(image)
    quarters = integer(k, "k") % 4
    if quarters % 2:
        x = on_one(Transpose, x, perm=_SWAPPED)
    mirrored = ((), (-3,), (-3, -2), (-2,))[quarters]
    return on_one(Reverse, x, axis=mirrored)


# -- cut and framed ----------------------------------------------------------------------------


@public("image.crop_to_bounding_box")
def crop_to_bounding_box(
    image: NumericLike,
    offset_height: IntLike,
    offset_width: IntLike,
    target_height: IntLike,
    target_width: IntLike,
) -> Tensor:
    """The part of an image, or of each of several, that starts at these offsets.

    >>> import cinta as tf
    >>> tf.image.crop_to_bounding_box(tf.zeros([5, 6, 3]), 1, 2, 3, 4).shape
    TensorShape([3, 4, 3])

    Args:
        image: An image ``[height, width, channels]``, or several.
        offset_height: How many rows are above the part.
        offset_width: How many columns are to the left of it.
        target_height: The height of the result.
        target_width: The width of the result.

    Raises:
        ValueError: If the offsets or sizes are negative, or do not fit into the image.
    """
    x = image_tensor(image)
    top, left, height, width = _box(offset_height, offset_width, target_height, target_width)
    _require(top >= 0, "offset_height must be >= 0.", top)
    _require(left >= 0, "offset_width must be >= 0.", left)
    _require(height > 0, "target_height must be > 0.", height)
    _require(width > 0, "target_width must be > 0.", width)
    rows, columns = x._array.shape[-3:-1]
    _require(rows >= top + height, "image height must be >= target + offset.", rows)
    _require(columns >= left + width, "image width must be >= target + offset.", columns)
    return _cropped(x, top, left, height, width)


@public("image.pad_to_bounding_box")
def pad_to_bounding_box(
    image: NumericLike,
    offset_height: IntLike,
    offset_width: IntLike,
    target_height: IntLike,
    target_width: IntLike,
) -> Tensor:
    """An image, or each of several, in a larger frame of zeros, at these offsets.

    >>> import cinta as tf
    >>> tf.image.pad_to_bounding_box(tf.ones([1, 1, 1]), 0, 1, 1, 3).numpy().ravel()
    array([0., 1., 0.], dtype=float32)

    Args:
        image: An image ``[height, width, channels]``, or several.
        offset_height: How many rows are above the image.
        offset_width: How many columns are to the left of it.
        target_height: The height of the result.
        target_width: The width of the result.

    Raises:
        ValueError: If the offsets or sizes are negative, or do not fit into the frame.
    """
    x = image_tensor(image)
    top, left, height, width = _box(offset_height, offset_width, target_height, target_width)
    _require(top >= 0, "offset_height must be >= 0.", top)
    _require(left >= 0, "offset_width must be >= 0.", left)
    rows, columns = x._array.shape[-3:-1]
    _require(height >= top + rows, "height must be <= target - offset_height.", rows)
    _require(width >= left + columns, "width must be <= target - offset_width.", columns)
    return _framed(x, top, left, height, width)


def _box(*numbers: IntLike) -> list[int]:
    names = ("offset_height", "offset_width", "target_height", "target_width")
    return [integer(given, name) for given, name in zip(numbers, names, strict=True)]


def _require(condition: bool, message: str, given: int) -> None:
    if not condition:
        raise ValueError(f"{message} Received {given}.")


def _cropped(x: Tensor, top: int, left: int, height: int, width: int) -> Tensor:
    index = (..., (top, top + height, None), (left, left + width, None), (None, None, None))
    return on_one(StridedSlice, x, index=index, rank=x.ndim)


def _framed(x: Tensor, top: int, left: int, height: int, width: int) -> Tensor:
    rows, columns = x._array.shape[-3:-1]
    around = ((top, height - top - rows), (left, width - left - columns), (0, 0))
    return on_one(Pad, x, paddings=((0, 0),) * (x.ndim - 3) + around, value=0)


@public("image.resize_with_crop_or_pad")
def resize_with_crop_or_pad(
    image: NumericLike, target_height: IntLike, target_width: IntLike
) -> Tensor:
    """An image, or each of several, cut or framed evenly on both sides to this size.

    >>> import cinta as tf
    >>> tf.image.resize_with_crop_or_pad(tf.zeros([5, 6, 3]), 3, 8).shape
    TensorShape([3, 8, 3])

    Args:
        image: An image ``[height, width, channels]``, or several.
        target_height: The height.
        target_width: The width.
    """
    x = image_tensor(image)
    height = integer(target_height, "target_height")
    width = integer(target_width, "target_width")
    _require(height > 0, "target_height must be > 0.", height)
    _require(width > 0, "target_width must be > 0.", width)
    numbers = numbers_of_lengths("cut or framed", x, (-3, -2), height, width)
    kept_height, kept_width, top, left, above, before = numbers
    x = _cropped(x, top, left, kept_height, kept_width)
    return _framed(x, above, before, height, width)


@public("image.central_crop")
def central_crop(image: NumericLike, central_fraction: NumericLike) -> Tensor:
    """The middle of an image, or of each of several: this fraction of its height and width.

    >>> import cinta as tf
    >>> tf.image.central_crop(tf.zeros([8, 6, 3]), 0.5).shape
    TensorShape([4, 4, 3])

    Args:
        image: An image ``[height, width, channels]``, or several.
        central_fraction: The fraction, more than 0 and at most 1.

    Raises:
        ValueError: If the fraction is out of range, or ``image`` has neither three nor four axes.
    """
    fraction = float(np.float32(number(central_fraction, "central_fraction")))
    if not 0 < fraction <= 1:
        raise ValueError(f"central_fraction must be within (0, 1], got {central_fraction}.")
    x = image_tensor(image)
    rows, columns = x._array.shape[-3:-1]
    top, left = numbers_of_lengths("around middle", x, (-3, -2), fraction)
    return _cropped(x, top, left, rows - 2 * top, columns - 2 * left)
