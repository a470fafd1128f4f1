"""Diagonals of matrices, and what is above and below them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.tensor import Tensor
from ...errors import out_of_memory
from ...ops.arguments import axis_from_right, unbounded, whole_number
from ...ops.reductions.reduction import reduce_sum
from ...public import public
from .manipulation import moved
from .reductions import summable
from .types import asarray

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import DTypeLike, NumericLike, TensorLike


@public("tnp.diag")
def diag(v: NumericLike, k: int = 0) -> Tensor:
    """A vector as the k-th diagonal of a matrix of zeros; of a matrix, its k-th diagonal.

    >>> import cinta as tf
    >>> tf.experimental.numpy.diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]])

    Args:
        v: A vector or a matrix.
        k: Which diagonal: above the main one if positive, below it if negative.

    Raises:
        ValueError: If it has neither one axis nor two.
    """
    tensor = asarray(v)
    if tensor.ndim not in (1, 2):
        raise ValueError(f"Input to diag must be 1-d or 2-d only, got {tensor.ndim} axes.")
    return (_made if tensor.ndim == 1 else moved)(np.diag, tensor, unbounded(k, "k"))


@public("tnp.diagflat")
def diagflat(v: NumericLike, k: int = 0) -> Tensor:
    """All elements as the k-th diagonal of a matrix of zeros.

    >>> import cinta as tf
    >>> tf.experimental.numpy.diagflat([1, 2]).numpy()
    array([[1, 0],
           [0, 2]])

    Args:
        v: An array, a tensor, or what becomes one.
        k: Which diagonal; above the main one if positive.
    """
    return _made(np.diagflat, asarray(v), unbounded(k, "k"))


def _made(function: Callable[..., Any], tensor: Tensor, place: int) -> Tensor:
    """The matrix that a function of NumPy's makes, for which there must be room."""
    side = tensor._array.size + abs(place)
    if side**2 > np.iinfo(np.int64).max // 8:
        raise out_of_memory(
            function.__name__, (side, side), MemoryError("they are too many numbers")
        )
    return moved(function, tensor, place)


@public("tnp.diagonal")
def diagonal(a: NumericLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonals of the matrices in two axes, along a new last axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.diagonal([[1, 2], [3, 4]]).numpy()
    array([1, 4])

    Args:
        a: An array, a tensor, or what becomes one.
        offset: Which diagonal: above the main one if positive, below it if negative.
        axis1: The axis of the rows.
        axis2: The axis of the columns.

    Raises:
        ValueError: If these are one axis.
    """
    tensor = asarray(a)
    one = axis_from_right("diagonal", axis1, tensor.ndim, "axis1")
    other = axis_from_right("diagonal", axis2, tensor.ndim, "axis2")
    if one == other:
        raise ValueError(f"axis1 and axis2 cannot be the same, got {axis1!r} and {axis2!r}.")
    return moved(np.diagonal, tensor, whole_number(offset, "offset"), one, other)


@public("tnp.trace")
def trace(
    a: NumericLike, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None
) -> Tensor:
    """The sums along the diagonals of the matrices in two axes.

    >>> import cinta as tf
    >>> tf.experimental.numpy.trace([[1, 2], [3, 4]]).numpy()
    np.int64(5)

    Args:
        a: An array, a tensor, or what becomes one.
        offset: Which diagonal; above the main one if positive.
        axis1: The axis of the rows.
        axis2: The axis of the columns.
        dtype: The dtype; None for that which NumPy gives.
    """
    return reduce_sum(summable(diagonal(a, offset, axis1, axis2), dtype), -1)


@public("tnp.tril")
def tril(m: NumericLike, k: int = 0) -> Tensor:
    """Matrices with zeros above the k-th diagonal.

    >>> import cinta as tf
    >>> tf.experimental.numpy.tril([[1, 2], [3, 4]]).numpy()
    array([[1, 0],
           [3, 4]])

    Args:
        m: An array, a tensor, or what becomes one.
        k: The last diagonal to keep; above the main one if positive.
    """
    return _triangle(np.tril, m, k)


@public("tnp.triu")
def triu(m: TensorLike, k: int = 0) -> Tensor:
    """Matrices with zeros below the k-th diagonal.

    >>> import cinta as tf
    >>> tf.experimental.numpy.triu([[1, 2], [3, 4]]).numpy()
    array([[1, 2],
           [0, 4]])

    Args:
        m: An array, a tensor, or what becomes one.
        k: The first diagonal to keep; above the main one if positive.
    """
    return _triangle(np.triu, m, k)


def _triangle(function: Callable[..., Any], m: TensorLike, k: int) -> Tensor:
    tensor = asarray(m)
    if not tensor.ndim:
        raise ValueError(f"{function.__name__}: m must be a matrix or a vector, got {m!r}.")
    return moved(function, tensor, unbounded(k, "k"))
