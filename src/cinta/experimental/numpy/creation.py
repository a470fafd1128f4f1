"""Arrays made of shapes and of single numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.tensor import Tensor, seen, wrap
from ...errors import out_of_memory
from ...ops.arguments import (
    flag,
    whole_number,
)
from ...ops.arrays import creation
from ...ops.arrays.shaping import reshape
from ...ops.arrays.tiling import broadcast_to
from ...ops.elementwise.casting import identity as _identity
from ...public import public
from .arguments import count, is_one_of, lengths, numbered, rank
from .types import asarray, dtype_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import DTypeLike, IntLike, NumericLike, ShapeLike, TensorLike


@public("tnp.array")
def array(
    val: NumericLike, dtype: DTypeLike | None = None, copy: bool = True, ndmin: int = 0
) -> Tensor:
    """The value as a tensor of at least so many axes.

    >>> import cinta as tf
    >>> tf.experimental.numpy.array([1, 2]).dtype
    tf.int64

    Args:
        val: An array, a tensor, or what becomes one.
        dtype: The dtype; None for that which NumPy gives.
        copy: Whether to copy what is a tensor already.
        ndmin: The least number of axes; further ones of length 1 stand in front.
    """
    tensor = asarray(val, dtype)
    if flag(copy, "copy") and tensor is val:
        tensor = _identity(tensor)
    missing = rank(max(whole_number(ndmin, "ndmin"), 0), "ndmin") - tensor.ndim
    return tensor[(None,) * missing] if missing > 0 else tensor


@public("tnp.asanyarray")
def asanyarray(a: NumericLike, dtype: DTypeLike | None = None) -> Tensor:
    """The same as ``asarray``.

    >>> import cinta as tf
    >>> tf.experimental.numpy.asanyarray([1, 2]).numpy()
    array([1, 2])

    Args:
        a: An array, a tensor, or what becomes one.
        dtype: The dtype of the result; None for that which NumPy's rules give.
    """
    return asarray(a, dtype)


@public("tnp.ascontiguousarray")
def ascontiguousarray(a: NumericLike, dtype: DTypeLike | None = None) -> Tensor:
    """The value as a tensor of at least one axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.ascontiguousarray(5).numpy()
    array([5])

    Args:
        a: An array, a tensor, or what becomes one.
        dtype: The dtype of the result; None for that which NumPy's rules give.
    """
    return array(a, dtype, ndmin=1)


@public("tnp.copy")
def copy(a: NumericLike) -> Tensor:
    """The value as a tensor of its own.

    >>> import cinta as tf
    >>> tf.experimental.numpy.copy([1, 2]).numpy()
    array([1, 2])
    """
    return array(a)


@public("tnp.zeros")
def zeros(shape: ShapeLike, dtype: DTypeLike = float) -> Tensor:
    """Zeros.

    >>> import cinta as tf
    >>> tf.experimental.numpy.zeros(2)
    <tf.Tensor: shape=(2,), dtype=float64, numpy=array([0., 0.])>

    Args:
        shape: The shape.
        dtype: The dtype; None for that which NumPy gives.
    """
    return creation.zeros(lengths(shape), dtype_of(dtype))


@public("tnp.ones")
def ones(shape: ShapeLike, dtype: DTypeLike = float) -> Tensor:
    """Ones.

    >>> import cinta as tf
    >>> tf.experimental.numpy.ones((2, 2), int).numpy()
    array([[1, 1],
           [1, 1]])

    Args:
        shape: The shape.
        dtype: The dtype; None for that which NumPy gives.
    """
    return creation.ones(lengths(shape), dtype_of(dtype))


@public("tnp.empty")
def empty(shape: ShapeLike, dtype: DTypeLike = float) -> Tensor:
    """An array whose elements do not matter: zeros.

    >>> import cinta as tf
    >>> tf.experimental.numpy.empty((2, 3)).shape
    TensorShape([2, 3])

    Args:
        shape: The shape.
        dtype: The dtype; None for that which NumPy gives.
    """
    return zeros(shape, dtype)


@public("tnp.full")
def full(shape: ShapeLike, fill_value: NumericLike, dtype: DTypeLike | None = None) -> Tensor:
    """An array that repeats a value, which may have axes itself.

    >>> import cinta as tf
    >>> tf.experimental.numpy.full((2, 2), 7).numpy()
    array([[7, 7],
           [7, 7]])

    Args:
        shape: The shape.
        fill_value: The value, which is broadcast to the shape.
        dtype: The dtype; None for that which NumPy gives.
    """
    return broadcast_to(asarray(fill_value, dtype), lengths(shape))


@public("tnp.zeros_like")
def zeros_like(a: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Zeros of the shape and dtype of an array.

    >>> import cinta as tf
    >>> tf.experimental.numpy.zeros_like([1.5, 2.5]).numpy()
    array([0., 0.])

    Args:
        a: An array, a tensor, or what becomes one.
        dtype: The dtype of the result; None for that which NumPy's rules give.
    """
    return full_like(a, 0, dtype)


