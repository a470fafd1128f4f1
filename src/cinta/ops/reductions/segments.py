"""Segments: rows of a tensor summed, averaged, multiplied, compared by the number of their group.

A row with a negative number belongs to no group. Backwards every row takes from its group's result,
so adding rows up and taking rows are each other's gradients.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...engine.dtype_kinds import INTEGER, NUMERIC, REAL, REAL_FLOATING
from ...engine.fast_calls import on_one
from ...engine.primitives import Reshape, ScatterRows
from ...engine.shapes import written
from ...engine.tensor import look
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import integers, tensor_of
from ..elementwise.casting import cast
from ..elementwise.unary import Sqrt
from .segment_ops import SegmentCount, SegmentMax, SegmentMin, SegmentProd

if TYPE_CHECKING:
    from ...engine.annotations import IntLike, TensorLike
    from ...engine.tensor import Array, Tensor


def _is_falling(numbers: Array) -> bool:
    return bool((numbers[1:] < numbers[:-1]).any())


def _count_of_sorted(numbers: Array) -> int:
    return int(numbers[-1]) + 1


def _starts_below_zero(numbers: Array) -> bool:
    return bool(numbers[0] < 0)


def sorted_segments(
    name: str, data: TensorLike, segment_ids: TensorLike, kinds: str = NUMERIC
) -> tuple[Tensor, Tensor, int]:
    """Rows, their groups, and how many groups; the groups must come in order."""
    x, ids = tensor_of(name, data, kinds), tensor_of(name, segment_ids, INTEGER)
    numbers = ids._array
    if numbers.ndim != 1 or x._array.shape[:1] != numbers.shape:
        raise InvalidArgumentError(
            "data must be at least rank 1, and segment_ids should be the same size as dimension 0 "
            "of input, got shapes "
            f"{written(numbers.shape)} and {written(x._array.shape)} [Op:{name}]"
        )
    if not numbers.size:
        return x, ids, 0
    if look(ids, _is_falling):
        raise InvalidArgumentError(
            f"segment ids are not increasing. Sort them, or use tf.math.unsorted_{_snake(name)} "
            f"[Op:{name}]"
        )
    rows = look(ids, _count_of_sorted)
    if look(ids, _starts_below_zero):
        raise InvalidArgumentError(
            f"Segment id {numbers[0]} out of range [0, {rows}): ids must not be negative "
            f"[Op:{name}]"
        )
    return x, ids, rows


def _snake(name: str) -> str:
    return "segment_" + name.removeprefix("Segment").lower()


def divided(x: Tensor, ids: Tensor, rows: int, root: bool = False) -> Tensor:
    """Sums of groups divided by how many rows they have, or by the root of that."""
    rank = x._array.ndim
    sums: Tensor = ScatterRows(x, ids, rows=rows, rank=rank)
    counts: Tensor = SegmentCount(ids, rows=rows, rank=rank, dtype=x._array.dtype)
    return sums / (Sqrt(counts) if root else counts)


@public("math.segment_sum")
def segment_sum(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Sums of the rows of each group; the group numbers are sorted.

    >>> import cinta as tf
    >>> tf.math.segment_sum([1.0, 2.0, 3.0], [0, 0, 1]).numpy()
    array([3., 3.], dtype=float32)

    Args:
        data: A tensor of numbers, the rows of which lie along the first axis.
        segment_ids: The number of the group of each row, sorted, from 0 on.

    Raises:
        InvalidArgumentError: If the groups are not sorted, or not as many as the rows.
    """
    x, ids, rows = sorted_segments("SegmentSum", data, segment_ids)
    return ScatterRows(x, ids, rows=rows, rank=x._array.ndim)


