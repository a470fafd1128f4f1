"""Counting: how often which number occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, kept, match
from ...engine.kinds import NUMERIC, REAL
from ...engine.op import op
from ...engine.shapes import written
from ...engine.tensor import look, seen
from ...errors import InvalidArgumentError
from ..arguments import axes_from_right, flag, integer, tensor_of
from ..arrays.joining import stack
from ..arrays.scattering import scatter_nd
from ..arrays.shaping import reshape
from ..elementwise.casting import cast
from .rows import ScatterRows
from .summing import Axes

if TYPE_CHECKING:
    from ...engine.tensor import Array, Tensor


@op("CountNonzero")
def CountNonzero(xp: Any, x: Array, *, axis: Axes, keepdims: bool, dtype: Any) -> Array:
    """How many elements are not zero, or of strings not empty."""
    nothing = b"" if x.dtype == object else x.dtype.type(0)
    return xp.add.reduce(x != nothing, axis=axis, dtype=np.int64, keepdims=keepdims).astype(dtype)


CountNonzero.no_grad()


def count_nonzero(
    input: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """How many elements along axes are not zero, not False, not an empty string.

    >>> import cinta as tf
    >>> tf.math.count_nonzero([[0.0, 1.0], [2.0, 3.0]], axis=0).numpy()
    array([1, 2])
    """
    x = as_tensor(input)
    axes = axes_from_right("Sum", axis, x._array.ndim)
    wanted = dtypes.as_dtype(dtype).dtype
    return CountNonzero(x, axis=axes, keepdims=flag(keepdims, "keepdims"), dtype=wanted)


@op("DenseBincount")
def DenseBincount(xp: Any, values: Array, weights: Array, *, size: int) -> Array:
    """The weights of each number below ``size`` added up, for every row of a matrix."""
    rows = len(values)
    places = xp.where(values < size, values + size * xp.arange(rows)[:, None], -1)
    flat, spots = weights.reshape(-1), places.reshape(-1)
    return ScatterRows.kernel(xp, flat, spots, rows=rows * size, rank=1).reshape(rows, size)


def bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    axis: Any = None,
    binary_output: bool = False,
) -> Tensor:
    """How often each number from 0 on occurs, or the sum of the weights of its occurrences.

    >>> import cinta as tf
    >>> tf.math.bincount([1, 1, 3]).numpy()
    array([0, 2, 0, 1], dtype=int32)
    >>> tf.math.bincount([1, 1, 3], weights=[0.5, 0.5, 2.0]).numpy()
    array([0., 1., 0., 2.], dtype=float32)

    Args:
        arr: Numbers that are not negative.
        weights: A weight for every number; it decides the dtype.
        minlength: How long the result is at least.
        maxlength: How long it is at most; greater numbers are not counted.
        dtype: The dtype of the result without weights.
        name: Has no effect.
        axis: 0 or None to count all, -1 to count in each row of a matrix.
        binary_output: Whether to say only that a number occurs, with 1.
    """
    if weights is not None and binary_output:
        raise ValueError(
            "Arguments `binary_output` and `weights` are mutually exclusive. Please specify only "
            "one."
        )
    check_counted_axis(axis)
    numbers = _to_count(arr, 2 if axis == -1 else None)
    values, shape = numbers._array, numbers._array.shape
    size = number_of_counts(seen(numbers), minlength, maxlength)
    amounts = cast(np.ones(shape, np.int32), dtype) if weights is None else as_tensor(weights)
    if amounts._array.shape != shape:
        raise InvalidArgumentError(
            f"`weights` must be the same shape as `arr`, {written(shape)}. Received "
            f"{written(amounts._array.shape)} [Op:DenseBincount]"
        )
    in_rows = axis == -1 and len(shape) == 2
    rows = (len(values) if in_rows else 1, -1)
    counts: Tensor = DenseBincount(reshape(numbers, rows), reshape(amounts, rows), size=size)
    if flag(binary_output, "binary_output"):
        counts = cast(counts > 0, dtype)
    return counts if in_rows else reshape(counts, (size,))


def _to_count(arr: Any, highest_rank: int | None) -> Tensor:
    numbers: Tensor = cast(arr, dtypes.int64)
    values = seen(numbers)
    if highest_rank is not None and values.ndim > highest_rank:
        raise InvalidArgumentError(
            f"Shape must be at most rank {highest_rank} but is rank {values.ndim} "
            "[Op:DenseBincount]"
        )
    if values.size and values.min() < 0:
        raise InvalidArgumentError(
            f"Input arr must be non-negative! Got {values.min()} [Op:DenseBincount]"
        )
    return numbers


def check_counted_axis(axis: Any) -> None:
    """Raise unless numbers are to be counted in each row (-1) or all of them (0 or None)."""
    if axis is not None and integer(axis, "axis") not in (0, -1):
        raise ValueError(
            f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported."
        )


def number_of_counts(values: Array, minlength: Any, maxlength: Any) -> int:
    """How many different numbers are counted, from 0 on."""
    size = int(values.max()) + 1 if values.size else 0
    if minlength is not None:
        size = max(size, integer(minlength, "minlength"))
    return size if maxlength is None else min(size, integer(maxlength, "maxlength"))


@op("HistogramFixedWidthBins")
def HistogramBins(
    xp: Any, values: Array, *, low: float, high: float, count: int, dtype: Any
) -> Array:
    """Which of so many equal bins between low and high each value falls into."""
    bins = xp.floor((values - low) / (high - low) * count)
    return xp.clip(bins, 0, count - 1).astype(dtype)


HistogramBins.no_grad()


def histogram_fixed_width_bins(
    values: Any,
    value_range: Any,
    nbins: Any = 100,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Which of ``nbins`` equal bins each value falls into; the outer ones take what lies beyond.

    >>> import cinta as tf
    >>> tf.histogram_fixed_width_bins([-1.0, 1.5, 15.0], [0.0, 5.0], nbins=5).numpy()
    array([0, 1, 4], dtype=int32)
    """
    x, ends = match("HistogramFixedWidth", kept(values), kept(value_range))
    x, limits = tensor_of("HistogramFixedWidth", x, REAL), seen(ends)
    if np.shape(limits) != (2,) or limits.dtype.kind not in REAL:
        raise InvalidArgumentError(
            f"value_range should be a vector of 2 numbers, but got {value_range} "
            "[Op:HistogramFixedWidth]"
        )
    low, high = limits.tolist()
    count = integer(nbins, "nbins")
    if count < 1:
        raise InvalidArgumentError(
            f"nbins should be a positive number, but got '{count}' [Op:HistogramFixedWidth]"
        )
    if not low < high:
        raise InvalidArgumentError(
            "value_range should satisfy value_range[0] < value_range[1], but got "
            f"'[{low}, {high}]' [Op:HistogramFixedWidth]"
        )
    if np.isnan(seen(x)).any():
        raise InvalidArgumentError("Histogram values must not contain NaN [Op:HistogramFixedWidth]")
    wanted = dtypes.as_dtype(dtype).dtype
    return HistogramBins(x, low=low, high=high, count=count, dtype=wanted)