@public("tnp.ones_like")
def ones_like(a: NumericLike, dtype: DTypeLike | None = None) -> Tensor:
    """Ones of the shape and dtype of an array.

    >>> import cinta as tf
    >>> tf.experimental.numpy.ones_like([1.5, 2.5]).numpy()
    array([1., 1.])

    Args:
        a: An array, a tensor, or what becomes one.
        dtype: The dtype of the result; None for that which NumPy's rules give.
    """
    return full_like(a, 1, dtype)


@public("tnp.empty_like")
def empty_like(a: NumericLike, dtype: DTypeLike | None = None) -> Tensor:
    """Zeros of the shape and dtype of an array.

    >>> import cinta as tf
    >>> tf.experimental.numpy.empty_like([1.5, 2.5]).shape
    TensorShape([2])

    Args:
        a: An array, a tensor, or what becomes one.
        dtype: The dtype of the result; None for that which NumPy's rules give.
    """
    return zeros_like(a, dtype)


@public("tnp.full_like")
def full_like(
    a: TensorLike,
    fill_value: NumericLike,
    dtype: DTypeLike | None = None,
    order: str = "K",
    subok: bool = True,
    shape: ShapeLike | None = None,
) -> Tensor:
    """A value repeated to the shape, and cast to the dtype, of an array.

    >>> import cinta as tf
    >>> tf.experimental.numpy.full_like([1, 2], 2.5).numpy()
    array([2, 2])

    Args:
        a: An array, a tensor, or what becomes one.
        fill_value: The value.
        dtype: Another dtype.
        order: "K".
        subok: True.
        shape: None.

    Raises:
        ValueError: If something else is asked for.
    """
    if not is_one_of(order, ("K",)) or not flag(subok, "subok") or shape is not None:
        raise ValueError("full_like takes no other `order`, `subok` or `shape` than the defaults.")
    tensor = asarray(a)
    wanted = tensor._array.dtype if dtype is None else dtype_of(dtype)
    return full(tensor.shape, fill_value, wanted)


@public("tnp.eye")
def eye(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike = float) -> Tensor:
    """Ones on the k-th diagonal of a matrix, zeros elsewhere.

    >>> import cinta as tf
    >>> tf.experimental.numpy.eye(2, 3, k=1).numpy()
    array([[0., 1., 0.],
           [0., 0., 1.]])

    Args:
        N: The number of rows.
        M: The number of columns; None for as many.
        k: Which diagonal; above the main one if positive.
        dtype: The dtype; None for that which NumPy gives.
    """
    return _matrix(np.eye, N, M, k, dtype)


def _matrix(
    function: Callable[..., Any], N: NumericLike, M: IntLike | None, k: IntLike, dtype: Any
) -> Tensor:
    """The matrix of N rows and M columns that a function of NumPy's makes."""
    rows = count(N, "N")
    columns = rows if M is None else count(M, "M")
    shape, wanted = (rows, columns), dtype_of(dtype)
    if wanted.kind == "O":
        raise TypeError(f"Cannot convert 1 to EagerTensor of dtype string: got dtype={dtype!r}.")
    try:
        return wrap(function(*shape, whole_number(k, "k"), wanted))
    except (MemoryError, ValueError, OverflowError) as error:
        raise out_of_memory(function.__name__, shape, error) from None


