"""Mean and variance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor
from ...engine.dtype_kinds import FLOATING, INTEGER, NUMERIC, REAL_FLOATING
from ...engine.fast_calls import on_one
from ...engine.op import op
from ...engine.primitives import Reshape
from ...engine.shapes import without
from ...engine.summing import Axes, accumulator, count, summed
from ...public import public
from ..arguments import axes_from_right, flag, tensor_of
from ..arrays.creation import zeros_like
from ..arrays.shaping import reshape
from ..elementwise.arithmetic import squared_difference
from ..elementwise.casting import cast
from ..elementwise.complex_numbers import conj, real
from ..elementwise.division import divide_no_nan
from ..elementwise.unary import sqrt
from .reduction import Mean, reduce_mean, reduce_sum

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, AxisLike, NumericLike
    from ...engine.tensor import Array, Tensor


@op("Standardized", broadcasts=True)
def Standardized(xp: ArrayModule, x: Array, mean: Array, factor: Array) -> Array:
    """x less its mean, times a factor."""
    return (x - mean) * factor


Standardized.grads(
    x=lambda g, factor: g * factor,
    mean=lambda g, factor: -g * factor,
    factor=lambda g, x, mean: g * (x - mean),
)


@op("Variance", rowwise=True)
def Variance(xp: ArrayModule, x: Array, mean: Array, *, axis: Axes) -> Array:
    """Mean squared distance from the mean over axes, which are counted from the right and stay."""
    n = count(x.shape, axis)
    if accumulator(x.dtype) != x.dtype:
        mean = summed(xp, x, axis, True) / n  # the given one is rounded
    elif xp is np and axis == (-1,) and x.dtype.char in "fd":
        squares = np.vecdot(x, x)[..., None] / n
        apart: Array = squares - mean * mean
        if not squares.size or (apart >= 0.5 * squares).all():  # no digits are lost
            return apart
    return (summed(xp, xp.square(x - mean), axis, True) / n).astype(x.dtype, copy=False)


# That it depends on the mean adds nothing to its gradient: about the mean, distances add up to 0.
Variance.grads(
    x=lambda g, x, mean, x_shape, axis: Standardized(
        x, mean, g * (2 / max(count(x_shape, axis), 1))
    )
)


@public("math.reduce_variance")
def reduce_variance(
    input_tensor: NumericLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Mean squared distance from the mean along axes.

    >>> import cinta as tf
    >>> tf.math.reduce_variance([[1.0, 3.0], [2.0, 8.0]], axis=1).numpy()
    array([1., 9.], dtype=float32)

    Args:
        input_tensor: A tensor of floating-point or complex numbers.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.

    Raises:
        TypeError: If ``input_tensor`` holds integers.
    """
    x = tensor_of("Mean", input_tensor, NUMERIC)
    if x._array.dtype.kind not in FLOATING:
        raise TypeError(
            f"Input must be either real or complex. Received integer type {x.dtype}. Use "
            "tf.cast(x, tf.float32)."
        )
    if x._array.dtype.kind == "c":
        off = x - reduce_mean(x, axis, keepdims=True)
        return reduce_mean(real(off * conj(off)), axis, keepdims)
    return _statistics(x, axis, keepdims)[1]


def _statistics(x: Tensor, axis: AxisLike | None, keepdims: bool) -> tuple[Tensor, Tensor]:
    """Mean and variance of real numbers."""
    axes, shape = axes_from_right("Mean", axis, x._array.ndim), x._array.shape
    mean = on_one(Mean, x, axis=axes, keepdims=True)
    variance: Tensor = Variance(x, mean, axis=axes)
    if flag(keepdims, "keepdims"):
        return mean, variance
    shape = without(shape, axes)
    return on_one(Reshape, mean, shape=shape), on_one(Reshape, variance, shape=shape)


