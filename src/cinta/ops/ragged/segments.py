"""Segments of ragged tensors: rows put together by the number of their group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor
from ...engine.tensor import Tensor, seen
from ...errors import InvalidArgumentError
from ..arrays.creation import ones_like
from ..elementwise.division import divide_no_nan
from ..elementwise.unary import sqrt
from ..reductions import segments
from .elementwise import same_rows
from .reducing import grouped
from .slicing import taken
from .tensor import RaggedTensor, assembled, constant

if TYPE_CHECKING:
    from .annotations import Function, RaggedOrDense

    Reduction = Function


# -- segments ------------------------------------------------------------------------------------


def _segments(
    data: RaggedOrDense, segment_ids: RaggedOrDense, count: RaggedOrDense, segment: Reduction
) -> RaggedOrDense:
    """A reduction of the rows of each group."""
    while isinstance(segment_ids, RaggedTensor):
        if not isinstance(data, RaggedTensor):
            raise ValueError(
                "segment_ids.shape must be a prefix of data.shape, but segment_ids is ragged and "
                "data is not."
            )
        if not same_rows([data._row_partition], [segment_ids._row_partition]):
            raise InvalidArgumentError(
                "segment_ids.shape must be a prefix of data.shape: their rows differ."
            )
        data, segment_ids = data.values, segment_ids.values
    ids = as_tensor(segment_ids)
    if len(ids.shape) > 1:
        flat = int(np.prod(ids.shape.as_list()))
        from .reshaping import merge_dims

        last = len(ids.shape) - 1
        data = merge_dims(data, 0, last)
        ids = merge_dims(ids, 0, last)
        assert int(ids.shape[0]) == flat
    if isinstance(data, Tensor):
        return segment(data, ids, count)
    numbers = seen(ids)
    if len(numbers) != data.shape[0]:
        raise InvalidArgumentError(
            f"segment_ids.shape {ids.shape} must be a prefix of data.shape {data.shape}."
        )
    if (numbers < 0).any():
        kept = np.flatnonzero(numbers >= 0)
        data, numbers = taken(data, kept), numbers[kept]
    if numbers.max(initial=-1) >= count:
        raise InvalidArgumentError(f"segment id {numbers.max()} is out of range [0, {count})")
    levels, groups, size = grouped(data._nested_row_partitions, numbers, int(count))
    return assembled(segment(data.flat_values, constant(groups), size), levels)


def _unsorted(name: str) -> Reduction:
    def function(
        data: RaggedOrDense,
        segment_ids: RaggedOrDense,
        num_segments: RaggedOrDense,
        name: object = None,
    ) -> RaggedOrDense:
        return _segments(data, segment_ids, int(seen(as_tensor(num_segments))), dense)

    dense: Reduction = getattr(segments, f"unsorted_segment_{name}")
    return function


def _sorted(name: str) -> Reduction:
    def function(
        data: RaggedOrDense, segment_ids: RaggedOrDense, name: object = None
    ) -> RaggedOrDense:
        ids = segment_ids.flat_values if isinstance(segment_ids, RaggedTensor) else segment_ids
        count = int(np.max(seen(as_tensor(ids)), initial=-1)) + 1
        return _segments(data, segment_ids, count, dense)

    dense: Reduction = getattr(segments, f"unsorted_segment_{name}")
    return function


unsorted_segment_sum, segment_sum = _unsorted("sum"), _sorted("sum")
unsorted_segment_prod, segment_prod = _unsorted("prod"), _sorted("prod")
unsorted_segment_max, segment_max = _unsorted("max"), _sorted("max")
unsorted_segment_min, segment_min = _unsorted("min"), _sorted("min")


def unsorted_segment_mean(
    data: RaggedOrDense,
    segment_ids: RaggedOrDense,
    num_segments: RaggedOrDense,
    name: object = None,
) -> RaggedOrDense:
    """Means of the rows of each group, 0 where there are none."""
    return divide_no_nan(*_sums_and_counts(data, segment_ids, num_segments))


def segment_mean(
    data: RaggedOrDense, segment_ids: RaggedOrDense, name: object = None
) -> RaggedOrDense:
    """Means of the rows of each group."""
    many = segment_sum(ones_like(data), segment_ids)
    return divide_no_nan(segment_sum(data, segment_ids), many)


def unsorted_segment_sqrt_n(
    data: RaggedOrDense,
    segment_ids: RaggedOrDense,
    num_segments: RaggedOrDense,
    name: object = None,
) -> RaggedOrDense:
    """Sums of the rows of each group, divided by the square root of their number."""
    total, many = _sums_and_counts(data, segment_ids, num_segments)
    return divide_no_nan(total, sqrt(many))


def _sums_and_counts(*given: RaggedOrDense) -> tuple[RaggedOrDense, RaggedOrDense]:
    """The sums of the rows of each group, and how many there are."""
    data, *groups = given
    return unsorted_segment_sum(data, *groups), unsorted_segment_sum(ones_like(data), *groups)