@public("tnp.identity")
def identity(n: int, dtype: DTypeLike = float) -> Tensor:
    """The identity matrix.

    >>> import cinta as tf
    >>> tf.experimental.numpy.identity(2).numpy()
    array([[1., 0.],
           [0., 1.]])

    Args:
        n: The number of rows and columns.
        dtype: The dtype; None for that which NumPy gives.
    """
    return eye(n, dtype=dtype)


@public("tnp.tri")
def tri(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None) -> Tensor:
    """Ones on the k-th diagonal and below, zeros above.

    >>> import cinta as tf
    >>> tf.experimental.numpy.tri(2).numpy()
    array([[1., 0.],
           [1., 1.]])

    Args:
        N: The number of rows.
        M: The number of columns; None for as many.
        k: The last diagonal of ones; above the main one if positive.
        dtype: The dtype; None for that which NumPy gives.
    """
    return _matrix(np.tri, N, M, k, float if dtype is None else dtype)


@public("tnp.diag_indices")
def diag_indices(n: int, ndim: int = 2) -> tuple[Tensor, ...]:
    """The indices of the diagonal of an array with so many axes of length n.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.experimental.numpy.diag_indices(2)]
    [[0, 1], [0, 1]]

    Args:
        n: The length of the axes.
        ndim: How many axes there are.
    """
    diagonal = numbered(count(n, "n"), "diag_indices").astype(np.int32)
    return (wrap(diagonal),) * rank(ndim, "ndim")


@public("tnp.meshgrid")
def meshgrid(*xi: NumericLike, **kwargs: str | int) -> list[Tensor]:
    """The coordinates of a grid: each vector repeated along the axes of the others.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.experimental.numpy.meshgrid([1, 2], [3, 4])]
    [[[1, 2], [1, 2]], [[3, 3], [4, 4]]]

    Args:
        xi: Vectors.
        kwargs: ``indexing``, which is "xy" for columns by rows, as in a plane, or "ij" for rows by
            columns.

    Raises:
        ValueError: If ``sparse=True``, ``copy=False`` or another indexing is asked for.
        TypeError: If there are other arguments.
    """
    unknown = set(kwargs) - {"copy", "sparse", "indexing"}
    if unknown:
        raise TypeError(f"meshgrid got unexpected keyword arguments: {sorted(unknown)}")
    if flag(kwargs.get("sparse"), "sparse") or not flag(kwargs.get("copy", True), "copy"):
        raise ValueError("meshgrid supports neither sparse=True nor copy=False.")
    indexing = kwargs.get("indexing", "xy")
    if not is_one_of(indexing, ("xy", "ij")):
        raise ValueError(f"Valid values for `indexing` are 'xy' and 'ij', got {indexing!r}.")
    vectors = [asarray(x) for x in xi]
    swapped = indexing == "xy" and len(vectors) > 1
    order = [1, 0, *range(2, len(vectors))] if swapped else list(range(len(vectors)))
    shape = [vectors[i]._array.size for i in order]
    grids = []
    for i, vector in enumerate(vectors):
        along = [-1 if order[axis] == i else 1 for axis in range(len(vectors))]
        grids.append(broadcast_to(reshape(vector, along), shape))
    return grids


@public("tnp.ix_")
def ix_(*args: NumericLike) -> list[Tensor]:
    """The vectors as indices that together name all elements in these rows and columns.

    >>> import cinta as tf
    >>> [t.shape.as_list() for t in tf.experimental.numpy.ix_([0, 1], [2, 3, 4])]
    [[2, 1], [1, 3]]

    Args:
        args: Vectors of integers or of truths.

    Raises:
        ValueError: If one of them is not a vector.
    """
    arrays = [seen(asarray(x)) for x in args]
    if any(array.ndim != 1 for array in arrays):
        raise ValueError("Arguments of ix_ must be 1-d.")
    return [wrap(found) for found in np.ix_(*arrays)]
