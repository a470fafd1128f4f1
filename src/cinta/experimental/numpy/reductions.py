"""Sums, extremes and the like, along axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from ...engine import settings
from ...engine.tensor import Tensor
from ...ops.arguments import axis_from_right, flag, number
from ...ops.arrays.shaping import reshape
from ...ops.arrays.tiling import broadcast_to
from ...ops.elementwise.casting import cast
from ...ops.reductions import counting, moments, reduction
from ...public import public
from .types import asarray, common_dtype, default_float, dtype_of, floating

if TYPE_CHECKING:
    from ...engine.annotations import AxisLike, DTypeLike, NumericLike


_WIDE = {"b": np.int64, "i": np.int64, "u": np.uint64}
"""The dtype in which sums of a kind of integers are computed."""
_WIDE_IN_LATTICE = {"b": np.int32, "i": np.int32, "u": np.uint32}
"""The dtype of sums of shorter integers, if dtypes are promoted by the lattice."""


def summable(a: NumericLike, dtype: Any) -> Tensor:
    """The array in the dtype of its sum: integers and bools have 64 bits there, or 32 at least."""
    tensor = asarray(a)
    if dtype is not None:
        return cast(tensor, dtype_of(dtype))
    own = tensor._array.dtype
    if settings.lattice and own.itemsize >= 4:
        return tensor
    wide = (_WIDE_IN_LATTICE if settings.lattice else _WIDE).get(own.kind)
    return tensor if wide is None else asarray(tensor, wide)


@public("tnp.sum")
def sum(
    a: NumericLike,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool | None = None,
) -> Tensor:
    """The sum of the elements along axes.

    >>> import cinta as tf
    >>> tf.experimental.numpy.sum([[1, 2], [3, 4]], axis=0).numpy()
    array([4, 6])

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        dtype: The dtype of the result; None for that which NumPy's rules give.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    return reduction.reduce_sum(summable(a, dtype), axis, flag(keepdims, "keepdims"))


@public("tnp.prod")
def prod(
    a: NumericLike,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool | None = None,
) -> Tensor:
    """The product of the elements along axes.

    >>> import cinta as tf
    >>> tf.experimental.numpy.prod([[1, 2], [3, 4]], axis=0).numpy()
    array([3, 8])

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        dtype: The dtype of the result; None for that which NumPy's rules give.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    return reduction.reduce_prod(summable(a, dtype), axis, flag(keepdims, "keepdims"))


@public("tnp.mean")
def mean(
    a: NumericLike,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    out: object = None,
    keepdims: bool | None = None,
) -> Tensor:
    """The mean of the elements along axes; of integers as a float.

    >>> import cinta as tf
    >>> tf.experimental.numpy.mean([1, 2]).numpy()
    np.float64(1.5)

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        dtype: The dtype that the elements are cast to.
        out: None.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    _no_out("mean", out)
    return reduction.reduce_mean(_float(a, dtype), axis, flag(keepdims, "keepdims"))


def _float(a: NumericLike, dtype: Any) -> Tensor:
    return floating(asarray(a, dtype))


def _no_out(name: str, out: object) -> None:
    if out is not None:
        raise ValueError(f"{name}: setting out is not supported: a tensor never changes.")


@public("tnp.var")
def var(
    a: NumericLike,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    out: object = None,
    ddof: int = 0,
    keepdims: bool | None = None,
) -> Tensor:
    """The variance along axes: the sum of squared distances to the mean, by ``n - ddof``.

    >>> import cinta as tf
    >>> tf.experimental.numpy.var([1, 2, 3], ddof=1).numpy()
    np.float64(1.0)

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        dtype: The dtype that the elements are cast to.
        out: None.
        ddof: How much less than the number of elements to divide by.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    _no_out("var", out)
    tensor = _float(a, dtype)
    found = moments.reduce_variance(tensor, axis, flag(keepdims, "keepdims"))
    fewer = number(ddof, "ddof")
    if not fewer:
        return found
    count = int(tensor._array.size) // int(np.maximum(found._array.size, 1))
    return found * (np.inf if fewer >= count else count / (count - fewer))


@public("tnp.std")
def std(a: NumericLike, axis: AxisLike | None = None, keepdims: bool | None = None) -> Tensor:
    """The standard deviation along axes.

    >>> import cinta as tf
    >>> tf.experimental.numpy.std([1, 3]).numpy()
    np.float64(1.0)

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    return moments.reduce_std(_float(a, None), axis, flag(keepdims, "keepdims"))


@public("tnp.all")
def all(a: NumericLike, axis: AxisLike | None = None, keepdims: bool | None = None) -> Tensor:
    """Whether all elements along axes are true, or not zero.

    >>> import cinta as tf
    >>> tf.experimental.numpy.all([[1, 0], [2, 3]], axis=1).numpy()
    array([False,  True])

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    return reduction.reduce_all(cast(asarray(a), "bool"), axis, flag(keepdims, "keepdims"))


@public("tnp.any")
def any(a: NumericLike, axis: AxisLike | None = None, keepdims: bool | None = None) -> Tensor:
    """Whether any element along axes is true, or not zero.

    >>> import cinta as tf
    >>> tf.experimental.numpy.any([[0, 0], [2, 3]], axis=1).numpy()
    array([False,  True])

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    return reduction.reduce_any(cast(asarray(a), "bool"), axis, flag(keepdims, "keepdims"))


