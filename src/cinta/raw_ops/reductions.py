"""Ops that combine elements: sums, extremes, segments, running sums, sorting, counting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cinta as tf

from .counting import COUNTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..dtypes import DType
    from ..engine.tensor import Tensor

_m, _s = tf.math, tf.sparse


def _histogram(values: Tensor, value_range: Tensor, nbins: Tensor, dtype: tf.DType) -> Tensor:
    return tf.histogram_fixed_width(values, value_range, nbins, dtype)


def _nth_element(input: Tensor, n: Tensor, reverse: bool) -> Tensor:
    if len(input.shape) == 0 or not 0 <= int(n) < input.shape[-1]:
        raise tf.errors.InvalidArgumentError(
            f"n must be from 0 to the last dimension less 1, got {int(n)} for an input of shape "
            f"{input.shape} [Op:NthElement]"
        )
    return tf.sort(input, direction="DESCENDING" if reverse else "ASCENDING")[..., int(n)]


def _approximate_top(
    x: Tensor, k: int, axis: int, recall: float, largest: bool, size: int, aggregate: bool
) -> tuple[Tensor, Tensor]:
    find = _m.approx_max_k if largest else _m.approx_min_k
    return find(x, k, axis, recall, size, aggregate)


def _top(input: Tensor, k: Tensor, sorted: bool, dtype: DType = tf.int32) -> tuple[Tensor, ...]:
    return tuple(_m.top_k(input, k, sorted, dtype))


def _shares(segment_ids: Tensor, power: float, dtype: tf.DType) -> Tensor:
    """The weight of each element in its segment: one over its size, or over the root of that."""
    if power == 0.0:
        return tf.ones(tf.shape(segment_ids), dtype)
    segments = tf.reduce_max(tf.concat([segment_ids, [-1]], 0)) + 1
    sizes = _m.unsorted_segment_sum(tf.ones(tf.shape(segment_ids), dtype), segment_ids, segments)
    return tf.gather(sizes, segment_ids) ** -power


def _segment_gradient(power: float) -> Callable[..., Tensor]:
    """The gradient of a sparse segment reduction, for all rows of the data."""

    def gradient(grad: Tensor, indices: Tensor, segment_ids: Tensor, rows: Tensor) -> Tensor:
        share = _shares(segment_ids, power, grad.dtype)
        wide = tf.reshape(share, [-1, *[1] * (len(grad.shape) - 1)])
        return _m.unsorted_segment_sum(tf.gather(grad, segment_ids) * wide, indices, rows)

    return gradient


def _sparse_segment_gradient(power: float) -> Callable[..., tuple[Tensor, Tensor]]:
    """The same, for those rows of the data that have one."""
    dense = _segment_gradient(power)

    def gradient(
        grad: Tensor, indices: Tensor, segment_ids: Tensor, rows: Tensor
    ) -> tuple[Tensor, Tensor]:
        there = tf.sort(tf.unique(indices)[0])
        return tf.gather(dense(grad, indices, segment_ids, rows), there), there

    return gradient


def _sparse_segments(reduce: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return lambda data, indices, segment_ids, sparse: reduce(
        data, indices, segment_ids, sparse_gradient=sparse
    )


OPS: dict[str, Callable[..., Any]] = {
    "All": tf.reduce_all,
    "Any": tf.reduce_any,
    "ApproxTopK": _approximate_top,
    "ArgMax": tf.argmax,
    "ArgMin": tf.argmin,
    "Cumprod": _m.cumprod,
    "Cumsum": tf.cumsum,
    "CumulativeLogsumexp": _m.cumulative_logsumexp,
    "EuclideanNorm": _m.reduce_euclidean_norm,
    "HistogramFixedWidth": _histogram,
    "L2Loss": tf.nn.l2_loss,
    "Max": tf.reduce_max,
    "Mean": tf.reduce_mean,
    "Min": tf.reduce_min,
    "NthElement": _nth_element,
    "Prod": tf.reduce_prod,
    "SegmentMax": _m.segment_max,
    "SegmentMean": _m.segment_mean,
    "SegmentMin": _m.segment_min,
    "SegmentProd": _m.segment_prod,
    "SegmentSum": _m.segment_sum,
    "SparseSegmentMean": _sparse_segments(_s.segment_mean),
    "SparseSegmentMeanGrad": _segment_gradient(1.0),
    "SparseSegmentMeanGradV2": _sparse_segment_gradient(1.0),
    "SparseSegmentMeanWithNumSegments": _s.segment_mean,
    "SparseSegmentSqrtN": _sparse_segments(_s.segment_sqrt_n),
    "SparseSegmentSqrtNGrad": _segment_gradient(0.5),
    "SparseSegmentSqrtNGradV2": _sparse_segment_gradient(0.5),
    "SparseSegmentSqrtNWithNumSegments": _s.segment_sqrt_n,
    "SparseSegmentSum": _sparse_segments(_s.segment_sum),
    "SparseSegmentSumGrad": _segment_gradient(0.0),
    "SparseSegmentSumGradV2": _sparse_segment_gradient(0.0),
    "SparseSegmentSumWithNumSegments": _s.segment_sum,
    "Sum": tf.reduce_sum,
    "TopKV2": _top,
    "UnsortedSegmentMax": _m.unsorted_segment_max,
    "UnsortedSegmentMin": _m.unsorted_segment_min,
    "UnsortedSegmentProd": _m.unsorted_segment_prod,
    "UnsortedSegmentSum": _m.unsorted_segment_sum,
    **COUNTS,
}
