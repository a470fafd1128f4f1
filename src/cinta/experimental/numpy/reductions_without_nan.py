"""Sums, products and means of the elements that are not nan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.tensor import Tensor
from ...ops.arguments import flag
from ...ops.arrays.selecting import where
from ...ops.elementwise.casting import cast
from ...ops.elementwise.comparison import is_nan
from ...public import public
from .reductions import mean, prod, sum
from .types import asarray, floating

if TYPE_CHECKING:
    from ...engine.annotations import AxisLike, DTypeLike, NumericLike


def _without_nan(a: NumericLike, instead: float) -> Tensor:
    tensor = asarray(a)
    if tensor.dtype.is_floating:
        return where(is_nan(tensor), cast(instead, tensor.dtype), tensor)
    return tensor


@public("tnp.nansum")
def nansum(
    a: NumericLike,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Tensor:
    """The sum of the elements that are not nan.

    >>> import cinta as tf
    >>> tf.experimental.numpy.nansum([1.0, float("nan")]).numpy()
    np.float64(1.0)

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        dtype: The dtype of the result; None for that which NumPy's rules give.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    return sum(_without_nan(a, 0.0), axis, dtype, keepdims)


@public("tnp.nanprod")
def nanprod(
    a: NumericLike,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
) -> Tensor:
    """The product of the elements that are not nan.

    >>> import cinta as tf
    >>> tf.experimental.numpy.nanprod([2.0, float("nan")]).numpy()
    np.float64(2.0)

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        dtype: The dtype of the result; None for that which NumPy's rules give.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    return prod(_without_nan(a, 1.0), axis, dtype, keepdims)


@public("tnp.nanmean")
def nanmean(
    a: NumericLike,
    axis: AxisLike | None = None,
    dtype: DTypeLike | None = None,
    keepdims: bool | None = None,
) -> Tensor:
    """The mean of the elements that are not nan.

    >>> import cinta as tf
    >>> tf.experimental.numpy.nanmean([2.0, float("nan")]).numpy()
    np.float64(2.0)

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
        dtype: The dtype of the result; None for that which NumPy's rules give.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    tensor = floating(asarray(a, dtype))
    if not tensor.dtype.is_floating:
        return mean(tensor, axis, keepdims=keepdims)
    counts = cast(~is_nan(tensor), tensor.dtype)
    total = nansum(tensor, axis, keepdims=flag(keepdims, "keepdims"))
    return total / sum(counts, axis, keepdims=keepdims)
