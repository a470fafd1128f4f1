"""Non-maximum suppression: of boxes that overlap, the best."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor
from ...engine.op import op
from ...engine.shapes import written
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import integer, number

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import ArrayModule, IntLike, NumericLike
    from ...engine.shapes import written
from ...engine.tensor import Array, Tensor


@op(
    "NonMaxSuppressionV5", sized_by_values=True
)  # as in TensorFlow, no gradient is registered for it
def NonMaxSuppressionV5(
    xp: ArrayModule,
    boxes: Array,
    scores: Array,
    *,
    most: int,
    overlap_threshold: float,
    score_threshold: float,
    sigma: float,
) -> tuple[Array, Array]:
    """The numbers of the best boxes, and their scores."""
    kept, left = kept_boxes(boxes, scores, most, overlap_threshold, score_threshold, sigma)
    return np.array(kept, np.int32), np.array(left, scores.dtype)


@op(
    "NonMaxSuppressionWithOverlaps", sized_by_values=True
)  # as in TensorFlow, no gradient is registered for it
def NonMaxSuppressionWithOverlaps(
    xp: ArrayModule,
    overlaps: Array,
    scores: Array,
    *,
    most: int,
    overlap_threshold: float,
    score_threshold: float,
) -> Array:
    """The numbers of the best boxes, of which is known how much each two overlap."""

    def row(k: int, others: list[int]) -> Array:
        return overlaps[k, others]

    return np.array(_keep(scores, row, most, overlap_threshold, score_threshold)[0], np.int32)


def kept_boxes(
    boxes: Array,
    scores: Array,
    most: int,
    overlap_threshold: float,
    score_threshold: float,
    sigma: float = 0.0,
) -> tuple[list[int], list[float]]:
    """The numbers of the best boxes, and their scores."""
    overlaps = _shared_area(boxes)
    return _keep(scores, overlaps, most, overlap_threshold, score_threshold, sigma)


def _keep(
    scores: Array,
    overlaps: Callable[[int, list[int]], Array],
    most: int,
    overlap_threshold: float,
    score_threshold: float,
    sigma: float = 0.0,
) -> tuple[list[int], list[float]]:
    """The boxes with the best scores, without those that overlap a better one too much.

    With a ``sigma`` above 0 no overlap excludes a box: each makes its score smaller.
    """
    waiting = [(-score, k, 0) for k, score in enumerate(scores.tolist()) if score > score_threshold]
    heapq.heapify(waiting)
    kept: list[int] = []
    kept_scores: list[float] = []
    while waiting and len(kept) < most:
        score, k, met = heapq.heappop(waiting)
        shared = overlaps(k, kept[met:])
        if sigma > 0:
            weaker = score * float(np.prod(np.exp(-0.5 / sigma * shared**2)))
            if weaker != score:
                if -weaker > score_threshold:
                    heapq.heappush(waiting, (weaker, k, len(kept)))
                continue
        elif np.any(shared > overlap_threshold):
            continue
        kept.append(k)
        kept_scores.append(-score)
    return kept, kept_scores


def _shared_area(boxes: Array) -> Callable[[int, list[int]], Array]:
    """How much of what two boxes cover together they both cover: one box against others."""
    boxes = boxes.astype(np.result_type(boxes, np.float32))  # areas are beyond half precision
    low = np.minimum(boxes[:, :2], boxes[:, 2:])
    high = np.maximum(boxes[:, :2], boxes[:, 2:])
    areas = np.prod(high - low, axis=1)

    def overlaps(k: int, others: list[int]) -> Array:
        sides = np.minimum(high[k], high[others]) - np.maximum(low[k], low[others])
        both = np.prod(np.maximum(sides, 0), axis=1)
        either = areas[k] + areas[others] - both
        possible = (areas[k] > 0) & (areas[others] > 0)
        return np.where(possible, both / np.where(possible, either, 1), 0)

    return overlaps


# -- functions ---------------------------------------------------------------------------------


@public("image.non_max_suppression")
def non_max_suppression(
    boxes: NumericLike,
    scores: NumericLike,
    max_output_size: IntLike,
    iou_threshold: float = 0.5,
    score_threshold: float = float("-inf"),
    name: str | None = None,
) -> Tensor:
    """The indices of the boxes to keep: the best, none of which overlaps a better one too much.

    How much two overlap is the area that they share, in that which they cover together.

    >>> import cinta as tf
    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.9], [0.0, 2.0, 1.0, 3.0]]
    >>> tf.image.non_max_suppression(boxes, [0.6, 0.9, 0.5], 3).numpy()
    array([1, 2], dtype=int32)

    Args:
        boxes: A row ``[y1, x1, y2, x2]`` for each box.
        scores: A score for each box.
        max_output_size: How many boxes to keep at most.
        iou_threshold: From which overlap on a box excludes the lesser one.
        score_threshold: Boxes with a lesser score are left out.
    """
    return non_max_suppression_with_scores(
        boxes, scores, max_output_size, iou_threshold, score_threshold
    )[0]


@public("image.non_max_suppression_with_scores")
def non_max_suppression_with_scores(
    boxes: NumericLike,
    scores: NumericLike,
    max_output_size: IntLike,
    iou_threshold: float = 0.5,
    score_threshold: float = float("-inf"),
    soft_nms_sigma: float = 0.0,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The indices of the boxes to keep, and their scores.

    With ``soft_nms_sigma`` above 0 no overlap excludes a box: each makes the score of the lesser
    box smaller, the more the larger it is.

    >>> import cinta as tf
    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.5]]
    >>> kept, scores = tf.image.non_max_suppression_with_scores(boxes, [0.9, 0.5], 2)
    >>> kept.numpy(), scores.numpy()
    (array([0, 1], dtype=int32), array([0.9, 0.5], dtype=float32))

    Args:
        boxes: A row ``[y1, x1, y2, x2]`` for each box.
        scores: A score for each box.
        max_output_size: How many boxes to keep at most.
        iou_threshold: From which overlap on a box excludes the lesser one.
        score_threshold: Boxes with a lesser score are left out.
        soft_nms_sigma: How gentle overlaps are; 0 lets them exclude.

    Raises:
        InvalidArgumentError: If the shapes do not fit, or ``iou_threshold`` is not from 0 to 1.
    """
    _check_scalars(
        "NonMaxSuppressionV5",
        max_output_size=max_output_size,
        iou_threshold=iou_threshold,
        score_threshold=score_threshold,
        soft_nms_sigma=soft_nms_sigma,
    )
    corners, values = as_tensor(boxes), as_tensor(scores)
    shape = corners._array.shape
    if len(shape) != 2 or shape[1] != 4 or values._array.shape != shape[:1]:
        raise InvalidArgumentError(
            f"boxes must have shape [n, 4] and scores [n], got {corners.shape} and {values.shape} "
            "[Op:NonMaxSuppressionV5]"
        )
    overlap = number(iou_threshold, "iou_threshold")
    if not 0 <= overlap <= 1:
        raise InvalidArgumentError(
            f"iou_threshold must be in [0, 1], got {overlap} [Op:NonMaxSuppressionV5]"
        )
    indices, kept_scores = NonMaxSuppressionV5(
        corners,
        values,
        most=_most(max_output_size),
        overlap_threshold=overlap,
        score_threshold=number(score_threshold, "score_threshold"),
        sigma=number(soft_nms_sigma, "soft_nms_sigma"),
    )
    return indices, kept_scores


