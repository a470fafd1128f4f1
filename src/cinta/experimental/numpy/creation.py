"""Arrays made of shapes, numbers and ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.dtype_kinds import BOOL, NUMERIC
from ...engine.tensor import Tensor, seen, wrap
from ...errors import no_room
from ...ops.arguments import (
    axis_from_right,
    common_shape,
    flag,
    tensor_of,
    whole_number,
)
from ...ops.arrays import creation
from ...ops.arrays.selecting import where
from ...ops.arrays.shaping import expand_dims, reshape
from ...ops.arrays.tiling import broadcast_to
from ...ops.elementwise.casting import cast
from ...ops.elementwise.casting import identity as _identity
from ...ops.elementwise.powers import pow
from ...public import public
from .checks import count, is_one_of, lengths, numbered, rank
from .types import asarray, dtype_of, floating, promoted

if TYPE_CHECKING:
    from collections.abc import Callable


@public("tnp.array")
def array(val: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Tensor:
    """The value as a tensor of at least so many axes.

    >>> import cinta as tf
    >>> tf.experimental.numpy.array([1, 2]).dtype
    tf.int64
    """
    tensor = asarray(val, dtype)
    if flag(copy, "copy") and tensor is val:
        tensor = _identity(tensor)
    missing = rank(max(whole_number(ndmin, "ndmin"), 0), "ndmin") - tensor.ndim
    return tensor[(None,) * missing] if missing > 0 else tensor


@public("tnp.asanyarray")
def asanyarray(a: Any, dtype: Any = None) -> Tensor:
    """The same as ``asarray``.

    >>> import cinta as tf
    >>> tf.experimental.numpy.asanyarray([1, 2]).numpy()
    array([1, 2])
    """
    return asarray(a, dtype)


@public("tnp.ascontiguousarray")
def ascontiguousarray(a: Any, dtype: Any = None) -> Tensor:
    """The value as a tensor of at least one axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.ascontiguousarray(5).numpy()
    array([5])
    """
    return array(a, dtype, ndmin=1)


@public("tnp.copy")
def copy(a: Any) -> Tensor:
    """The value as a tensor of its own.

    >>> import cinta as tf
    >>> tf.experimental.numpy.copy([1, 2]).numpy()
    array([1, 2])
    """
    return array(a)


@public("tnp.zeros")
def zeros(shape: Any, dtype: Any = float) -> Tensor:
    """Zeros.

    >>> import cinta as tf
    >>> tf.experimental.numpy.zeros(2)
    <tf.Tensor: shape=(2,), dtype=float64, numpy=array([0., 0.])>
    """
    return creation.zeros(lengths(shape), dtype_of(dtype))


@public("tnp.ones")
def ones(shape: Any, dtype: Any = float) -> Tensor:
    """Ones.

    >>> import cinta as tf
    >>> tf.experimental.numpy.ones((2, 2), int).numpy()
    array([[1, 1],
           [1, 1]])
    """
    return creation.ones(lengths(shape), dtype_of(dtype))


@public("tnp.empty")
def empty(shape: Any, dtype: Any = float) -> Tensor:
    """An array whose elements do not matter: zeros.

    >>> import cinta as tf
    >>> tf.experimental.numpy.empty((2, 3)).shape
    TensorShape([2, 3])
    """
    return zeros(shape, dtype)


@public("tnp.full")
def full(shape: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    """An array that repeats a value, which may have axes itself.

    >>> import cinta as tf
    >>> tf.experimental.numpy.full((2, 2), 7).numpy()
    array([[7, 7],
           [7, 7]])
    """
    return broadcast_to(asarray(fill_value, dtype), lengths(shape))


@public("tnp.zeros_like")
def zeros_like(a: Any, dtype: Any = None) -> Tensor:
    """Zeros of the shape and dtype of an array.

    >>> import cinta as tf
    >>> tf.experimental.numpy.zeros_like([1.5, 2.5]).numpy()
    array([0., 0.])
    """
    return full_like(a, 0, dtype)


@public("tnp.ones_like")
def ones_like(a: Any, dtype: Any = None) -> Tensor:
    """Ones of the shape and dtype of an array.

    >>> import cinta as tf
    >>> tf.experimental.numpy.ones_like([1.5, 2.5]).numpy()
    array([1., 1.])
    """
    return full_like(a, 1, dtype)


@public("tnp.empty_like")
def empty_like(a: Any, dtype: Any = None) -> Tensor:
    """Zeros of the shape and dtype of an array.

    >>> import cinta as tf
    >>> tf.experimental.numpy.empty_like([1.5, 2.5]).shape
    TensorShape([2])
    """
    return zeros_like(a, dtype)


@public("tnp.full_like")
def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
) -> Tensor:
    """A value repeated to the shape, and cast to the dtype, of an array.

    >>> import cinta as tf
    >>> tf.experimental.numpy.full_like([1, 2], 2.5).numpy()
    array([2, 2])
    """
    if not is_one_of(order, ("K",)) or not flag(subok, "subok") or shape is not None:
        raise ValueError("full_like takes no other `order`, `subok` or `shape` than the defaults.")
    tensor = asarray(a)
    wanted = tensor._array.dtype if dtype is None else dtype_of(dtype)
    return full(tensor.shape, fill_value, wanted)


@public("tnp.eye")
def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = float) -> Tensor:
    """Ones on the k-th diagonal of a matrix, zeros elsewhere.

    >>> import cinta as tf
    >>> tf.experimental.numpy.eye(2, 3, k=1).numpy()
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """
    return _matrix(np.eye, N, M, k, dtype)


def _matrix(function: Callable[..., Any], N: Any, M: Any, k: Any, dtype: Any) -> Tensor:
    """What a function of NumPy's gives that makes a matrix of so many rows and columns."""
    rows = count(N, "N")
    columns = rows if M is None else count(M, "M")
    shape, wanted = (rows, columns), dtype_of(dtype)
    if wanted.kind == "O":
        raise TypeError(f"Cannot convert 1 to EagerTensor of dtype string: got dtype={dtype!r}.")
    try:
        return wrap(function(*shape, whole_number(k, "k"), wanted))
    except (MemoryError, ValueError, OverflowError) as error:
        raise no_room(function.__name__, shape, error) from None