def histogram_fixed_width(
    values: Any,
    value_range: Any,
    nbins: Any = 100,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """How many values fall into each of ``nbins`` equal bins.

    >>> import cinta as tf
    >>> tf.histogram_fixed_width([-1.0, 1.5, 15.0], [0.0, 5.0], nbins=5).numpy()
    array([1, 1, 0, 0, 1], dtype=int32)
    """
    values, value_range = match("HistogramFixedWidth", values, value_range)
    bins = histogram_fixed_width_bins(values, value_range, nbins)
    return bincount(bins, minlength=nbins, dtype=dtype)


def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    weights: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """How often class i (the row) was taken for class j (the column).

    >>> import cinta as tf
    >>> tf.math.confusion_matrix([0, 1, 1], [0, 1, 0]).numpy()
    array([[1, 0],
           [1, 1]], dtype=int32)
    """
    truth, guess = _classes("labels", labels), _classes("predictions", predictions)
    if truth._array.ndim == guess._array.ndim + 1:
        truth = reshape(truth, truth._array.shape[:-1])
    elif guess._array.ndim == truth._array.ndim + 1:
        guess = reshape(guess, guess._array.shape[:-1])
    pairs = stack([truth, guess], axis=1)
    largest = int(seen(pairs).max(initial=-1))
    size = largest + 1 if num_classes is None else integer(num_classes, "num_classes")
    if largest >= size:
        raise InvalidArgumentError(
            f"`labels` or `predictions` out of bound: class {largest} with num_classes = {size}"
        )
    amounts = np.ones(len(seen(pairs)), np.int32) if weights is None else weights
    return scatter_nd(pairs, cast(amounts, dtype), [size, size])


def _classes(argument: str, value: Any) -> Tensor:
    classes: Tensor = cast(tensor_of("Cast", value, NUMERIC), dtypes.int64)
    if look(classes, lambda found: found.min(initial=0) < 0):
        raise InvalidArgumentError(f"`{argument}` contains negative values: {seen(classes)}")
    return classes


def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """The share of elements that are zero.

    >>> import cinta as tf
    >>> tf.math.zero_fraction([0.0, 1.0, 0.0, 2.0]).numpy()
    np.float32(0.5)
    """
    x = as_tensor(value)
    size = np.float32(x._array.size)
    return (size - cast(count_nonzero(x), dtypes.float32)) / size