def _check_scalars(op: str, **limits: NumericLike | IntLike) -> None:
    for argument, given in limits.items():
        shape = as_tensor(given)._array.shape
        if shape:
            raise InvalidArgumentError(
                f"{argument} must be 0-D, got shape {written(shape)} [Op:{op}]"
            )


def _most(max_output_size: IntLike) -> int:
    most = integer(max_output_size, "max_output_size")
    if most < 0:
        raise InvalidArgumentError(f"max_output_size must be non-negative, got {most}.")
    return most


@public("image.non_max_suppression_overlaps")
def non_max_suppression_overlaps(
    overlaps: NumericLike,
    scores: NumericLike,
    max_output_size: IntLike,
    overlap_threshold: float = 0.5,
    score_threshold: float = float("-inf"),
    name: str | None = None,
) -> Tensor:
    """The same as `non_max_suppression`, with a matrix that says how much each two overlap.

    >>> import cinta as tf
    >>> overlaps = [[1.0, 0.6], [0.6, 1.0]]
    >>> tf.image.non_max_suppression_overlaps(overlaps, [0.5, 0.7], 2).numpy()
    array([1], dtype=int32)

    Args:
        overlaps: A square matrix.
        scores: A score for each box.
        max_output_size: How many boxes to keep at most.
        overlap_threshold: From which overlap on a box excludes the lesser one.
        score_threshold: Boxes with a lesser score are left out.

    Raises:
        InvalidArgumentError: If ``overlaps`` is not square, or there are not as many scores.
    """
    _check_scalars(
        "NonMaxSuppressionWithOverlaps",
        max_output_size=max_output_size,
        overlap_threshold=overlap_threshold,
        score_threshold=score_threshold,
    )
    matrix, values = as_tensor(overlaps), as_tensor(scores)
    if matrix._array.shape != values._array.shape * 2:
        raise InvalidArgumentError(
            f"overlaps must be square, with a row for each score, got {matrix.shape} and "
            f"{values.shape} [Op:NonMaxSuppressionWithOverlaps]"
        )
    return NonMaxSuppressionWithOverlaps(
        matrix,
        values,
        most=_most(max_output_size),
        overlap_threshold=number(overlap_threshold, "overlap_threshold"),
        score_threshold=number(score_threshold, "score_threshold"),
    )