@public("tnp.identity")
def identity(n: int, dtype: Any = float) -> Tensor:
    """The identity matrix.

    >>> import cinta as tf
    >>> tf.experimental.numpy.identity(2).numpy()
    array([[1., 0.],
           [0., 1.]])
    """
    return eye(n, dtype=dtype)


@public("tnp.tri")
def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Tensor:
    """Ones on the k-th diagonal and below, zeros above.

    >>> import cinta as tf
    >>> tf.experimental.numpy.tri(2).numpy()
    array([[1., 0.],
           [1., 1.]])
    """
    return _matrix(np.tri, N, M, k, float if dtype is None else dtype)


@public("tnp.arange")
def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Tensor:
    """Numbers from ``start`` to before ``stop``, ``step`` apart; from 0 if only one is given.

    >>> import cinta as tf
    >>> tf.experimental.numpy.arange(1, 2, 0.5).numpy()
    array([1. , 1.5])
    """
    first, last = (0, start) if stop is None else (start, stop)
    ends = [seen(tensor_of("arange", x, NUMERIC + BOOL)) for x in promoted(first, last, step)]
    wanted = ends[0].dtype if dtype is None else dtype_of(dtype)
    if any(end.ndim for end in ends):
        raise ValueError(f"start, stop and step must be numbers, got {start!r}, {stop!r}, {step!r}")
    if not ends[2]:
        raise ValueError("step must be non-zero")
    try:
        numbers = np.arange(*ends)
    except (MemoryError, OverflowError, TypeError, ValueError) as error:  # nan, or too many
        raise ValueError(f"There is no range from {ends[0]} to {ends[1]}: {error}") from None
    return cast(wrap(numbers), wanted)


