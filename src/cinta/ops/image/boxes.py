"""Boxes cut out of images."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...engine.fast_calls import on_one
from ...engine.free_memory import check_memory
from ...engine.primitives import Reshape
from ...engine.shapes import written
from ...engine.tensor import look
from ...errors import InvalidArgumentError, OutOfRangeError
from ...public import public
from ..arguments import integers, memory_for, number, text, whole
from ..arrays.gathering import Gather
from ..arrays.joining import unstack
from ..arrays.selecting import where
from ..arrays.shaping import expand_dims, reshape
from ..elementwise.casting import cast
from ..elementwise.clipping import clip_by_value
from ..elementwise.comparison import greater_equal, less_equal, logical_and
from ..elementwise.unary import ceil, floor
from ..reductions.reduction import reduce_any

if TYPE_CHECKING:
    from ...engine.annotations import NumericLike, ShapeLike
    from ...engine.tensor import Array, Tensor


@public("image.crop_and_resize")
def crop_and_resize(
    image: NumericLike,
    boxes: NumericLike,
    box_indices: NumericLike,
    crop_size: ShapeLike,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
    name: str | None = None,
) -> Tensor:
    """Boxes cut out of images ``[batch, height, width, channels]`` and resized.

    A box is ``[y1, x1, y2, x2]``, where 1 is the last row or column, and is taken from the image
    whose number is in ``box_indices``. Gradients flow to the images and, if ``method`` is
    "bilinear", to the boxes.

    >>> import cinta as tf
    >>> image = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> tf.image.crop_and_resize(image, [[0.0, 0.0, 0.5, 1.0]], [0], [2, 2]).numpy().ravel()
    array([0., 2., 3., 5.], dtype=float32)

    Args:
        image: The images.
        boxes: A row for each box.
        box_indices: The number of the image of each box.
        crop_size: The height and width of the results.
        method: "bilinear" or "nearest".
        extrapolation_value: What stands where a box reaches beyond its image.

    Raises:
        tf.errors.OutOfRangeError: If there is no such image.
        InvalidArgumentError: If there is no such method, or the shapes do not fit.
    """
    x: Tensor = cast(as_tensor(image), dtypes.float32)
    corners = as_tensor(boxes, np.dtype(np.float32))
    numbers = as_tensor(box_indices)
    if numbers.ndim != 1:
        raise InvalidArgumentError(
            f"box_indices must be rank 1 but is shape {written(numbers._array.shape)} "
            "[Op:CropAndResize]"
        )
    numbers = whole(numbers)
    _check_crop(x, corners, numbers, method)
    sizes = integers(crop_size, "crop_size")
    if len(sizes) != 2 or min(sizes) < 1:
        raise InvalidArgumentError(
            f"crop_size must be two positive numbers, got {crop_size} [Op:CropAndResize]"
        )
    height, width = sizes
    check_memory("CropAndResize", (len(corners._array), height, width, x._array.shape[3]), 4)
    y1, x1, y2, x2 = unstack(corners, axis=1)
    rows = expand_dims(_places(y1, y2, x._array.shape[1], height), 2)
    columns = expand_dims(_places(x1, x2, x._array.shape[2], width), 1)
    sample = _between if method == "bilinear" else _nearest
    crops = sample(x, reshape(cast(numbers, dtypes.int64), [-1, 1, 1]), rows, columns)
    inside = logical_and(_inside(rows, x._array.shape[1]), _inside(columns, x._array.shape[2]))
    return where(expand_dims(inside, -1), crops, number(extrapolation_value, "extrapolation_value"))


def _check_crop(x: Tensor, boxes: Tensor, numbers: Tensor, method: str) -> None:
    if text(method, "method") not in ("bilinear", "nearest"):
        raise InvalidArgumentError(
            f"Value for attr 'method' of \"{method}\" is not in the list of allowed values: "
            '"bilinear", "nearest" [Op:CropAndResize]'
        )
    if x.ndim != 4:
        raise InvalidArgumentError(
            f"input image must be 4-D, got shape {x.shape} [Op:CropAndResize]"
        )
    if boxes.ndim != 2 or boxes._array.shape[1] != 4:
        raise InvalidArgumentError(
            f"boxes must have 4 columns, got shape {boxes.shape} [Op:CropAndResize]"
        )
    if numbers._array.shape != boxes._array.shape[:1]:
        raise InvalidArgumentError(
            f"box_indices must have a number for each of the {boxes._array.shape[0]} boxes, got "
            f"shape {numbers.shape} [Op:CropAndResize]"
        )
    if not look(boxes, _finite):
        raise InvalidArgumentError(
            "Boxes contains at least one element that is not finite [Op:CropAndResize]"
        )
    if bool(reduce_any((numbers < 0) | (numbers >= x._array.shape[0]))):
        raise OutOfRangeError("box_index has values outside [0, batch_size) [Op:CropAndResize]")


def _finite(array: Array) -> bool:
    return bool(np.isfinite(array).all())


def _places(low: Tensor, high: Tensor, old: int, new: int) -> Tensor:
    """Where in the image the rows, or the columns, of each crop are."""
    first, last = [expand_dims(each, 1) * float(old - 1) for each in (low, high)]
    if new == 1:
        return (first + last) * 0.5
    with memory_for("CropAndResize", (new,)):
        return first + (last - first) / float(new - 1) * np.arange(new, dtype=np.float32)


def _inside(places: Tensor, length: int) -> Tensor:
    return logical_and(greater_equal(places, 0.0), less_equal(places, float(length - 1)))


def _between(x: Tensor, numbers: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """The image between its elements: a mean of four, weighted by their nearness."""
    top, left = floor(rows), floor(columns)
    bottom, right = ceil(rows), ceil(columns)
    down, along = expand_dims(rows - top, -1), expand_dims(columns - left, -1)
    above, below = [
        start + (_at(x, numbers, line, right) - start) * along
        for line, start in [(line, _at(x, numbers, line, left)) for line in (top, bottom)]
    ]
    return above + (below - above) * down


def _nearest(x: Tensor, numbers: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """The elements of the image that are nearest."""
    return _at(x, numbers, floor(rows + 0.5), floor(columns + 0.5))


def _at(x: Tensor, numbers: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """The elements at these rows and columns of these images; of the outermost ones beyond them."""
    batch, height, width, channels = x._array.shape
    row = cast(clip_by_value(rows, 0.0, float(height - 1)), dtypes.int64)
    column = cast(clip_by_value(columns, 0.0, float(width - 1)), dtypes.int64)
    flat = on_one(Reshape, x, shape=(batch * height * width, channels))
    return Gather(flat, (numbers * height + row) * width + column, axis=-2)
