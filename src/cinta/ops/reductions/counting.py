"""Counting: how often which number occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, kept, match
from ...engine.dtype_kinds import NUMERIC, REAL
from ...engine.op import op
from ...engine.primitives import ScatterRows
from ...engine.summing import Axes
from ...engine.tensor import look, seen
from ...errors import InvalidArgumentError, UnimplementedError
from ...public import public
from ..arguments import axes_from_right, flag, integer, tensor_of
from ..arrays.joining import stack
from ..arrays.scattering import scatter_nd
from ..arrays.shaping import reshape
from ..elementwise.casting import cast

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, AxisLike, DTypeLike, IntLike, TensorLike
    from ...engine.tensor import Array, Tensor


@op("CountNonzero", rowwise=True)
def CountNonzero(
    xp: ArrayModule, x: Array, *, axis: Axes, keepdims: bool, dtype: np.dtype[Any]
) -> Array:
    """How many elements are not zero, or of strings not empty."""
    nothing = b"" if x.dtype == object else x.dtype.type(0)
    return xp.add.reduce(x != nothing, axis=axis, dtype=np.int64, keepdims=keepdims).astype(dtype)


CountNonzero.no_grad()


@public("math.count_nonzero")
def count_nonzero(
    input: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool | None = None,
    dtype: DTypeLike = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """How many elements along axes are not zero, not False, not an empty string.

    >>> import cinta as tf
    >>> tf.math.count_nonzero([[0.0, 1.0], [2.0, 3.0]], axis=0).numpy()
    array([1, 2])

    Args:
        input: A tensor of numbers, booleans or strings.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
        dtype: The dtype of the counts.

    Raises:
        tf.errors.UnimplementedError: If the counts are to be strings: see ``tf.as_string``.
    """
    x = as_tensor(input)
    axes = axes_from_right("Sum", axis, x._array.ndim)
    wanted = dtypes.as_dtype(dtype).dtype
    if wanted.kind == "O":
        raise UnimplementedError(
            "Cast int64 to string is not supported: count, and use tf.strings.as_string. [Op:Cast]"
        )
    return CountNonzero(x, axis=axes, keepdims=flag(keepdims, "keepdims"), dtype=wanted)


@op("DenseBincount")
def DenseBincount(xp: ArrayModule, values: Array, weights: Array, *, size: int) -> Array:
    """The weights of each number below ``size`` added up, for every row of a matrix."""
    rows = len(values)
    places = xp.where(values < size, values + size * xp.arange(rows)[:, None], -1)
    flat, spots = weights.reshape(-1), places.reshape(-1)
    return ScatterRows.kernel(xp, flat, spots, rows=rows * size, rank=1).reshape(rows, size)


@op("HistogramFixedWidthBins")
def HistogramBins(
    xp: ArrayModule, values: Array, *, low: float, high: float, count: int, dtype: np.dtype[Any]
) -> Array:
    """Which of so many equal bins between low and high each value falls into."""
    bins = xp.floor((values - low) / (high - low) * count)
    return xp.clip(bins, 0, count - 1).astype(dtype)


HistogramBins.no_grad()


@public("histogram_fixed_width_bins")
def histogram_fixed_width_bins(
    values: TensorLike,
    value_range: TensorLike,
    nbins: IntLike = 100,
    dtype: DTypeLike = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Which of ``nbins`` equal bins each value falls into; the outer ones take what lies beyond.

    >>> import cinta as tf
    >>> tf.histogram_fixed_width_bins([-1.0, 1.5, 15.0], [0.0, 5.0], nbins=5).numpy()
    array([0, 1, 4], dtype=int32)

    Args:
        values: Numbers.
        value_range: The ends of the range, ``[low, high]``.
        nbins: How many bins there are.
        dtype: The dtype of the numbers of bins: ``tf.int32`` or ``tf.int64``.

    Raises:
        InvalidArgumentError: If the range is empty or there are no bins.
    """
    x, ends = match("HistogramFixedWidth", kept(values), kept(value_range))
    x, limits = tensor_of("HistogramFixedWidth", x, REAL), seen(ends)
    if np.shape(limits) != (2,) or limits.dtype.kind not in REAL:
        raise InvalidArgumentError(
            f"value_range should be a vector of 2 elements, but got {value_range!r} "
            "[Op:HistogramFixedWidth]"
        )
    low, high = limits.tolist()
    count = integer(nbins, "nbins")
    if count < 1:
        raise InvalidArgumentError(
            f"nbins must > 0: it should be a positive number, but got '{count}' "
            "[Op:HistogramFixedWidth]"
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


@public("histogram_fixed_width")
def histogram_fixed_width(
    values: TensorLike,
    value_range: TensorLike,
    nbins: IntLike = 100,
    dtype: DTypeLike = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """How many values fall into each of ``nbins`` equal bins, of which the ends are float64.

    >>> import cinta as tf
    >>> tf.histogram_fixed_width([-1.0, 1.5, 15.0], [0.0, 5.0], nbins=5).numpy()
    array([1, 1, 0, 0, 1], dtype=int32)

    Args:
        values: Numbers.
        value_range: The ends of the range, ``[low, high]``; what lies beyond counts in the outer
            bins.
        nbins: How many bins there are.
        dtype: The dtype of the counts: ``tf.int32`` or ``tf.int64``.

    Raises:
        InvalidArgumentError: If the range is empty or there are no bins.
    """
    x, ends = match("HistogramFixedWidth", values, value_range)
    x, ends = [cast(tensor_of("HistogramFixedWidth", each, REAL), np.float64) for each in (x, ends)]
    bins = reshape(histogram_fixed_width_bins(x, ends, nbins, dtypes.int64), (1, -1))
    one_each = cast(np.ones(bins._array.shape, np.int32), dtype)
    size = integer(nbins, "nbins")
    return reshape(DenseBincount(bins, one_each, size=size), (size,))


@public("math.confusion_matrix")
def confusion_matrix(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: IntLike | None = None,
    weights: TensorLike | None = None,
    dtype: DTypeLike = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """How often class i (the row) was taken for class j (the column).

    >>> import cinta as tf
    >>> tf.math.confusion_matrix([0, 1, 1], [0, 1, 0]).numpy()
    array([[1, 0],
           [1, 1]], dtype=int32)

    Args:
        labels: The true classes, whole numbers from 0 on.
        predictions: The classes that were guessed, as many.
        num_classes: The number of rows and columns; None for one more than the largest class.
        weights: A number that each pair counts for; None for 1.
        dtype: The dtype of the matrix.

    Raises:
        InvalidArgumentError: If a class is negative or not below ``num_classes``, or if there are
            not as many predictions as labels.
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


def _classes(argument: str, value: TensorLike) -> Tensor:
    classes: Tensor = cast(tensor_of("Cast", value, NUMERIC), dtypes.int64)
    if look(classes, lambda found: found.min(initial=0) < 0):
        raise InvalidArgumentError(f"`{argument}` contains negative values: {seen(classes)}")
    return classes


@public("math.zero_fraction", "nn.zero_fraction")
def zero_fraction(value: TensorLike, name: str | None = None) -> Tensor:
    """The share of elements that are zero.

    >>> import cinta as tf
    >>> tf.math.zero_fraction([0.0, 1.0, 0.0, 2.0]).numpy()
    np.float32(0.5)

    Args:
        value: A tensor of numbers.
    """
    x = as_tensor(value)
    size = np.float32(x._array.size)
    return (size - cast(count_nonzero(x), dtypes.float32)) / size
