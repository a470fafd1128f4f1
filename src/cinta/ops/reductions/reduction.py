"""Reductions: many elements become one - their sum, mean, product, largest, smallest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.broadcasting import lead
from ...engine.c_kernels import FLOAT32, compiled
from ...engine.convert import as_tensor
from ...engine.dtype_kinds import BOOL, NUMERIC, REAL, REAL_FLOATING
from ...engine.fast_calls import on_one
from ...engine.halves import converted
from ...engine.op import Op, op
from ...engine.parallel import exponentials
from ...engine.primitives import Identity, Reshape
from ...engine.shapes import with_ones
from ...engine.summing import Axes, accumulator, added_as_numpy_does, count, summed
from ...public import public
from ..arguments import axes_from_right, flag, tensor_of
from .extremes import largest, smallest
from .scanning import Cumprod

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, AxisLike, NumericLike
    from ...engine.shapes import Shape
    from ...engine.tensor import Array, Tensor

# -- primitives --------------------------------------------------------------------------------


@op("Spread", moves=True, rowwise=True)
def Spread(xp: ArrayModule, x: Array, *, shape: Shape, axis: Axes, keepdims: bool) -> Array:
    """A result of a reduction over these axes, repeated for every element that it came from."""
    rank = len(shape)
    front = lead(x, rank if keepdims else rank - len(axis))
    if not keepdims:
        x = xp.reshape(x, front + with_ones(shape, axis))
    return xp.broadcast_to(x, front + shape)


def _spread(x: Array, *, shape: Shape, axis: Axes, keepdims: bool) -> Array:
    """The same in a tenth of the time for one number, the gradient of most losses."""
    if x.ndim or x.dtype.kind not in "fc":
        return Spread.kernel(np, x, shape=shape, axis=axis, keepdims=keepdims)
    return np.ndarray(shape, x.dtype, x, 0, (0,) * len(shape))


Spread.run = _spread


@op("Sum", linear=True, rowwise=True)
def Sum(xp: ArrayModule, x: Array, *, axis: Axes, keepdims: bool) -> Array:
    """Sum over axes that are counted from the right."""
    out = summed(xp, x, axis, keepdims)
    return converted(out, x.dtype)


@Sum.specialized
def _(dtype: np.dtype[Any], shape: Shape, *, axis: Axes, keepdims: bool) -> Any:
    if not added_as_numpy_does(dtype, shape):
        return None
    is_vector = dtype is FLOAT32 and len(shape) == len(axis) == 1
    if _sum_of_few is not None and is_vector and shape[0] <= _FEW and not keepdims:
        return (_sum_of_few,)
    return np.add.reduce, axis, dtype, *((None, True) if keepdims else ())


_sum_of_few, _FEW = compiled("sum_of_few"), 7


@op("Mean", linear=True, rowwise=True)
def Mean(xp: ArrayModule, x: Array, *, axis: Axes, keepdims: bool) -> Array:
    """Mean over axes that are counted from the right; of ints, cut off towards 0."""
    n = count(x.shape, axis)
    if x.dtype.kind in "iu":
        whole = xp.add.reduce(x, axis=axis, dtype=np.int64, keepdims=keepdims)
        return xp.trunc(whole / max(n, 1)).astype(x.dtype)
    out = summed(xp, x, axis, keepdims) / n
    return converted(out, x.dtype)


@op("Max", rowwise=True)
def Max(xp: ArrayModule, x: Array, *, axis: Axes, keepdims: bool) -> Array:
    """The largest over axes that are counted from the right."""
    return largest(xp, x, axis, keepdims)


@op("Min", rowwise=True)
def Min(xp: ArrayModule, x: Array, *, axis: Axes, keepdims: bool) -> Array:
    """The smallest over axes that are counted from the right."""
    return smallest(xp, x, axis, keepdims)


@op("ShareOfEqual", rowwise=True)
def ShareOfEqual(xp: ArrayModule, x: Array, extreme: Array, *, axis: Axes, keepdims: bool) -> Array:
    """How much of a maximum or minimum belongs to each element: equal ones share equally."""
    chosen = x == (extreme if keepdims else xp.expand_dims(extreme, axis))
    many = xp.add.reduce(chosen, axis=axis, dtype=x.dtype, keepdims=True)
    result: Array = chosen / many
    return result


@op("Prod", rowwise=True)
def Prod(xp: ArrayModule, x: Array, *, axis: int) -> Array:
    """Product over one axis that is counted from the right."""
    wide = accumulator(x.dtype)
    return xp.multiply.reduce(x, axis=axis, dtype=wide).astype(x.dtype, copy=False)


@op("Any", rowwise=True)
def Any_(xp: ArrayModule, x: Array, *, axis: Axes, keepdims: bool) -> Array:
    """Whether anything is true along axes that are counted from the right."""
    return xp.logical_or.reduce(x, axis=axis, keepdims=keepdims)


@op("All", rowwise=True)
def All_(xp: ArrayModule, x: Array, *, axis: Axes, keepdims: bool) -> Array:
    """Whether everything is true along axes that are counted from the right."""
    return xp.logical_and.reduce(x, axis=axis, keepdims=keepdims)


@op("LogSumExp", rowwise=True)
def LogSumExp(xp: ArrayModule, x: Array, *, axis: Axes, keepdims: bool) -> Array:
    """log(sum(exp(x))) over axes that are counted from the right, without overflow."""
    top = largest(xp, x, axis, True)
    top = xp.where(xp.isfinite(top), top, xp.zeros_like(top))
    out = log_of_sum(xp, x.astype(accumulator(x.dtype), copy=False) - top, axis) + top
    return (out if keepdims else xp.squeeze(out, axis=axis)[()]).astype(x.dtype, copy=False)


def log_of_sum(xp: ArrayModule, below: Array, axis: Axes) -> Array:
    """log(sum(exp(x))) of numbers of which 0 is the largest; the axes stay, with length 1.

    Where little is added to the exponential of that 0 it is left out, so that no digits are lost.
    """
    powers = exponentials(below) if xp is np else xp.exp(below)
    total = summed(xp, powers, axis, True)
    if xp is np:
        near = (total >= 1) & (total < 1.5)
        if near.any():
            rest = summed(np, np.where(below == 0, 0, powers), axis, True)
            return np.where(near, np.log1p(rest), np.log(total))
    return xp.log(total)


@op("Shares", rowwise=True)
def Shares(xp: ArrayModule, x: Array, total: Array, *, axis: Axes) -> Array:
    """exp(x - total), for a total that is the log(sum(exp(x))) over the axes, and moves with x."""
    return xp.exp(x - total)


@op("SharesGrad", broadcasts=True, elementwise=False)
def SharesGrad(xp: ArrayModule, gradients: Array, shares: Array, *, axis: Axes) -> Array:
    """shares * (gradients - sum(gradients * shares)), where the shares have the sum 1.

    Gradients are taken relative to that of the largest share: where this is close to 1 nothing else
    than the small ones counts, and they would be lost in the sum.
    """
    top = (shares == xp.max(shares, axis=axis, keepdims=True, initial=0)).astype(shares.dtype)
    middle = summed(xp, gradients * top, axis, True) / summed(xp, top, axis, True)
    relative = gradients - middle
    found: Array = shares * (relative - summed(xp, relative * shares, axis, True))
    return found.astype(shares.dtype, copy=False)


# -- rules -------------------------------------------------------------------------------------

Spread.grads(x=lambda g, axis, keepdims: Sum(g, axis=axis, keepdims=keepdims))
Sum.grads(
    x=lambda g, x_shape, axis, keepdims: Spread(g, shape=x_shape, axis=axis, keepdims=keepdims)
)
Mean.grads(
    x=lambda g, x_shape, axis, keepdims: Spread(
        g / max(count(x_shape, axis), 1), shape=x_shape, axis=axis, keepdims=keepdims
    )
)
for extreme in (Max, Min):
    extreme.grads(
        x=lambda g, x, x_shape, out, axis, keepdims: (
            Spread(g, shape=x_shape, axis=axis, keepdims=keepdims)
            * ShareOfEqual(x, out, axis=axis, keepdims=keepdims)
        )
    )
LogSumExp.grads(
    x=lambda g, x, x_shape, out, axis, keepdims: (
        Spread(g, shape=x_shape, axis=axis, keepdims=keepdims)
        * Shares(x, Spread(out, shape=x_shape, axis=axis, keepdims=keepdims), axis=axis)
    )
)
Shares.grads(x=lambda g, out, axis: SharesGrad(g, out, axis=axis))
SharesGrad.grads(
    gradients=lambda g, shares, axis: SharesGrad(g, shares, axis=axis),
    shares=lambda g, gradients, shares, axis: (
        g * (gradients - _sum(gradients * shares, axis)) - gradients * _sum(g * shares, axis)
    ),
)
ShareOfEqual.no_grad()


def _sum(x: Tensor, axis: Axes) -> Tensor:
    return Sum(x, axis=axis, keepdims=True)


def product_of_others(x: Tensor, axis: int) -> Tensor:
    """For every element the product of all others along an axis, zeros or not."""
    before = Cumprod(x, axis=axis, exclusive=True, reverse=False)
    return before * Cumprod(x, axis=axis, exclusive=True, reverse=True)


Prod.grads(
    x=lambda g, x, x_shape, axis: (
        Spread(g, shape=x_shape, axis=(axis,), keepdims=False) * product_of_others(x, axis)
    )
)


# -- functions ---------------------------------------------------------------------------------


def reduced(
    op: Op, value: NumericLike, axis: AxisLike | None, keepdims: bool, kinds: str
) -> Tensor:
    """Call a reduction on what a user gave; ``kinds`` are the kinds of dtype that it takes."""
    x = tensor_of(op.name, value, kinds)
    axes = axes_from_right(op.name, axis, x._array.ndim)
    return on_one(op, x, axis=axes, keepdims=flag(keepdims, "keepdims"))


@public("math.reduce_sum", "reduce_sum")
def reduce_sum(
    input_tensor: NumericLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Sum of the elements along axes; of all elements if no axis is given.

    >>> import cinta as tf
    >>> tf.reduce_sum([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy()
    array([4., 6.], dtype=float32)

    Args:
        input_tensor: A tensor of numbers.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    return reduced(Sum, input_tensor, axis, keepdims, NUMERIC)


@public("math.reduce_mean", "reduce_mean")
def reduce_mean(
    input_tensor: NumericLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Mean of the elements along axes; of all elements if no axis is given.

    The mean of ints is an int, cut off towards 0: cast to floats first for the exact mean.

    >>> import cinta as tf
    >>> tf.reduce_mean([[1.0, 2.0], [3.0, 4.0]], axis=1).numpy()
    array([1.5, 3.5], dtype=float32)

    Args:
        input_tensor: A tensor of numbers.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    return reduced(Mean, input_tensor, axis, keepdims, NUMERIC)


@public("math.reduce_max", "reduce_max")
def reduce_max(
    input_tensor: NumericLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """The largest element along axes; equal ones share the gradient.

    >>> import cinta as tf
    >>> tf.reduce_max([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy()
    array([3., 4.], dtype=float32)

    Args:
        input_tensor: A tensor of numbers.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    return reduced(Max, input_tensor, axis, keepdims, REAL)


@public("math.reduce_min", "reduce_min")
def reduce_min(
    input_tensor: NumericLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """The smallest element along axes; equal ones share the gradient.

    >>> import cinta as tf
    >>> tf.reduce_min([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy()
    array([1., 2.], dtype=float32)

    Args:
        input_tensor: A tensor of numbers.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    return reduced(Min, input_tensor, axis, keepdims, REAL)


@public("math.reduce_prod", "reduce_prod")
def reduce_prod(
    input_tensor: NumericLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Product of the elements along axes; of all elements if no axis is given.

    The gradient is right where there are zeros too.

    >>> import cinta as tf
    >>> tf.reduce_prod([[1.0, 2.0], [3.0, 4.0]], axis=1).numpy()
    array([ 2., 12.], dtype=float32)

    Args:
        input_tensor: A tensor of numbers.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    x = tensor_of("Prod", input_tensor, NUMERIC)
    shape = x._array.shape
    axes = axes_from_right("Prod", axis, len(shape))
    if len(axes) == len(shape):
        result = on_one(Prod, on_one(Reshape, x, shape=(x._array.size,)), axis=-1)
    else:
        result = on_one(Identity, x)
        for each in axes:  # from the left: the others, counted from the right, keep their places
            result = on_one(Prod, result, axis=each)
    if flag(keepdims, "keepdims"):
        result = on_one(Reshape, result, shape=with_ones(shape, axes))
    return result


@public("math.reduce_logsumexp", "reduce_logsumexp")
def reduce_logsumexp(
    input_tensor: NumericLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """log(sum(exp(x))) along axes, without overflow where x is large.

    >>> import cinta as tf
    >>> tf.math.reduce_logsumexp([1000.0, 1000.0]).numpy()
    np.float32(1000.6932)

    Args:
        input_tensor: A tensor of floating-point numbers.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    return reduced(LogSumExp, input_tensor, axis, keepdims, REAL_FLOATING)


@public("math.reduce_any", "reduce_any")
def reduce_any(
    input_tensor: NumericLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Whether any bool along axes is true.

    >>> import cinta as tf
    >>> tf.reduce_any([[True, False], [False, False]], axis=1).numpy()
    array([ True, False])

    Args:
        input_tensor: A tensor of booleans.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    return reduced(Any_, _bools(input_tensor), axis, keepdims, BOOL)


@public("math.reduce_all", "reduce_all")
def reduce_all(
    input_tensor: NumericLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Whether all bools along axes are true.

    >>> import cinta as tf
    >>> tf.reduce_all([[True, True], [True, False]], axis=1).numpy()
    array([ True, False])

    Args:
        input_tensor: A tensor of booleans.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    return reduced(All_, _bools(input_tensor), axis, keepdims, BOOL)


def _bools(value: object) -> Any:
    """Lists as bools, so that empty ones are not taken for floats."""
    return as_tensor(value, np.dtype(bool)) if isinstance(value, (list, tuple)) else value
