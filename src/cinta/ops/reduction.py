"""Reductions: many elements become one - their sum, mean, product, largest, smallest."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..convert import as_tensor
from ..doors import NUMERIC, REAL, REAL_FLOATING, refused_dtype
from ..errors import InvalidArgumentError
from ..op import Op, op
from .arguments import axes_from_right, integers
from .broadcasting import lead
from .calling import on_one
from .mathematics import Exp
from .scanning import Cumprod
from .shaping import Reshape

if TYPE_CHECKING:
    from ..tensor import Array, Tensor

Axes = tuple[int, ...]

_LARGE = 1 << 14  # from here on a sum of everything is worth taking apart
_BLOCK = 4096


# -- primitives --------------------------------------------------------------------------------


@op("Spread")
def Spread(xp: Any, x: Array, *, shape: tuple[int, ...], axis: Axes, keepdims: bool) -> Array:
    """What was reduced over these axes, given back to every element that it came from."""
    rank = len(shape)
    front = lead(x, rank if keepdims else rank - len(axis))
    if not keepdims:
        x = xp.reshape(x, front + tuple([1 if i - rank in axis else shape[i] for i in range(rank)]))
    return xp.broadcast_to(x, front + shape)


def _spread(x: Array, *, shape: tuple[int, ...], axis: Axes, keepdims: bool) -> Array:
    """The same in a tenth of the time for one number, the gradient of most losses."""
    if x.ndim or x.dtype.kind not in "fc":
        return _spread_any(x, shape=shape, axis=axis, keepdims=keepdims)
    return np.ndarray(shape, x.dtype, x, 0, (0,) * len(shape))


_spread_any, Spread.run = Spread.run, _spread


@op("Sum")
def Sum(xp: Any, x: Array, *, axis: Axes, keepdims: bool) -> Array:
    """Sum over axes that are counted from the right."""
    if xp is np and x.size >= _LARGE and len(axis) == x.ndim and not keepdims and _in_a_row(x):
        return total(x)
    wide = accumulator(x.dtype)
    return xp.add.reduce(x, axis=axis, dtype=wide, keepdims=keepdims).astype(x.dtype, copy=False)


@op("Mean")
def Mean(xp: Any, x: Array, *, axis: Axes, keepdims: bool) -> Array:
    """Mean over axes that are counted from the right; of ints, cut off towards 0."""
    n = count(x.shape, axis)
    if x.dtype.kind in "iu":
        summed = xp.add.reduce(x, axis=axis, dtype=np.int64, keepdims=keepdims)
        return xp.trunc(summed / max(n, 1)).astype(x.dtype)
    if xp is np and x.size >= _LARGE and len(axis) == x.ndim and not keepdims and _in_a_row(x):
        return total(x) / n
    summed = xp.add.reduce(x, axis=axis, dtype=accumulator(x.dtype), keepdims=keepdims)
    return (summed / n).astype(x.dtype, copy=False)


@op("Max")
def Max(xp: Any, x: Array, *, axis: Axes, keepdims: bool) -> Array:
    """The largest over axes that are counted from the right."""
    return _extreme(xp, xp.maximum, x, axis, keepdims, lowest)


@op("Min")
def Min(xp: Any, x: Array, *, axis: Axes, keepdims: bool) -> Array:
    """The smallest over axes that are counted from the right."""
    return _extreme(xp, xp.minimum, x, axis, keepdims, highest)


@op("ShareOfEqual")
def ShareOfEqual(xp: Any, x: Array, out: Array, *, axis: Axes, keepdims: bool) -> Array:
    """How much of a maximum or minimum belongs to each element: equal ones share equally."""
    if not keepdims:
        out = xp.expand_dims(out, axis)
    chosen = x == out
    many = xp.add.reduce(chosen, axis=axis, dtype=x.dtype, keepdims=True)
    return chosen / many


@op("Prod")
def Prod(xp: Any, x: Array, *, axis: int) -> Array:
    """Product over one axis that is counted from the right."""
    wide = accumulator(x.dtype)
    return xp.multiply.reduce(x, axis=axis, dtype=wide).astype(x.dtype, copy=False)


@op("Any")
def Any_(xp: Any, x: Array, *, axis: Axes, keepdims: bool) -> Array:
    """Whether anything is true along axes that are counted from the right."""
    return xp.logical_or.reduce(x, axis=axis, keepdims=keepdims)


@op("All")
def All_(xp: Any, x: Array, *, axis: Axes, keepdims: bool) -> Array:
    """Whether everything is true along axes that are counted from the right."""
    return xp.logical_and.reduce(x, axis=axis, keepdims=keepdims)


@op("LogSumExp")
def LogSumExp(xp: Any, x: Array, *, axis: Axes, keepdims: bool) -> Array:
    """log(sum(exp(x))) over axes that are counted from the right, without overflow."""
    top = _extreme(xp, xp.maximum, x, axis, True, lowest)
    top = xp.where(xp.isfinite(top), top, xp.zeros_like(top))
    summed = xp.log(xp.add.reduce(xp.exp(x - top), axis=axis, keepdims=True)) + top
    return (summed if keepdims else xp.squeeze(summed, axis=axis)[()]).astype(x.dtype, copy=False)


def _arg_extreme(xp: Any, find: Any, x: Array, axis: int, dtype: Any) -> Array:
    if x.dtype.kind not in "fiub":
        x = x.astype(np.float32)
    return find(x, axis=axis).astype(dtype)


@op("ArgMax")
def ArgMax(xp: Any, x: Array, *, axis: int, dtype: Any) -> Array:
    """Where the largest stands along an axis; the first of equal ones."""
    return _arg_extreme(xp, xp.argmax, x, axis, dtype)


@op("ArgMin")
def ArgMin(xp: Any, x: Array, *, axis: int, dtype: Any) -> Array:
    """Where the smallest stands along an axis; the first of equal ones."""
    return _arg_extreme(xp, xp.argmin, x, axis, dtype)


@op("CountNonzero")
def CountNonzero(xp: Any, x: Array, *, axis: Axes, keepdims: bool, dtype: Any) -> Array:
    """How many elements are not zero, or of strings not empty."""
    nothing = b"" if x.dtype == object else x.dtype.type(0)
    return xp.add.reduce(x != nothing, axis=axis, dtype=np.int64, keepdims=keepdims).astype(dtype)


def _in_a_row(x: Array) -> bool:
    return bool(x.flags.c_contiguous) and x.dtype.char in "fd"


def total(x: Array) -> Array:
    """The sum of a large array of floats that lie in a row in memory.

    ``einsum`` adds in wider steps than ``add.reduce``, twice to three times as fast; by blocks, so
    that the rounding errors stay as small.
    """
    flat = x.reshape(-1)
    rest = flat.size % _BLOCK
    blocks = np.einsum("ij->i", flat[: flat.size - rest].reshape(-1, _BLOCK))
    return np.add.reduce(blocks) + np.add.reduce(flat[flat.size - rest :])


def _extreme(xp: Any, ufunc: Any, x: Array, axis: Axes, keepdims: bool, neutral: Any) -> Array:
    if x.size:
        return ufunc.reduce(x, axis=axis, keepdims=keepdims)
    return xp.add.reduce(x, axis=axis, keepdims=keepdims, dtype=x.dtype) + neutral(x.dtype)


def lowest(dtype: Any) -> Any:
    """What is not larger than any value of a dtype."""
    return dtype.type(-np.inf if dtypes.of(dtype).is_floating else dtypes.of(dtype).min)


def highest(dtype: Any) -> Any:
    """What is not smaller than any value of a dtype."""
    return dtype.type(np.inf if dtypes.of(dtype).is_floating else dtypes.of(dtype).max)


def accumulator(dtype: Any) -> Any:
    """The dtype to add up in: half precision is added in single precision."""
    return np.dtype(np.float32) if dtype.itemsize == 2 and dtype.kind in REAL_FLOATING else dtype


def count(shape: tuple[int, ...], axis: Axes) -> int:
    """How many elements go into one result of a reduction over these axes."""
    return prod([shape[i] for i in axis])


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
        * Exp(x - Spread(out, shape=x_shape, axis=axis, keepdims=keepdims))
    )
)
ShareOfEqual.no_grad()
ArgMax.no_grad()
ArgMin.no_grad()
CountNonzero.no_grad()


def product_of_others(x: Any, axis: int) -> Any:
    """For every element the product of all others along an axis, zeros or not."""
    before = Cumprod(x, axis=axis, exclusive=True, reverse=False)
    return before * Cumprod(x, axis=axis, exclusive=True, reverse=True)


Prod.grads(
    x=lambda g, x, x_shape, axis: (
        Spread(g, shape=x_shape, axis=(axis,), keepdims=False) * product_of_others(x, axis)
    )
)


# -- functions ---------------------------------------------------------------------------------


def reduced(op: Op, value: Any, axis: Any, keepdims: Any, kinds: str) -> Tensor:
    """Call a reduction on what a user gave; ``kinds`` are the kinds of dtype that it takes."""
    x = as_tensor(value)
    if x._array.dtype.kind not in kinds:
        raise refused_dtype(op.name, x, kinds)
    axes = axes_from_right(op.name, axis, x._array.ndim)
    return on_one(op, x, axis=axes, keepdims=bool(keepdims))


def reduce_sum(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Sum of the elements along axes; of all elements if no axis is given.

    >>> import cinta as tf
    >>> tf.reduce_sum([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy()
    array([4., 6.], dtype=float32)
    """
    return reduced(Sum, input_tensor, axis, keepdims, NUMERIC)