@public("tnp.linspace")
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = float,
    axis: int = 0,
) -> Any:
    """So many numbers, evenly spaced, from ``start`` to ``stop``; with their distance if
    ``retstep``.

    >>> import cinta as tf
    >>> tf.experimental.numpy.linspace(0, 1, 3).numpy()
    array([0. , 0.5, 1. ])
    """
    samples, has_end = count(num, "num"), flag(endpoint, "endpoint")
    first, last = [floating(x) for x in promoted(start, stop)]
    gaps = samples - 1 if has_end else samples
    step = (last - first) / gaps if gaps > 0 else (last - first) * np.nan
    axes = len(common_shape("linspace", first._array.shape, last._array.shape)) + 1
    along = axis_from_right("linspace", axis, axes) + axes
    places = numbered(samples, "linspace").reshape([-1 if i == along else 1 for i in range(axes)])
    weight = cast(wrap(places), first.dtype)
    spread = first + 0 * last, last + 0 * first
    low, high = [expand_dims(x, along) for x in spread]
    numbers = low + weight * ((high - low) / gaps) if gaps > 0 else low + 0 * weight
    if has_end and gaps > 0:
        numbers = where(places == gaps, high, numbers)  # not what rounding makes of it
    if dtype is not None:
        numbers = cast(numbers, dtype_of(dtype))
    return (numbers, step) if flag(retstep, "retstep") else numbers


@public("tnp.logspace")
def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Tensor:
    """So many numbers from ``base**start`` to ``base**stop``, with evenly spaced logarithms.

    >>> import cinta as tf
    >>> tf.experimental.numpy.logspace(0, 2, 3).numpy()
    array([  1.,  10., 100.])
    """
    powers = linspace(start, stop, num, endpoint, axis=axis)
    numbers = _power(base, powers)
    return numbers if dtype is None else cast(numbers, dtype_of(dtype))


def _power(base: Any, exponent: Any) -> Tensor:
    x, y = promoted(base, exponent)
    return pow(x, y)


@public("tnp.geomspace")
def geomspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    dtype: Any = None,
    axis: int = 0,
) -> Tensor:
    """So many numbers from ``start`` to ``stop``, each the same multiple of the one before.

    >>> import cinta as tf
    >>> tf.experimental.numpy.geomspace(1, 100, 3).numpy()
    array([  1.,  10., 100.])
    """
    first, last = [floating(x) for x in promoted(start, stop)]
    shares = linspace(0 * (first + last), 0 * (first + last) + 1, num, endpoint, axis=axis)
    low, ratio = expand_dims(first, axis), expand_dims(last / first, axis)
    numbers = low * _power(ratio, shares)
    return cast(numbers, numbers.dtype if dtype is None else dtype_of(dtype))


@public("tnp.vander")
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Tensor:
    """The powers of each element as a row, the highest first unless they are ``increasing``.

    >>> import cinta as tf
    >>> tf.experimental.numpy.vander([2, 3], 3).numpy()
    array([[4, 2, 1],
           [9, 3, 1]])
    """
    vector = asarray(x)
    if vector.ndim != 1:
        raise ValueError(f"x must be a one-dimensional array, but it has {vector.ndim} axes.")
    column = vector[:, None]
    powers = numbered(len(column) if N is None else count(N, "N"), "vander")
    if not flag(increasing, "increasing"):
        powers = powers[::-1]
    return pow(column, cast(wrap(powers), column.dtype))


@public("tnp.diag_indices")
def diag_indices(n: int, ndim: int = 2) -> tuple[Tensor, ...]:
    """The indices of the diagonal of an array with so many axes of length n.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.experimental.numpy.diag_indices(2)]
    [[0, 1], [0, 1]]
    """
    diagonal = numbered(count(n, "n"), "diag_indices").astype(np.int32)
    return (wrap(diagonal),) * rank(ndim, "ndim")


@public("tnp.meshgrid")
def meshgrid(*xi: Any, **kwargs: Any) -> list[Tensor]:
    """The coordinates of a grid: each vector repeated along the axes of the others.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.experimental.numpy.meshgrid([1, 2], [3, 4])]
    [[[1, 2], [1, 2]], [[3, 3], [4, 4]]]
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
def ix_(*args: Any) -> list[Tensor]:
    """The vectors as indices that together name all elements in these rows and columns.

    >>> import cinta as tf
    >>> [t.shape.as_list() for t in tf.experimental.numpy.ix_([0, 1], [2, 3, 4])]
    [[2, 1], [1, 3]]
    """
    arrays = [seen(asarray(x)) for x in args]
    if any(array.ndim != 1 for array in arrays):
        raise ValueError("Arguments of ix_ must be 1-d.")
    return [wrap(found) for found in np.ix_(*arrays)]