@public("tnp.max")
def max(a: NumericLike, axis: AxisLike | None = None, keepdims: bool | None = None) -> Tensor:
    """The largest element along axes.

    >>> import cinta as tf
    >>> tf.experimental.numpy.max([[1, 5], [7, 3]], axis=1).numpy()
    array([5, 7])

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    tensor = asarray(a)
    largest = reduction.reduce_any if tensor.dtype.is_bool else reduction.reduce_max
    return largest(tensor, axis, flag(keepdims, "keepdims"))


@public("tnp.min")
def min(a: NumericLike, axis: AxisLike | None = None, keepdims: bool | None = None) -> Tensor:
    """The smallest element along axes.

    >>> import cinta as tf
    >>> tf.experimental.numpy.min([[1, 5], [7, 3]], axis=1).numpy()
    array([1, 3])

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    tensor = asarray(a)
    smallest = reduction.reduce_all if tensor.dtype.is_bool else reduction.reduce_min
    return smallest(tensor, axis, flag(keepdims, "keepdims"))


@public("tnp.amax")
def amax(
    a: NumericLike, axis: AxisLike | None = None, out: object = None, keepdims: bool | None = None
) -> Tensor:
    """The same as ``max``.

    >>> import cinta as tf
    >>> tf.experimental.numpy.amax([1, 5]).numpy()
    np.int64(5)

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        out: None.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    _no_out("amax", out)
    return max(a, axis, keepdims)


@public("tnp.amin")
def amin(
    a: NumericLike, axis: AxisLike | None = None, out: object = None, keepdims: bool | None = None
) -> Tensor:
    """The same as ``min``.

    >>> import cinta as tf
    >>> tf.experimental.numpy.amin([1, 5]).numpy()
    np.int64(1)

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        out: None.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    _no_out("amin", out)
    return min(a, axis, keepdims)


@public("tnp.ptp")
def ptp(a: NumericLike, axis: AxisLike | None = None, keepdims: bool | None = None) -> Tensor:
    """The distance from the smallest to the largest element along axes.

    >>> import cinta as tf
    >>> tf.experimental.numpy.ptp([3, 7, 4]).numpy()
    np.int64(4)

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    return max(a, axis, keepdims) - min(a, axis, keepdims)


@overload
def average(
    a: NumericLike,
    axis: AxisLike | None = None,
    weights: NumericLike | None = None,
    returned: Literal[False] = False,
) -> Tensor: ...
@overload
def average(
    a: NumericLike,
    axis: AxisLike | None = None,
    weights: NumericLike | None = None,
    *,
    returned: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@public("tnp.average")
def average(
    a: NumericLike,
    axis: AxisLike | None = None,
    weights: NumericLike | None = None,
    returned: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """The mean of elements that weigh as much as weights say.

    >>> import cinta as tf
    >>> tf.experimental.numpy.average([1, 2], weights=[1, 3]).numpy()
    np.float64(1.75)

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        weights: The weight of each element, or of each place along one axis; None for equal ones.
        returned: Whether to give the sum of the weights, too.

    Raises:
        ValueError: If the weights have another shape, and there is no axis.
    """
    values, heavy = _weighed(asarray(a), weights)
    if heavy.shape != values.shape:
        if axis is None and heavy.ndim:
            raise ValueError("Axis must be specified when shapes of a and weights differ.")
        if heavy.ndim == 1:
            lengths = [1] * values.ndim
            lengths[axis_from_right("average", axis, values.ndim)] = -1
            heavy = reshape(heavy, lengths)
    weighted = values * heavy
    total = sum(broadcast_to(heavy, weighted._array.shape), axis)
    found = sum(weighted, axis) / total
    return (found, total) if flag(returned, "returned") else found


def _weighed(values: Tensor, weights: NumericLike | None) -> tuple[Tensor, Tensor]:
    """Values and their weights, or 1, as floats of the dtype that they have together."""
    own = values._array.dtype
    given: list[Any] = [own] if weights is None else [own, weights]
    dtype = common_dtype(*given, *([default_float()] if own.kind in "biu" else []))
    return asarray(values, dtype), asarray(1 if weights is None else weights, dtype)


@public("tnp.count_nonzero")
def count_nonzero(a: NumericLike, axis: AxisLike | None = None) -> Tensor:
    """How many elements along axes are not zero.

    >>> import cinta as tf
    >>> tf.experimental.numpy.count_nonzero([0, 3, 4]).numpy()
    np.int64(2)

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
    """
    return counting.count_nonzero(asarray(a), axis)
