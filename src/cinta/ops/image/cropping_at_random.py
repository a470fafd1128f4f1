"""Parts of images chosen by chance, such that enough of some boxes is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.convert import as_tensor
from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, integers, listed, number, tensor_of, whole_number
from ..random.philox import block, mixed
from ..random.stateful import uniform

if TYPE_CHECKING:
    from ...engine.annotations import NumericLike
    from ...engine.shapes import Shape
    from ...engine.tensor import Array, Tensor

_BITS = 32


class DistortedBoundingBox(NamedTuple):
    """A part of an image: for `tf.slice` where it begins and how large it is, and as a box."""

    begin: Tensor
    size: Tensor
    bboxes: Tensor


@public("image.sample_distorted_bounding_box")
def sample_distorted_bounding_box(
    image_size: NumericLike,
    bounding_boxes: NumericLike,
    seed: int = 0,
    min_object_covered: NumericLike = 0.1,
    aspect_ratio_range: NumericLike | None = None,
    area_range: NumericLike | None = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> DistortedBoundingBox:
    """A part of an image, drawn anew for each call; see the stateless function of this name.

    >>> import cinta as tf
    >>> part = tf.image.sample_distorted_bounding_box([8, 8, 3], [[[0.0, 0.0, 1.0, 1.0]]])
    >>> tf.slice(tf.zeros([8, 8, 3]), part.begin, part.size).ndim
    3

    Args:
        image_size: Height, width and channels of the image.
        bounding_boxes: The boxes ``[1, boxes, 4]``.
        seed: A number that decides what is drawn; 0 for another part at every call.
        min_object_covered: How much of a box must be in the part.
        aspect_ratio_range: The least and the greatest ratio of width to height.
        area_range: The least and the greatest share of the image.
        max_attempts: How often to try.
        use_image_if_no_bounding_boxes: Whether the whole image is the box if there is none.
    """
    pair = uniform([2], 0, 2**31 - 1, dtype="int32", seed=whole_number(seed, "seed") or None)
    return stateless_sample_distorted_bounding_box(
        image_size,
        bounding_boxes,
        pair,
        min_object_covered,
        aspect_ratio_range,
        area_range,
        max_attempts,
        use_image_if_no_bounding_boxes,
    )


def _pair(argument: str, value: object, default: tuple[float, float]) -> list[float]:
    """Two numbers, or those that stand for none."""
    given = default if value is None else listed(value, argument)
    if len(given) != 2:
        raise InvalidArgumentError(f"`{argument}` must be two numbers, got {value!r}.")
    low, high = [number(each, argument) for each in given]
    if not min(low, high) > 0:
        raise InvalidArgumentError(f"`{argument}` must be positive, got {value!r}.")
    return [low, high]


@public("image.stateless_sample_distorted_bounding_box")
def stateless_sample_distorted_bounding_box(
    image_size: NumericLike,
    bounding_boxes: NumericLike,
    seed: NumericLike,
    min_object_covered: NumericLike = 0.1,
    aspect_ratio_range: NumericLike | None = None,
    area_range: NumericLike | None = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> DistortedBoundingBox:
    """A part of an image that a seed of two whole numbers determines.

    At least ``min_object_covered`` of one of the boxes, ``[y1, x1, y2, x2]`` where 1 is the end of
    the image, is in it. Its width over its height is in ``aspect_ratio_range``, 0.75 to 1.33 by
    default, and its share of the image in ``area_range``, 5 % to all. If ``max_attempts``, 100 of
    them, find none, it is the whole image.

    >>> import cinta as tf
    >>> part = tf.image.stateless_sample_distorted_bounding_box(
    ...     [100, 120, 3], [[[0.1, 0.2, 0.7, 0.9]]], seed=[1, 2])
    >>> part.begin.numpy(), part.size.numpy()
    (array([ 9, 27,  0], dtype=int32), array([55, 68, -1], dtype=int32))

    Args:
        image_size: Height, width and channels of the image.
        bounding_boxes: The boxes ``[1, boxes, 4]``.
        seed: Two whole numbers.
        min_object_covered: How much of a box must be in the part.
        aspect_ratio_range: The least and the greatest ratio of width to height.
        area_range: The least and the greatest share of the image.
        max_attempts: How often to try.
        use_image_if_no_bounding_boxes: Whether the whole image is the box if there is none.

    Raises:
        InvalidArgumentError: If there are no boxes and the image may not take their place, or a
            range makes no sense.
    """
    sizes = integers(image_size, "image_size")
    boxes = seen(tensor_of("SampleDistortedBoundingBox", bounding_boxes, REAL_FLOATING))
    _check(sizes, boxes, use_image_if_no_bounding_boxes)
    height, width, _ = sizes
    objects = _in_pixels(boxes, height, width)
    seeds = integers(seed, "seed")
    if len(seeds) != 2:
        raise InvalidArgumentError(
            f"seed must have 2 elements, got {len(seeds)} [Op:SampleDistortedBoundingBox]"
        )
    chance = _Chance(*seeds)
    low, high = _pair("aspect_ratio_range", aspect_ratio_range, (0.75, 1.33))
    shares = _pair("area_range", area_range, (0.05, 1.0))
    least, most = map(np.float32, shares)
    part = (0, 0, height, width)
    attempts = 100 if max_attempts is None else whole_number(max_attempts, "max_attempts")
    covered = number(min_object_covered, "min_object_covered")
    if not (max(shares) <= 1 and attempts > 0 and covered >= 0):
        raise InvalidArgumentError(
            "`area_range` must not exceed 1, `max_attempts` must be positive, `min_object_covered` "
            f"must not be negative, got {shares}, {attempts} and {covered}."
        )
    for _ in range(attempts):
        ratio = chance.unit() * (np.float32(high) - np.float32(low)) + np.float32(low)
        found = _crop(height, width, least, most, ratio, chance)
        if found is not None and _covers(found, objects, covered):
            part = found
            break
    return _as_results(part, height, width, as_tensor(image_size)._array.dtype)


def _check(sizes: Shape, boxes: Array, use_image: bool | None) -> None:
    """Refuse an image or boxes of which no part can be taken."""
    needs_no_boxes = flag(use_image, "use_image_if_no_bounding_boxes")
    if len(sizes) != 3 or min(sizes) < 0:
        raise InvalidArgumentError(
            "image_size must contain 3 elements, a height, a width and channels, none of them "
            f"negative, got {sizes} [Op:SampleDistortedBoundingBox]"
        )
    if np.ndim(boxes) != 3 or boxes.shape[2] != 4:
        raise InvalidArgumentError(
            "bounding_boxes must have shape [batch, boxes, 4], got shape "
            f"{np.shape(boxes)} [Op:SampleDistortedBoundingBox]"
        )
    if not np.all((boxes >= 0) & (boxes <= 1)):
        raise InvalidArgumentError(
            "All bounding box coordinates must be in [0.0, 1.0] [Op:SampleDistortedBoundingBox]"
        )
    if not boxes.size and not needs_no_boxes:
        raise InvalidArgumentError(
            "No bounding boxes provided as input. One must enable use_image_if_no_bounding_boxes "
            "if you wish to not provide any bounding boxes [Op:SampleDistortedBoundingBox]"
        )


class _Chance:
    """Random numbers of a stateless seed, one after the other."""

    def __init__(self, seed: int, seed2: int) -> None:
        self._key, self._counter = mixed(seed, seed2)
        self._words: list[int] = []

    def word(self) -> int:
        """Random bits."""
        if not self._words:
            self._words = [int(word) for word in block(self._key, self._counter)]
            self._counter += 1
        return self._words.pop(0)

    def unit(self) -> np.float32:
        """A float from 0 to below 1."""
        return np.float32((self.word() & (2**23 - 1)) / 2**23)

    def below(self, count: int) -> int:
        """A whole number from 0 to below the count, all equally likely."""
        surplus = 2**_BITS % count
        word = self.word()
        while word < surplus:
            word = self.word()
        return word % count


def _in_pixels(boxes: Array, height: int, width: int) -> list[list[int]]:
    """The boxes in rows and columns; the whole image if there is none."""
    if not boxes.size:
        return [[0, 0, height, width]]
    corners = boxes.astype(np.float32).reshape(-1, 4)
    scale = np.array([height, width] * 2, np.float32)
    pixels: list[list[int]] = (corners * scale).astype(int).tolist()
    return pixels


def _crop(
    height: int, width: int, least: Any, most: Any, ratio: Any, chance: _Chance
) -> tuple[int, int, int, int] | None:
    """A part with this width over its height, as its edges; None if there is none."""
    if least > most or most <= 0 or ratio <= 0:
        return None
    least, most = least * np.float32(width * height), most * np.float32(width * height)
    tall, tallest = [int(np.rint(np.sqrt(area / ratio))) for area in (least, most)]
    if np.rint(tallest * ratio) > width:
        tallest = int((width + 0.5 - 1e-7) / ratio)
        tallest -= bool(np.rint(tallest * ratio) > width)
    tallest = min(tallest, height)
    tall = min(tall, tallest)
    if tall < tallest:
        tall += chance.below(tallest - tall + 1)
    wide = int(np.rint(tall * ratio))
    if wide * tall < least:  # rounding is forgiven
        tall += 1
        wide = int(np.rint(tall * ratio))
    if wide * tall > most:
        tall -= 1
        wide = int(np.rint(tall * ratio))
    if not (least <= wide * tall <= most and 0 < wide <= width and 0 < tall <= height):
        return None
    top = chance.below(height - tall) if tall < height else 0
    left = chance.below(width - wide) if wide < width else 0
    return top, left, top + tall, left + wide


def _covers(part: tuple[int, ...], objects: list[list[int]], share: float) -> bool:
    """Whether enough of one of the objects is in the part."""
    for top, left, bottom, right in objects:
        area = max(bottom - top, 0) * max(right - left, 0)
        rows = min(bottom, part[2]) - max(top, part[0])
        columns = min(right, part[3]) - max(left, part[1])
        if area and max(rows, 0) * max(columns, 0) / area >= share:
            return True
    return False


def _as_results(
    part: tuple[int, int, int, int], height: int, width: int, kind: np.dtype[Any]
) -> DistortedBoundingBox:
    top, left, bottom, right = part
    box = np.array(part, np.float32) / np.array([height, width] * 2, np.float32)
    return DistortedBoundingBox(
        wrap(np.array([top, left, 0], kind)),
        wrap(np.array([bottom - top, right - left, -1]).astype(kind)),
        wrap(box.reshape(1, 1, 4)),
    )
