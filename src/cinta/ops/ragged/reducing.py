"""Reductions: along rows, whose elements are segments, and across rows, place by place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...engine.tensor import Tensor, seen
from ...errors import InvalidArgumentError
from ..arrays.creation import ones_like, zeros_like
from ..arrays.gathering import gather
from ..arrays.selecting import where
from ..elementwise.arithmetic import square
from ..elementwise.casting import cast, stop_gradient
from ..elementwise.comparison import is_finite
from ..elementwise.division import divide
from ..elementwise.unary import exp, log, sqrt
from ..reductions import reduction, segments
from ..reductions.moments import reduce_variance as dense_variance
from ..reductions.scanning import cumsum as dense_cumsum
from ..strings import cutting
from .measuring import positive_axis
from .reshaping import expand_dims
from .row_ends import ends_of, rows_of_values
from .row_partition import RowPartition
from .tensor import RaggedTensor, assembled, constant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import AxisLike
    from ...engine.tensor import Array
    from .annotations import Function, RaggedOrDense

    Reduction = Function


def grouped(
    levels: Sequence[RowPartition], groups: Array, count: int
) -> tuple[list[RowPartition], Array, int]:
    """The rows of all groups laid upon one another.

    ``levels`` are the rows inside of the items that are grouped. A row of the result is as long as
    the longest row of its group. It returns the new levels, and of each flat value its new number.
    """
    made = []
    for rows in levels:
        lengths, ends = rows.lengths, rows.ends
        longest = np.zeros(count, ends.dtype)
        np.maximum.at(longest, groups, lengths)
        new = ends_of(longest)
        outer = rows_of_values(ends)
        groups = new[:-1][groups[outer]] + np.arange(ends[-1]) - ends[:-1][outer]
        size = rows.static_uniform_row_length
        made.append(RowPartition._of_ends(new, rows.dtype, _kept(size, longest)))
        count = int(new[-1])
    return made, groups, count


def _kept(size: int | None, lengths: Array) -> int | None:
    return size if size is not None and (lengths == size).all() else None


def _along(x: RaggedOrDense, axis: int, dense: Reduction, segment: Reduction) -> RaggedOrDense:
    """A reduction along one axis."""
    if isinstance(x, Tensor):
        return dense(x, axis)
    levels = x._nested_row_partitions
    if axis > len(levels):
        return x.with_flat_values(dense(x.flat_values, axis - len(levels)))
    if axis == 0:
        outer: Sequence[RowPartition] = ()
        groups, count = np.zeros(levels[0].static_nrows, np.int64), 1
    else:
        outer = levels[: axis - 1]
        groups, count = rows_of_values(levels[axis - 1].ends), levels[axis - 1].static_nrows
    inner, groups, count = grouped(levels[axis:] if axis else levels, groups, count)
    flat = segment(x.flat_values, constant(groups), count)
    result = assembled(flat, [*outer, *inner])
    if axis:
        return result
    return result.values if isinstance(result, RaggedTensor) else result[0]


def _reduced(
    x: RaggedOrDense, axis: RaggedOrDense, keepdims: bool, dense: Reduction, segment: Reduction
) -> RaggedOrDense:
    """A reduction along axes, from the last one on."""
    if axis is None:
        result = dense(x.flat_values, None)
        for _ in range(len(x.shape) if keepdims else 0):
            result = expand_dims(result, 0)
        return result
    for each in _axes(axis, len(x.shape))[::-1]:
        x = _along(x, each, dense, segment)
        if keepdims:
            x = expand_dims(x, each)
    return x


def _axes(axis: RaggedOrDense, rank: int) -> list[int]:
    if isinstance(axis, (list, tuple)):
        given = list(axis)
    else:
        given = np.reshape(np.asarray(seen(as_tensor(axis))), -1).tolist()
    axes = sorted({positive_axis(each, rank) for each in given})
    if len(axes) < len(given):
        raise InvalidArgumentError(f"axes must not repeat, got axis={axis}.")
    return axes


def reduce_sum(
    input_tensor: RaggedOrDense,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: object = None,
) -> RaggedOrDense:
    """Sums."""
    return _reduced(
        input_tensor, axis, keepdims, reduction.reduce_sum, segments.unsorted_segment_sum
    )


def reduce_prod(
    input_tensor: RaggedOrDense,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: object = None,
) -> RaggedOrDense:
    """Products."""
    return _reduced(
        input_tensor, axis, keepdims, reduction.reduce_prod, segments.unsorted_segment_prod
    )


def reduce_max(
    input_tensor: RaggedOrDense,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: object = None,
) -> RaggedOrDense:
    """Maxima; of an empty row the lowest number of the dtype."""
    return _reduced(
        input_tensor, axis, keepdims, reduction.reduce_max, segments.unsorted_segment_max
    )


def reduce_min(
    input_tensor: RaggedOrDense,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: object = None,
) -> RaggedOrDense:
    """Minima; of an empty row the highest number of the dtype."""
    return _reduced(
        input_tensor, axis, keepdims, reduction.reduce_min, segments.unsorted_segment_min
    )


def reduce_mean(
    input_tensor: RaggedOrDense,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: object = None,
) -> RaggedOrDense:
    """Means; NaN of an empty row."""
    if axis is None:
        return _reduced(input_tensor, axis, keepdims, reduction.reduce_mean, _no_segments)
    total = reduce_sum(input_tensor, axis, keepdims)
    return divide(total, reduce_sum(ones_like(input_tensor), axis, keepdims))


def _no_segments(*arguments: object) -> RaggedOrDense:
    raise AssertionError("reductions along all axes have no segments")


def reduce_logsumexp(
    input_tensor: RaggedOrDense,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: object = None,
) -> RaggedOrDense:
    """Logarithms of sums of exponentials; -inf of an empty row."""

    def of_segments(x: RaggedOrDense, groups: RaggedOrDense, count: int) -> RaggedOrDense:
        largest = stop_gradient(segments.unsorted_segment_max(x, groups, count))
        shift = where(is_finite(largest), largest, zeros_like(largest))
        total = segments.unsorted_segment_sum(exp(x - gather(shift, groups)), groups, count)
        return log(total) + shift

    return _reduced(input_tensor, axis, keepdims, reduction.reduce_logsumexp, of_segments)


def reduce_variance(
    input_tensor: RaggedOrDense,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: object = None,
) -> RaggedOrDense:
    """Variances: the mean square less the square of the mean."""
    if axis is None:
        return _reduced(input_tensor, axis, keepdims, dense_variance, _no_segments)
    mean = reduce_mean(input_tensor, axis, keepdims)
    return reduce_mean(square(input_tensor), axis, keepdims) - square(mean)


def reduce_std(
    input_tensor: RaggedOrDense,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: object = None,
) -> RaggedOrDense:
    """Standard deviations."""
    return sqrt(reduce_variance(input_tensor, axis, keepdims))


def reduce_any(
    input_tensor: RaggedOrDense,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: object = None,
) -> RaggedOrDense:
    """Whether anything is true."""

    def any_of(x: RaggedOrDense, groups: RaggedOrDense, count: int) -> RaggedOrDense:
        return cast(
            segments.unsorted_segment_sum(cast(x, dtypes.int32), groups, count), dtypes.bool
        )

    return _reduced(input_tensor, axis, keepdims, reduction.reduce_any, any_of)


def reduce_all(
    input_tensor: RaggedOrDense,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: object = None,
) -> RaggedOrDense:
    """Whether everything is true."""

    def all_of(x: RaggedOrDense, groups: RaggedOrDense, count: int) -> RaggedOrDense:
        ones = segments.unsorted_segment_prod(cast(x, dtypes.int32), groups, count)
        return cast(ones, dtypes.bool)

    return _reduced(input_tensor, axis, keepdims, reduction.reduce_all, all_of)


def reduce_join(
    inputs: RaggedOrDense,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    separator: str = "",
    name: object = None,
) -> RaggedOrDense:
    """Strings joined."""

    def dense(x: RaggedOrDense, along: RaggedOrDense) -> RaggedOrDense:
        return cutting.reduce_join(x, along, separator=separator)

    def joined(x: RaggedOrDense, groups: RaggedOrDense, count: int) -> RaggedOrDense:
        return cutting.unsorted_segment_join(x, groups, count, separator)

    return _reduced(inputs, axis, keepdims, dense, joined)


# -- along rows, of as many elements -------------------------------------------------------------


def softmax(logits: RaggedOrDense, axis: int = -1, name: object = None) -> RaggedOrDense:
    """Exponentials divided by their sum."""
    number = positive_axis(-1 if axis is None else axis, len(logits.shape))
    if number > logits.ragged_rank:
        from ..nn.softmax import softmax as dense

        return logits.with_flat_values(dense(logits.flat_values, number - logits.ragged_rank))
    powers = exp(logits - reduce_max(logits, number, True))
    return powers / reduce_sum(powers, number, True)


def cumsum(
    x: RaggedOrDense,
    axis: int = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: object = None,
) -> RaggedOrDense:
    """Sums of all elements up to each one."""
    number = positive_axis(axis, len(x.shape))
    if number > x.ragged_rank:
        flat = dense_cumsum(x.flat_values, number - x.ragged_rank, exclusive, reverse)
        return x.with_flat_values(flat)
    if number < x.ragged_rank:
        sums = dense_cumsum(x.to_tensor(), number, exclusive, reverse)
        return RaggedTensor.from_tensor(sums, lengths=x.nested_row_lengths())
    rows = x._nested_row_partitions[-1]
    sums = dense_cumsum(x.flat_values, 0, exclusive, reverse)
    before = dense_cumsum(x.flat_values, 0, True, reverse)
    first = rows.ends[1:] - 1 if reverse else rows.ends[:-1]
    start = gather(before, constant(first[rows_of_values(rows.ends)]))
    return x.with_flat_values(sums - start)