@public("math.segment_mean")
def segment_mean(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Means of the rows of each group, 0 where there are none; the group numbers are sorted.

    >>> import cinta as tf
    >>> tf.math.segment_mean([1.0, 2.0, 3.0], [0, 0, 1]).numpy()
    array([1.5, 3. ], dtype=float32)

    Args:
        data: A tensor of numbers, the rows of which lie along the first axis.
        segment_ids: The number of the group of each row, sorted, from 0 on.

    Raises:
        InvalidArgumentError: If the groups are not sorted, or not as many as the rows.
    """
    x, ids, rows = sorted_segments("SegmentMean", data, segment_ids)
    return cast(divided(x, ids, rows), x.dtype)  # ints stay ints, cut off towards 0


@public("math.segment_prod")
def segment_prod(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Products of the rows of each group, 1 where there are none; the group numbers are sorted.

    >>> import cinta as tf
    >>> tf.math.segment_prod([1.0, 2.0, 3.0], [0, 0, 1]).numpy()
    array([2., 3.], dtype=float32)

    Args:
        data: A tensor of numbers, the rows of which lie along the first axis.
        segment_ids: The number of the group of each row, sorted, from 0 on.

    Raises:
        InvalidArgumentError: If the groups are not sorted, or not as many as the rows.
    """
    x, ids, rows = sorted_segments("SegmentProd", data, segment_ids)
    return SegmentProd(x, ids, rows=rows)


@public("math.segment_max")
def segment_max(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The largest of each group, 0 where there are none; the group numbers are sorted.

    >>> import cinta as tf
    >>> tf.math.segment_max([1.0, 2.0, 3.0], [0, 0, 1]).numpy()
    array([2., 3.], dtype=float32)

    Args:
        data: A tensor of numbers, the rows of which lie along the first axis.
        segment_ids: The number of the group of each row, sorted, from 0 on.

    Raises:
        InvalidArgumentError: If the groups are not sorted, or not as many as the rows.
    """
    x, ids, rows = sorted_segments("SegmentMax", data, segment_ids, REAL)
    return SegmentMax(x, ids, rows=rows, empty=0)


@public("math.segment_min")
def segment_min(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """The smallest of each group, 0 where there are none; the group numbers are sorted.

    >>> import cinta as tf
    >>> tf.math.segment_min([1.0, 2.0, 3.0], [0, 0, 1]).numpy()
    array([1., 3.], dtype=float32)

    Args:
        data: A tensor of numbers, the rows of which lie along the first axis.
        segment_ids: The number of the group of each row, sorted, from 0 on.

    Raises:
        InvalidArgumentError: If the groups are not sorted, or not as many as the rows.
    """
    x, ids, rows = sorted_segments("SegmentMin", data, segment_ids, REAL)
    return SegmentMin(x, ids, rows=rows, empty=0)


# -- functions: numbers in any order -----------------------------------------------------------


def _unsorted_segments(
    name: str,
    data: TensorLike,
    segment_ids: TensorLike,
    num_segments: IntLike,
    kinds: str = NUMERIC,
) -> tuple[Tensor, Tensor, int]:
    """Rows, their groups, and how many groups; negative groups are dropped."""
    x, ids = tensor_of(name, data, kinds), tensor_of(name, segment_ids, INTEGER)
    numbers, shape = ids._array, x._array.shape
    if shape[: numbers.ndim] != numbers.shape:
        raise InvalidArgumentError(
            f"data.shape = {written(shape)} does not start with segment_ids.shape = "
            f"{written(numbers.shape)} [Op:{name}]"
        )
    rows = _count_of_groups(name, num_segments)
    if look(ids, partial(beyond, rows=rows)):
        place = np.argwhere(numbers >= rows)[0].tolist()
        raise InvalidArgumentError(
            f"segment_ids{place} = {numbers[tuple(place)]} is out of range [0, {rows}) [Op:{name}]"
        )
    if numbers.ndim != 1:
        x = on_one(Reshape, x, shape=(numbers.size, *shape[numbers.ndim :]))
        ids = on_one(Reshape, ids, shape=(numbers.size,))
    return x, ids, rows


def beyond(numbers: Array, rows: int) -> bool:
    """Whether any number of a group is too large."""
    return bool(numbers.max(initial=-1) >= rows)


def _count_of_groups(name: str, num_segments: IntLike) -> int:
    given = integers(num_segments, "num_segments")
    if len(given) != 1 or given[0] < 0:
        raise InvalidArgumentError(
            f"num_segments should be one number that is not negative, got {num_segments} "
            f"[Op:{name}]"
        )
    return given[0]


@public("math.unsorted_segment_sum")
def unsorted_segment_sum(
    data: TensorLike, segment_ids: TensorLike, num_segments: IntLike, name: str | None = None
) -> Tensor:
    """Sums of the rows of each group; rows of negative groups are dropped.

    >>> import cinta as tf
    >>> tf.math.unsorted_segment_sum([1.0, 2.0, 3.0], [2, 0, 2], 3).numpy()
    array([2., 0., 4.], dtype=float32)

    Args:
        data: A tensor of numbers.
        segment_ids: The group of each row, in any order; its shape is how that of ``data`` begins.
        num_segments: How many groups there are.

    Raises:
        InvalidArgumentError: If a group is not below ``num_segments``, or the shapes do not fit.
    """
    x, ids, rows = _unsorted_segments("UnsortedSegmentSum", data, segment_ids, num_segments)
    return ScatterRows(x, ids, rows=rows, rank=x._array.ndim)


@public("math.unsorted_segment_mean")
def unsorted_segment_mean(
    data: TensorLike, segment_ids: TensorLike, num_segments: IntLike, name: str | None = None
) -> Tensor:
    """Means of the rows of each group, 0 where there are none.

    >>> import cinta as tf
    >>> tf.math.unsorted_segment_mean([1.0, 2.0, 3.0], [2, 0, 2], 3).numpy()
    array([2., 0., 2.], dtype=float32)

    Args:
        data: A tensor of numbers.
        segment_ids: The group of each row, in any order; its shape is how that of ``data`` begins.
            A row of a negative group is dropped.
        num_segments: How many groups there are.

    Raises:
        InvalidArgumentError: If a group is not below ``num_segments``, or the shapes do not fit.
    """
    return divided(*_unsorted_segments("UnsortedSegmentSum", data, segment_ids, num_segments, REAL))


@public("math.unsorted_segment_sqrt_n")
def unsorted_segment_sqrt_n(
    data: TensorLike, segment_ids: TensorLike, num_segments: IntLike, name: str | None = None
) -> Tensor:
    """Sums of the rows of each group, divided by the square root of their number.

    >>> import cinta as tf
    >>> tf.math.unsorted_segment_sqrt_n([1.0] * 4, [0, 0, 0, 0], 2).numpy()
    array([2., 0.], dtype=float32)

    Args:
        data: A tensor of numbers.
        segment_ids: The group of each row, in any order; its shape is how that of ``data`` begins.
            A row of a negative group is dropped.
        num_segments: How many groups there are.

    Raises:
        InvalidArgumentError: If a group is not below ``num_segments``, or the shapes do not fit.
    """
    given = _unsorted_segments("UnsortedSegmentSum", data, segment_ids, num_segments, REAL_FLOATING)
    return divided(*given, root=True)


@public("math.unsorted_segment_prod")
def unsorted_segment_prod(
    data: TensorLike, segment_ids: TensorLike, num_segments: IntLike, name: str | None = None
) -> Tensor:
    """Products of the rows of each group, 1 where there are none.

    >>> import cinta as tf
    >>> tf.math.unsorted_segment_prod([1.0, 2.0, 3.0], [2, 0, 2], 3).numpy()
    array([2., 1., 3.], dtype=float32)

    Args:
        data: A tensor of numbers.
        segment_ids: The group of each row, in any order; its shape is how that of ``data`` begins.
            A row of a negative group is dropped.
        num_segments: How many groups there are.

    Raises:
        InvalidArgumentError: If a group is not below ``num_segments``, or the shapes do not fit.
    """
    x, ids, rows = _unsorted_segments("UnsortedSegmentProd", data, segment_ids, num_segments)
    return SegmentProd(x, ids, rows=rows)


@public("math.unsorted_segment_max")
def unsorted_segment_max(
    data: TensorLike, segment_ids: TensorLike, num_segments: IntLike, name: str | None = None
) -> Tensor:
    """The largest of each group, the dtype's lowest number where there are none.

    >>> import cinta as tf
    >>> tf.math.unsorted_segment_max([1.0, 2.0, 3.0], [1, 0, 1], 2).numpy()
    array([2., 3.], dtype=float32)

    Args:
        data: A tensor of numbers.
        segment_ids: The group of each row, in any order; its shape is how that of ``data`` begins.
            A row of a negative group is dropped.
        num_segments: How many groups there are.

    Raises:
        InvalidArgumentError: If a group is not below ``num_segments``, or the shapes do not fit.
    """
    x, ids, rows = _unsorted_segments("UnsortedSegmentMax", data, segment_ids, num_segments, REAL)
    return SegmentMax(x, ids, rows=rows, empty=x.dtype.min)


@public("math.unsorted_segment_min")
def unsorted_segment_min(
    data: TensorLike, segment_ids: TensorLike, num_segments: IntLike, name: str | None = None
) -> Tensor:
    """The smallest of each group, the dtype's highest number where there are none.

    >>> import cinta as tf
    >>> tf.math.unsorted_segment_min([1.0, 2.0, 3.0], [1, 0, 1], 2).numpy()
    array([2., 1.], dtype=float32)

    Args:
        data: A tensor of numbers.
        segment_ids: The group of each row, in any order; its shape is how that of ``data`` begins.
            A row of a negative group is dropped.
        num_segments: How many groups there are.

    Raises:
        InvalidArgumentError: If a group is not below ``num_segments``, or the shapes do not fit.
    """
    x, ids, rows = _unsorted_segments("UnsortedSegmentMin", data, segment_ids, num_segments, REAL)
    return SegmentMin(x, ids, rows=rows, empty=x.dtype.max)
