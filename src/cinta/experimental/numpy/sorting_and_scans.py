"""Sorting, positions of extremes and running sums, along one axis or of all elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.tensor import Tensor, seen, wrap
from ...ops.arguments import axis_from_right
from ...ops.arrays.shaping import reshape
from ...ops.reductions import locating, scanning, sorting
from ...public import public
from .arguments import is_one_of
from .manipulation import atleast_1d
from .reductions import summable
from .types import asarray, dtype_of

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike, NumericLike


@public("tnp.cumsum")
def cumsum(a: NumericLike, axis: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """The sums of all elements up to each; of the flattened array without an axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.cumsum([1, 2, 3]).numpy()
    array([1, 3, 6])

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis, counted from the end if negative; None for the flattened array.
        dtype: The dtype of the result; None for that which NumPy's rules give.
    """
    return scanning.cumsum(*_along(summable(a, dtype), axis))


@public("tnp.cumprod")
def cumprod(a: NumericLike, axis: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """The products of all elements up to each.

    >>> import cinta as tf
    >>> tf.experimental.numpy.cumprod([1, 2, 3]).numpy()
    array([1, 2, 6])

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis, counted from the end if negative; None for the flattened array.
        dtype: The dtype of the result; None for that which NumPy's rules give.
    """
    return scanning.cumprod(*_along(summable(a, dtype), axis))


def _along(tensor: Tensor, axis: int | None) -> tuple[Tensor, int]:
    """The array and the axis; the flattened array if there is none."""
    return (reshape(tensor, [-1]), 0) if axis is None else (tensor, axis)


@public("tnp.argmax")
def argmax(a: NumericLike, axis: int | None = None) -> Tensor:
    """The position of the largest element; in the flattened array without an axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.argmax([3, 9, 4]).numpy()
    np.int64(1)

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis, counted from the end if negative; None for the flattened array.
    """
    return locating.argmax(*_along(asarray(a), axis))


@public("tnp.argmin")
def argmin(a: NumericLike, axis: int | None = None) -> Tensor:
    """The position of the smallest element.

    >>> import cinta as tf
    >>> tf.experimental.numpy.argmin([3, 9, 4]).numpy()
    np.int64(0)

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis, counted from the end if negative; None for the flattened array.
    """
    return locating.argmin(*_along(asarray(a), axis))


@public("tnp.sort")
def sort(
    a: NumericLike, axis: int | None = -1, kind: str = "quicksort", order: str | None = None
) -> Tensor:
    """The elements in order along an axis; all of them, flattened, if it is None.

    >>> import cinta as tf
    >>> tf.experimental.numpy.sort([3, 1, 2]).numpy()
    array([1, 2, 3])

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis, counted from the end if negative; None for the flattened array.
        kind: "quicksort" or "stable".
        order: None.
    """
    _check_sorting("sort", kind, order)
    return sorting.sort(*_along(asarray(a), axis))


@public("tnp.argsort")
def argsort(
    a: NumericLike, axis: int | None = -1, kind: str = "quicksort", order: object = None
) -> Tensor:
    """The positions that would put the elements in order; equal ones keep theirs.

    >>> import cinta as tf
    >>> tf.experimental.numpy.argsort([3, 1, 2]).numpy()
    array([1, 2, 0])

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axis, counted from the end if negative; None for the flattened array.
        kind: "quicksort" or "stable".
        order: None.
    """
    _check_sorting("argsort", kind, order)
    tensor, along = _along(asarray(a) if axis is None else atleast_1d(a), axis)
    place = axis_from_right("argsort", along, tensor.ndim)
    return wrap(np.argsort(seen(tensor), place, "stable").astype(dtype_of(int), copy=False))


def _check_sorting(name: str, kind: str, order: object) -> None:
    if not is_one_of(kind, ("quicksort", "stable")):
        raise ValueError(
            f"Invalid value for argument `kind` of {name}: {kind!r}. "
            "Only kind='quicksort' and kind='stable' are supported."
        )
    if order is not None:
        raise ValueError(f"{name}: the argument `order` is not supported: there are no fields.")
