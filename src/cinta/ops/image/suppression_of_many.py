"""Non-maximum suppression of several images and classes at once, in tensors of fixed shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...engine.convert import as_tensor
from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.free_memory import check_memory
from ...engine.tensor import Tensor, seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, integer, memory_for, number, tensor_of
from .suppression import kept_boxes

if TYPE_CHECKING:
    from ...engine.annotations import IntLike, NumericLike, TensorLike
    from ...engine.tensor import Array

_LARGEST = 2**31 - 1


@public("image.non_max_suppression_padded")
def non_max_suppression_padded(
    boxes: NumericLike,
    scores: NumericLike,
    max_output_size: IntLike,
    iou_threshold: float = 0.5,
    score_threshold: float = float("-inf"),
    pad_to_max_output_size: bool = False,
    name: str | None = None,
    sorted_input: bool = False,
    canonicalized_coordinates: bool = False,
    tile_size: int = 512,
) -> tuple[Tensor, Tensor]:
    """The indices of the boxes to keep, and how many there are.

    With ``pad_to_max_output_size`` the numbers are padded with zeros; then there may be axes in
    front, for several images. Boxes without an area are never kept. ``sorted_input``,
    ``canonicalized_coordinates`` and ``tile_size`` change no result.

    >>> import cinta as tf
    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.9], [0.0, 2.0, 1.0, 3.0]]
    >>> kept, count = tf.image.non_max_suppression_padded(
    ...     boxes, [0.6, 0.9, 0.5], 4, pad_to_max_output_size=True)
    >>> kept.numpy(), count.numpy()
    (array([1, 2, 0, 0], dtype=int32), np.int32(2))

    Args:
        boxes: A row ``[y1, x1, y2, x2]`` for each box.
        scores: A score for each box.
        max_output_size: How many boxes to keep at most.
        iou_threshold: From which overlap on a box excludes the lesser one.
        score_threshold: Boxes with a lesser score are left out.
    """
    corners, values = seen(as_tensor(boxes)), seen(as_tensor(scores))
    pads = flag(pad_to_max_output_size, "pad_to_max_output_size")
    most = integer(max_output_size, "max_output_size")
    _check_padded(corners, values, most, pads)
    overlap = number(iou_threshold, "iou_threshold")
    least = number(score_threshold, "score_threshold")
    *front, length = values.shape
    if pads:
        check_memory("NonMaxSuppressionV4", (*front, most))
    kept = [
        _with_area(*each, most, overlap, least)
        for each in zip(corners.reshape(-1, length, 4), values.reshape(-1, length), strict=True)
    ]
    counts = wrap(np.array([len(numbers) for numbers in kept], np.int32).reshape(front)[()])
    if not pads:
        return wrap(kept[0].astype(np.int32)), counts
    padded = np.array([_filled(numbers, most) for numbers in kept], np.int32)
    return wrap(padded.reshape(*front, most)), counts


def _check_padded(boxes: Array, scores: Array, most: int, pads: bool) -> None:
    if boxes.shape[-1:] != (4,) or boxes.shape[:-1] != scores.shape:
        raise InvalidArgumentError(
            f"boxes must have the shape of scores and an axis of 4, got {boxes.shape} and "
            f"{scores.shape} [Op:NonMaxSuppressionPadded]"
        )
    if not pads and boxes.ndim > 2:
        raise ValueError(
            "'pad_to_max_output_size' (value False) must be True for batched input: the images may "
            "keep different numbers of boxes."
        )
    if most < 0:
        raise InvalidArgumentError(f"max_output_size must be non-negative, got {most}.")


def _with_area(boxes: Array, scores: Array, most: int, overlap: float, least: float) -> Array:
    """The numbers of the best of the boxes that have an area."""
    solid = np.flatnonzero((boxes[:, :2] != boxes[:, 2:]).all(axis=1))
    numbers, _ = kept_boxes(boxes[solid], scores[solid], most, overlap, least)
    return solid[numbers]


def _filled(values: TensorLike, length: int) -> Array:
    """The values, and zeros up to this length."""
    array = np.asarray(values)
    shape = (length, *array.shape[1:])
    with memory_for("NonMaxSuppression", shape):
        filled = np.zeros(shape, array.dtype)
    filled[: len(array)] = array
    return filled


class CombinedNonMaxSuppression(NamedTuple):
    """The results of `combined_non_max_suppression`."""

    nmsed_boxes: Tensor
    nmsed_scores: Tensor
    nmsed_classes: Tensor
    valid_detections: Tensor


@public("image.combined_non_max_suppression")
def combined_non_max_suppression(
    boxes: NumericLike,
    scores: NumericLike,
    max_output_size_per_class: IntLike,
    max_total_size: IntLike,
    iou_threshold: float = 0.5,
    score_threshold: float = float("-inf"),
    pad_per_class: bool = False,
    clip_boxes: bool = True,
    name: str | None = None,
) -> CombinedNonMaxSuppression:
    """The best boxes of all classes in each image, where boxes of one class do not overlap.

    ``boxes`` has the shape [images, boxes, classes, 4], or 1 in place of the classes; ``scores``
    [images, boxes, classes]. All results are padded with zeros; the last says how many count.

    >>> import cinta as tf
    >>> boxes = [[[[0.0, 0.0, 1.0, 1.0]], [[0.0, 0.0, 1.0, 0.9]]]]
    >>> found = tf.image.combined_non_max_suppression(boxes, [[[0.6, 0.1], [0.9, 0.8]]], 2, 3)
    >>> found.nmsed_scores.numpy(), found.nmsed_classes.numpy()
    (array([[0.9, 0.8, 0. ]], dtype=float32), array([[0., 1., 0.]], dtype=float32))

    Args:
        boxes: The boxes, ``[y1, x1, y2, x2]`` each.
        scores: A score for each box and class.
        max_output_size_per_class: How many boxes of one class to keep at most.
        max_total_size: How many boxes of an image to keep at most.
        iou_threshold: From which overlap on a box excludes the lesser one.
        score_threshold: Boxes with a lesser score are left out.
        pad_per_class: Whether results are as long as the classes allow, if that is less than
            ``max_total_size``.
        clip_boxes: Whether to clip results to the range from 0 to 1.
    """
    corners = seen(tensor_of("CombinedNonMaxSuppression", boxes, REAL_FLOATING))
    values = seen(tensor_of("CombinedNonMaxSuppression", scores, REAL_FLOATING))
    per_class = integer(max_output_size_per_class, "max_output_size_per_class")
    total = integer(max_total_size, "max_total_size")
    iou_threshold = number(iou_threshold, "iou_threshold")
    score_threshold = number(score_threshold, "score_threshold")
    _check_combined(corners, values, per_class, total, iou_threshold)
    size = (
        min(total, per_class * values.shape[2]) if flag(pad_per_class, "pad_per_class") else total
    )
    check_memory("CombinedNonMaxSuppression", (len(values), size, 4), corners.itemsize)
    found = [
        _best_of_classes(*image, per_class, size, iou_threshold, score_threshold)
        for image in zip(corners, values, strict=True)
    ]
    kept = np.array([_filled(b, size) for b, _, _ in found]).reshape(-1, size, 4)
    counts = np.array([len(s) for _, s, _ in found], np.int32)
    return CombinedNonMaxSuppression(
        wrap(np.clip(kept, 0, 1) if flag(clip_boxes, "clip_boxes") else kept),
        wrap(np.array([_filled(s, size) for _, s, _ in found]).reshape(-1, size)),
        wrap(np.array([_filled(c, size) for _, _, c in found]).reshape(-1, size)),
        wrap(counts),
    )


def _check_combined(
    boxes: Array, scores: Array, per_class: int, total: int, iou_threshold: float
) -> None:
    fit = boxes.ndim == 4 and scores.ndim == 3 and boxes.shape[:2] == scores.shape[:2]
    if (
        not fit
        or not scores.shape[2]
        or boxes.shape[2] not in (1, scores.shape[2])
        or boxes.shape[3] != 4
    ):
        raise InvalidArgumentError(
            "boxes must have shape [images, boxes, classes or 1, 4] and scores [images, boxes, "
            f"classes], got {boxes.shape} and {scores.shape} [Op:CombinedNonMaxSuppression]"
        )
    if max(per_class, total) > _LARGEST:
        raise InvalidArgumentError(
            "max_output_size_per_class and max_total_size must be int32, got "
            f"{per_class} and {total} [Op:CombinedNonMaxSuppression]"
        )
    if min(per_class, total) <= 0 or not 0 <= iou_threshold <= 1:
        raise InvalidArgumentError(
            "max_output_size_per_class and max_total_size must be > 0 and iou_threshold in [0, 1], "
            f"got {per_class}, {total} and {iou_threshold} [Op:CombinedNonMaxSuppression]"
        )


def _best_of_classes(
    boxes: Array, scores: Array, per_class: int, size: int, overlap: float, least: float
) -> tuple[Array, Array, Array]:
    """The boxes, scores and classes of the best in one image."""
    found = []
    for which in range(scores.shape[1]):
        of_class = boxes[:, which if boxes.shape[1] > 1 else 0]
        kept, left = kept_boxes(of_class, scores[:, which], per_class, overlap, least)
        classes = np.full(len(kept), which, scores.dtype)
        found.append((of_class[kept].reshape(-1, 4), np.array(left, scores.dtype), classes))
    kept_corners, kept_scores, kept_classes = map(np.concatenate, zip(*found, strict=True))
    order = np.argsort(-kept_scores, kind="stable")[:size]
    return kept_corners[order], kept_scores[order], kept_classes[order]