@public("math.reduce_std")
def reduce_std(
    input_tensor: NumericLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Standard deviation along axes: the square root of the variance.

    >>> import cinta as tf
    >>> tf.math.reduce_std([[1.0, 3.0], [2.0, 8.0]], axis=1).numpy()
    array([1., 3.], dtype=float32)

    Args:
        input_tensor: A tensor of floating-point or complex numbers.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.

    Raises:
        TypeError: If ``input_tensor`` holds integers.
    """
    return sqrt(reduce_variance(input_tensor, axis, keepdims))


@public("nn.moments")
def moments(
    x: NumericLike,
    axes: AxisLike,
    shift: NumericLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Mean and variance along axes; ``shift`` has no effect.

    >>> import cinta as tf
    >>> mean, variance = tf.nn.moments(tf.constant([[1.0, 3.0], [2.0, 8.0]]), axes=[1])
    >>> mean.numpy(), variance.numpy()
    (array([2., 5.], dtype=float32), array([1., 9.], dtype=float32))

    Args:
        x: A tensor of numbers; of integers, both are rounded to integers.
        axes: The axes.
        shift: Accepted; changes no result.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    values = as_tensor(x)
    kind = values._array.dtype.kind
    if kind in REAL_FLOATING:
        return _statistics(values, axes, keepdims)
    if kind in INTEGER:
        off = values - reduce_mean(values, axes, keepdims=True)
        return reduce_mean(values, axes, keepdims), reduce_mean(off * off, axes, keepdims)
    variance = cast(reduce_variance(values, axes, keepdims), values.dtype)
    return reduce_mean(values, axes, keepdims), variance


@public("nn.weighted_moments")
def weighted_moments(
    x: NumericLike,
    axes: AxisLike,
    frequency_weights: NumericLike,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Mean and variance along axes, where every element counts as often as its weight says.

    Both are 0 where the weights sum to 0.

    >>> import cinta as tf
    >>> mean, variance = tf.nn.weighted_moments([0.0, 4.0], [0], [3.0, 1.0])
    >>> mean.numpy(), variance.numpy()
    (np.float32(1.0), np.float32(3.0))

    Args:
        x: A tensor of numbers.
        axes: The axes.
        frequency_weights: The weights, which are broadcast to ``x``.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    values = as_tensor(x)
    weights: Tensor = cast(frequency_weights, values.dtype) + zeros_like(values)
    total = reduce_sum(weights, axes, True)
    mean = divide_no_nan(reduce_sum(weights * values, axes, True), total)
    deviations = weights * squared_difference(values, mean)
    variance = divide_no_nan(reduce_sum(deviations, axes, True), total)
    if flag(keepdims, "keepdims"):
        return mean, variance
    shape = reduce_sum(weights, axes)._array.shape
    return reshape(mean, shape), reshape(variance, shape)


@public("nn.sufficient_statistics")
def sufficient_statistics(
    x: NumericLike,
    axes: AxisLike,
    shift: NumericLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """The sums from which ``tf.nn.normalize_moments`` computes mean and variance along axes.

    These are the number of elements, their sum and the sum of their squares, all after ``shift``
    has been subtracted, and the shift.

    >>> import cinta as tf
    >>> count, total, squares, shift = tf.nn.sufficient_statistics([1.0, 2.0, 3.0], [0])
    >>> count.numpy(), total.numpy(), squares.numpy(), shift
    (np.float32(3.0), np.float32(6.0), np.float32(14.0), None)

    Args:
        x: A tensor of numbers.
        axes: The axes.
        shift: A number near the mean, for the sake of precision; None for 0.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    values = as_tensor(x)
    shape = values._array.shape
    number = count(shape, axes_from_right("Sum", axes, len(shape)))
    offset = None if shift is None else as_tensor(shift, values._array.dtype)
    moved = values if offset is None else values - offset
    counted = as_tensor(number, values._array.dtype)
    sums = reduce_sum(moved, axes, keepdims)
    return counted, sums, reduce_sum(moved * moved, axes, keepdims), offset


@public("nn.normalize_moments")
def normalize_moments(
    counts: NumericLike,
    mean_ss: NumericLike,
    variance_ss: NumericLike,
    shift: NumericLike,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Mean and variance from what ``tf.nn.sufficient_statistics`` gives.

    >>> import cinta as tf
    >>> statistics = tf.nn.sufficient_statistics([1.0, 3.0], [0])
    >>> mean, variance = tf.nn.normalize_moments(*statistics)
    >>> mean.numpy(), variance.numpy()
    (np.float32(2.0), np.float32(1.0))

    Args:
        counts: How many elements were summed.
        mean_ss: Their sum.
        variance_ss: The sum of their squares.
        shift: What was subtracted from them, or None.
    """
    share = 1 / as_tensor(counts)
    mean = as_tensor(mean_ss) * share
    variance = as_tensor(variance_ss) * share - mean * mean
    return (mean if shift is None else mean + shift), variance