def reduce_mean(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Mean of the elements along axes; of all elements if no axis is given.

    The mean of ints is an int, cut off towards 0: cast to floats first for the exact mean.

    >>> import cinta as tf
    >>> tf.reduce_mean([[1.0, 2.0], [3.0, 4.0]], axis=1).numpy()
    array([1.5, 3.5], dtype=float32)
    """
    return reduced(Mean, input_tensor, axis, keepdims, NUMERIC)


def reduce_max(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The largest element along axes; equal ones share the gradient.

    >>> import cinta as tf
    >>> tf.reduce_max([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy()
    array([3., 4.], dtype=float32)
    """
    return reduced(Max, input_tensor, axis, keepdims, REAL)


def reduce_min(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The smallest element along axes; equal ones share the gradient.

    >>> import cinta as tf
    >>> tf.reduce_min([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy()
    array([1., 2.], dtype=float32)
    """
    return reduced(Min, input_tensor, axis, keepdims, REAL)


def reduce_prod(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Product of the elements along axes; of all elements if no axis is given.

    The gradient is right where there are zeros too.

    >>> import cinta as tf
    >>> tf.reduce_prod([[1.0, 2.0], [3.0, 4.0]], axis=1).numpy()
    array([ 2., 12.], dtype=float32)
    """
    x = as_tensor(input_tensor)
    if x._array.dtype.kind not in NUMERIC:
        raise refused_dtype("Prod", x, NUMERIC)
    shape = x._array.shape
    axes = axes_from_right("Prod", axis, len(shape))
    if shape and len(axes) == len(shape):
        result = on_one(Prod, on_one(Reshape, x, shape=(x._array.size,)), axis=-1)
    else:
        result = x
        for each in axes:  # from the left: the others, counted from the right, keep their places
            result = on_one(Prod, result, axis=each)
    if keepdims:
        kept = tuple([1 if i - len(shape) in axes else n for i, n in enumerate(shape)])
        result = on_one(Reshape, result, shape=kept)
    return result


def reduce_logsumexp(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """log(sum(exp(x))) along axes, without overflow where x is large.

    >>> import cinta as tf
    >>> tf.math.reduce_logsumexp([1000.0, 1000.0]).numpy()
    np.float32(1000.6931)
    """
    return reduced(LogSumExp, input_tensor, axis, keepdims, REAL_FLOATING)


def reduce_any(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Whether any bool along axes is true.

    >>> import cinta as tf
    >>> tf.reduce_any([[True, False], [False, False]], axis=1).numpy()
    array([ True, False])
    """
    return reduced(Any_, input_tensor, axis, keepdims, "b")


def reduce_all(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Whether all bools along axes are true.

    >>> import cinta as tf
    >>> tf.reduce_all([[True, True], [True, False]], axis=1).numpy()
    array([ True, False])
    """
    return reduced(All_, input_tensor, axis, keepdims, "b")


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
    wanted = np.dtype(dtypes.as_dtype(dtype))
    result: Tensor = CountNonzero(x, axis=axes, keepdims=bool(keepdims), dtype=wanted)
    return result


def argmax(
    input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """Where the largest element stands along an axis (the first one); it has no gradient.

    >>> import cinta as tf
    >>> tf.argmax([[1.0, 5.0, 2.0], [7.0, 0.0, 7.0]], axis=1).numpy()
    array([1, 0])
    """
    return _where_extreme(ArgMax, input, axis, output_type)


def argmin(
    input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """Where the smallest element stands along an axis (the first one); it has no gradient.

    >>> import cinta as tf
    >>> tf.argmin([[1.0, 5.0, 2.0], [7.0, 0.0, 7.0]], axis=1).numpy()
    array([0, 1])
    """
    return _where_extreme(ArgMin, input, axis, output_type)


def _where_extreme(op: Op, value: Any, axis: Any, output_type: Any) -> Tensor:
    x = as_tensor(value)
    if x._array.dtype.kind not in REAL + "b":
        raise refused_dtype(op.name, x, REAL + "b")
    given = integers(0 if axis is None else axis, "axis")
    shape = x._array.shape
    if len(given) != 1 or not -len(shape) <= given[0] < len(shape):
        raise InvalidArgumentError(
            f"Expected dimension in the range [{-len(shape)}, {len(shape)}), but got "
            f"{', '.join(map(str, given))} [Op:{op.name}]"
        )
    if not shape[given[0]]:
        raise InvalidArgumentError(
            f"Reduction axis {given[0]} is empty in shape {list(shape)} [Op:{op.name}]"
        )
    wanted = np.dtype(dtypes.as_dtype(output_type))
    result: Tensor = op(x, axis=given[0], dtype=wanted)
    return result
