"""The edges of boxes drawn on images."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ...public import public

if TYPE_CHECKING:
    from ...engine.annotations import NumericLike
    from ...engine.tensor import Array, Tensor

_COLORS = (
    (1.0, 1.0, 0.0, 1.0),
    (0.0, 0.0, 1.0, 1.0),
    (1.0, 0.0, 0.0, 1.0),
    (0.0, 1.0, 0.0, 1.0),
    (0.5, 0.0, 0.5, 1.0),
    (0.5, 0.5, 0.0, 1.0),
    (0.5, 0.0, 0.0, 1.0),
    (0.0, 0.0, 0.5, 1.0),
    (0.0, 1.0, 1.0, 1.0),
    (1.0, 0.0, 1.0, 1.0),
)
"""The colors of one box after the other, if none are given."""


@public("image.draw_bounding_boxes")
def draw_bounding_boxes(
    images: NumericLike, boxes: NumericLike, colors: NumericLike | None, name: str | None = None
) -> Tensor:
    """Images ``[batch, height, width, channels]`` with boxes drawn on them; there is no gradient.

    A box is ``[y1, x1, y2, x2]``, where 1 is the last row or column. ``colors`` has a row for one
    box after the other, again and again; if it is None there are ten.

    >>> import cinta as tf
    >>> boxes = [[[0.0, 0.0, 1.0, 1.0]]]
    >>> tf.image.draw_bounding_boxes(tf.zeros([1, 3, 3, 1]), boxes, None).numpy().reshape(3, 3)
    array([[1., 1., 1.],
           [1., 0., 1.],
           [1., 1., 1.]], dtype=float32)

    Args:
        images: The images.
        boxes: The boxes of each image.
        colors: A color in each row, or None.
    """
    given, corners = seen(as_tensor(images)), seen(as_tensor(boxes))
    _check(given, corners)
    drawn = given.astype(given.dtype if given.dtype == np.float16 else np.float32)
    palette = _palette(colors, drawn.shape[3])
    for image, of_image in zip(drawn, corners.astype(np.float32), strict=True):
        scale = np.array([image.shape[0] - 1, image.shape[1] - 1] * 2, np.float32)
        for number, box in enumerate((of_image * scale).astype(int).tolist()):
            _draw(image, box, palette[number % len(palette)])
    return wrap(drawn)


def _check(images: Array, boxes: Array) -> None:
    if images.ndim != 4:
        raise InvalidArgumentError(
            f"The rank of the images should be 4, got {images.shape} [Op:DrawBoundingBoxesV2]"
        )
    if images.shape[3] not in (1, 3, 4):
        raise InvalidArgumentError(
            "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA), got "
            f"{images.shape[3]} [Op:DrawBoundingBoxesV2]"
        )
    if boxes.ndim != 3 or boxes.shape[2] != 4 or boxes.shape[0] != images.shape[0]:
        raise InvalidArgumentError(
            f"boxes must have shape [{images.shape[0]}, boxes, 4], got {boxes.shape} "
            "[Op:DrawBoundingBoxesV2]"
        )


def _palette(colors: NumericLike | None, channels: int) -> Array:
    given = np.zeros((0, channels)) if colors is None else seen(as_tensor(colors))
    if not given.size:
        return np.array(_COLORS)[:, :channels] if channels > 1 else np.ones((1, 1))
    if given.ndim != 2 or given.shape[1] < channels:
        raise InvalidArgumentError(
            f"colors must have shape [n, {channels}], got {given.shape} [Op:DrawBoundingBoxesV2]"
        )
    return given[:, :channels]


def _draw(image: Array, box: list[int], color: Array) -> None:
    """Those edges of a box that are in the image."""
    top, left, bottom, right = box
    height, width, _ = image.shape
    if top > bottom or left > right or top >= height or left >= width or bottom < 0 or right < 0:
        return
    down = slice(max(top, 0), bottom + 1)
    along = slice(max(left, 0), right + 1)
    for row in (top, bottom):
        if 0 <= row < height:
            image[row, along] = color
    for column in (left, right):
        if 0 <= column < width:
            image[down, column] = color
