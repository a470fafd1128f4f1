"""Elements moved, repeated and joined."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.tensor import Tensor, wrap
from ...ops.arguments import (
    axis_from_right,
    common_shape,
    different_axes,
    integers,
    shape_argument,
    whole_number,
)
from ...ops.arrays import joining, padding, reordering, shaping, tiling
from ...ops.arrays.gathering import gather
from ...ops.reductions.reduction import reduce_sum
from .checks import fits, is_one_of, lengths, places, several
from .types import asarray, promoted

if TYPE_CHECKING:
    from collections.abc import Callable


def moved(function: Callable[..., Any], a: Tensor, *args: Any) -> Tensor:
    """What a function of NumPy's that moves elements does, differentiably.

    The function moves the elements' numbers, from 1 on, and where it leaves 0 there is a zero.
    """
    array = a._array
    taken = function(np.arange(1, array.size + 1).reshape(array.shape), *args)
    flat = shaping.reshape(a, [-1])
    if np.all(taken):
        return gather(flat, wrap(np.asarray(taken) - 1))
    zero = wrap(np.zeros(1, array.dtype))
    return gather(joining.concat([zero, flat], 0), wrap(np.asarray(taken)))


# -- shapes --------------------------------------------------------------------------------------


def ndim(a: Any) -> int:
    """The number of axes.

    >>> import cinta as tf
    >>> tf.experimental.numpy.ndim([[1, 2, 3]])
    2
    """
    return asarray(a).ndim


def shape(a: Any) -> Any:
    """The length of every axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.shape([[1, 2, 3]])
    TensorShape([1, 3])
    """
    return asarray(a).shape


def size(x: Any, axis: Any = None) -> Any:
    """The number of elements.

    >>> import cinta as tf
    >>> tf.experimental.numpy.size([[1, 2, 3]])
    np.int64(3)
    """
    if axis is not None:
        raise NotImplementedError("size takes no axis; use x.shape[axis].")
    return np.int64(asarray(x)._array.size)


def reshape(a: Any, newshape: Any, order: str = "C") -> Tensor:
    """The elements in another shape, in rows (order "C") or in columns ("F").

    >>> import cinta as tf
    >>> tf.experimental.numpy.reshape([1, 2, 3, 4], (2, 2), order="F").numpy()
    array([[1, 3],
           [2, 4]])
    """
    tensor = asarray(a)
    shape = shape_argument(newshape, "newshape")
    if not is_one_of(order, ("C", "F")):
        raise ValueError(f"Unsupported value for argument `order`: {order!r}; give 'C' or 'F'.")
    if order == "C":
        return shaping.reshape(tensor, shape)
    return transpose(shaping.reshape(transpose(tensor), shape[::-1]))


def ravel(a: Any) -> Tensor:
    """All elements along one axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.ravel([[1, 2], [3, 4]]).numpy()
    array([1, 2, 3, 4])
    """
    return shaping.reshape(asarray(a), [-1])


def flatten(a: Any, order: str = "C") -> Tensor:
    """All elements along one axis, in rows (order "C") or in columns ("F").

    >>> import cinta as tf
    >>> tf.experimental.numpy.flatten([[1, 2], [3, 4]], order="F").numpy()
    array([1, 3, 2, 4])
    """
    return reshape(a, -1, "C" if is_one_of(order, ("A", "K")) else order)


def transpose(a: Any, axes: Any = None) -> Tensor:
    """The axes in another order: the opposite one if none is given.

    >>> import cinta as tf
    >>> tf.experimental.numpy.transpose([[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]])
    """
    return shaping.transpose(asarray(a), axes)


def swapaxes(a: Any, axis1: int, axis2: int) -> Tensor:
    """Two axes exchanged.

    >>> import cinta as tf
    >>> tf.experimental.numpy.swapaxes([[1, 2], [3, 4]], 0, 1).numpy()
    array([[1, 3],
           [2, 4]])
    """
    tensor = asarray(a)
    order = list(range(tensor.ndim))
    one = axis_from_right("swapaxes", axis1, tensor.ndim, "axis1")
    other = axis_from_right("swapaxes", axis2, tensor.ndim, "axis2")
    order[one], order[other] = order[other], order[one]
    return shaping.transpose(tensor, order)


def moveaxis(a: Any, source: Any, destination: Any) -> Tensor:
    """Axes moved to other places; the others keep their order.

    >>> import cinta as tf
    >>> tf.experimental.numpy.moveaxis(tf.zeros([1, 2, 3]), 0, -1).shape
    TensorShape([2, 3, 1])
    """
    tensor = asarray(a)
    rank = tensor.ndim
    old = different_axes("moveaxis", source, rank, "source")
    new = different_axes("moveaxis", destination, rank, "destination")
    if len(old) != len(new):
        raise ValueError(
            "`source` and `destination` must have the same number of elements, got "
            f"{source!r} and {destination!r}."
        )
    order = [axis for axis in range(rank) if axis - rank not in old]
    for place, axis in sorted(zip(new, old, strict=True)):
        order.insert(place + rank, axis + rank)
    return shaping.transpose(tensor, order)


def expand_dims(a: Any, axis: Any) -> Tensor:
    """A new axis of length one at this place.

    >>> import cinta as tf
    >>> tf.experimental.numpy.expand_dims([1, 2], axis=1).numpy()
    array([[1],
           [2]])
    """
    return shaping.expand_dims(asarray(a), axis)


def squeeze(a: Any, axis: Any = None) -> Tensor:
    """Without the axes of length one, or without those of them that are named.

    >>> import cinta as tf
    >>> tf.experimental.numpy.squeeze([[[1, 2]]], axis=0).numpy()
    array([[1, 2]])
    """
    return shaping.squeeze(asarray(a), axis)


def _at_least(rank: int, widen: Callable[[Tensor], Tensor], arrays: tuple[Any, ...]) -> Any:
    tensors = [asarray(a) for a in arrays]
    wide = [widen(t) if t.ndim < rank else t for t in tensors]
    return wide[0] if len(wide) == 1 else wide


def atleast_1d(*arys: Any) -> Any:
    """Each array with at least one axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.atleast_1d(5).numpy()
    array([5])
    """
    return _at_least(1, lambda t: t[None], arys)


def atleast_2d(*arys: Any) -> Any:
    """Each array with at least two axes: a vector becomes a row.

    >>> import cinta as tf
    >>> tf.experimental.numpy.atleast_2d([1, 2]).numpy()
    array([[1, 2]])
    """
    return _at_least(2, lambda t: t[None] if t.ndim else t[None, None], arys)


def atleast_3d(*arys: Any) -> Any:
    """Each array with at least three axes: a vector becomes the middle one.

    >>> import cinta as tf
    >>> tf.experimental.numpy.atleast_3d([1, 2]).shape
    TensorShape([1, 2, 1])
    """

    def widen(t: Tensor) -> Tensor:
        return (
            t[..., None] if t.ndim == 2 else t[None, ..., None] if t.ndim else t[None, None, None]
        )

    return _at_least(3, widen, arys)


def broadcast_to(array: Any, shape: Any) -> Tensor:
    """The array repeated to this shape.

    >>> import cinta as tf
    >>> tf.experimental.numpy.broadcast_to([1, 2], (2, 2)).numpy()
    array([[1, 2],
           [1, 2]])
    """
    return tiling.broadcast_to(asarray(array), lengths(shape))


def broadcast_arrays(*args: Any, **kwargs: Any) -> list[Tensor]:
    """The arrays repeated to one shape.

    >>> import cinta as tf
    >>> [t.shape.as_list() for t in tf.experimental.numpy.broadcast_arrays([1, 2], [[3], [4]])]
    [[2, 2], [2, 2]]
    """
    if kwargs.pop("subok", False) or kwargs:
        raise ValueError(f"broadcast_arrays takes arrays only, got {sorted(kwargs) or 'subok'}.")
    tensors = [asarray(a) for a in args]
    shape = common_shape("broadcast_arrays", *[t._array.shape for t in tensors])
    return [tiling.broadcast_to(t, shape) for t in tensors]


# -- order ---------------------------------------------------------------------------------------


def flip(m: Any, axis: Any = None) -> Tensor:
    """The elements in the opposite order along an axis, or along all.

    >>> import cinta as tf
    >>> tf.experimental.numpy.flip([[1, 2], [3, 4]], axis=1).numpy()
    array([[2, 1],
           [4, 3]])
    """
    tensor = asarray(m)
    axes = range(tensor.ndim) if axis is None else integers(axis, "axis")
    return reordering.reverse(tensor, list(axes)) if len(axes) else tensor


def flipud(m: Any) -> Tensor:
    """The rows in the opposite order.

    >>> import cinta as tf
    >>> tf.experimental.numpy.flipud([[1, 2], [3, 4]]).numpy()
    array([[3, 4],
           [1, 2]])
    """
    return flip(m, 0)


def fliplr(m: Any) -> Tensor:
    """The columns in the opposite order.

    >>> import cinta as tf
    >>> tf.experimental.numpy.fliplr([[1, 2], [3, 4]]).numpy()
    array([[2, 1],
           [4, 3]])
    """
    return flip(m, 1)


def roll(a: Any, shift: Any, axis: Any = None) -> Tensor:
    """The elements moved along axes, those that leave at one end coming in at the other.

    >>> import cinta as tf
    >>> tf.experimental.numpy.roll([1, 2, 3], 1).numpy()
    array([3, 1, 2])
    """
    tensor = asarray(a)
    if axis is None:
        return shaping.reshape(reordering.roll(ravel(tensor), shift, 0), tensor.shape)
    return reordering.roll(tensor, shift, axis)


def rot90(m: Any, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Tensor:
    """A matrix turned by a quarter, k times, from the first axis towards the second.

    >>> import cinta as tf
    >>> tf.experimental.numpy.rot90([[1, 2], [3, 4]]).numpy()
    array([[2, 4],
           [1, 3]])
    """
    tensor = asarray(m)
    plane = different_axes("rot90", axes, tensor.ndim, "axes")
    if len(plane) != 2:
        raise ValueError(f"rot90: `axes` must be two, got {axes!r}.")
    return moved(np.rot90, tensor, whole_number(k, "k"), plane)


def repeat(a: Any, repeats: Any, axis: int | None = None) -> Tensor:
    """Every element, or every slice along an axis, repeated.

    >>> import cinta as tf
    >>> tf.experimental.numpy.repeat([1, 2], 2).numpy()
    array([1, 1, 2, 2])
    """
    return tiling.repeat(asarray(a), repeats, axis)


def tile(a: Any, reps: Any) -> Tensor:
    """The array repeated along its axes, which may become more.

    >>> import cinta as tf
    >>> tf.experimental.numpy.tile([1, 2], (2, 1)).numpy()
    array([[1, 2],
           [1, 2]])
    """
    tensor = asarray(a)
    counts = list(lengths(reps, "reps"))
    rank = len(counts) if len(counts) > tensor.ndim else tensor.ndim
    wide = [1] * (rank - tensor.ndim) + list(tensor.shape)
    return tiling.tile(shaping.reshape(tensor, wide), [1] * (rank - len(counts)) + counts)


def pad(array: Any, pad_width: Any, mode: str, **kwargs: Any) -> Tensor:
    """The array with elements around it: a constant, or its own mirrored.

    >>> import cinta as tf
    >>> tf.experimental.numpy.pad([1, 2], [[1, 1]], "constant", constant_values=7).numpy()
    array([7, 1, 2, 7])
    """
    if not is_one_of(mode, ("constant", "reflect", "symmetric")):
        raise ValueError(f"Unsupported padding mode: {mode}")
    tensor = asarray(array)
    widths = places(pad_width, "pad_width")
    fits(widths.shape, (tensor.ndim, 2), "pad_width")
    widths = np.broadcast_to(widths, (tensor.ndim, 2))
    value = asarray(kwargs.get("constant_values", 0), tensor.dtype)
    return padding.pad(tensor, widths, mode, value)


# -- joining and splitting -----------------------------------------------------------------------


def concatenate(arys: Any, axis: int | None = 0) -> Tensor:
    """The arrays one behind the other along an axis; flattened if it is None.

    >>> import cinta as tf
    >>> tf.experimental.numpy.concatenate([[1, 2], [3.5]]).numpy()
    array([1. , 2. , 3.5])
    """
    tensors = promoted(*map(asarray, several(arys, "arys")))
    if axis is None:
        return joining.concat([ravel(t) for t in tensors], 0)
    return joining.concat(tensors, axis)


def append(arr: Any, values: Any, axis: int | None = None) -> Tensor:
    """Values behind the array along an axis; both flattened if it is None.

    >>> import cinta as tf
    >>> tf.experimental.numpy.append([1, 2], [[3, 4]]).numpy()
    array([1, 2, 3, 4])
    """
    return concatenate([arr, values], axis)


def stack(arrays: Any, axis: int = 0) -> Tensor:
    """The arrays side by side along a new axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.stack([[1, 2], [3, 4]], axis=1).numpy()
    array([[1, 3],
           [2, 4]])
    """
    return joining.stack(promoted(*map(asarray, several(arrays, "arrays"))), axis)


def _several(arrays: Any) -> list[Any]:
    """What a function that takes several arrays gives for these, be they one or many."""
    return arrays if isinstance(arrays, list) else [arrays]


def vstack(tup: Any) -> Tensor:
    """The arrays one below the other; vectors are rows.

    >>> import cinta as tf
    >>> tf.experimental.numpy.vstack([[1, 2], [3, 4]]).numpy()
    array([[1, 2],
           [3, 4]])
    """
    return concatenate(_several(atleast_2d(*several(tup, "tup"))), 0)


def hstack(tup: Any) -> Tensor:
    """The arrays one beside the other: along the second axis, vectors along their only one.

    >>> import cinta as tf
    >>> tf.experimental.numpy.hstack([[1, 2], [3, 4]]).numpy()
    array([1, 2, 3, 4])
    """
    arrays = _several(atleast_1d(*several(tup, "tup")))
    return concatenate(arrays, 0 if arrays[0].ndim == 1 else 1)


def dstack(tup: Any) -> Tensor:
    """The arrays one behind the other: along the third axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.dstack([[1, 2], [3, 4]]).numpy()
    array([[[1, 3],
            [2, 4]]])
    """
    return concatenate(_several(atleast_3d(*several(tup, "tup"))), 2)


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    """The array in so many equal parts, or cut at these places.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.experimental.numpy.split([1, 2, 3, 4], [1, 3])]
    [[1], [2, 3], [4]]
    """
    tensor = asarray(ary)
    along = axis_from_right("split", axis, tensor.ndim)
    cuts = places(indices_or_sections, "indices_or_sections")
    if not cuts.ndim:
        return joining.split(tensor, cuts.item(), along)
    if cuts.ndim > 1:
        raise ValueError(
            f"indices_or_sections must be a number or a vector, got {indices_or_sections!r}."
        )
    length = tensor._array.shape[along]
    ends = np.clip([0, *cuts.tolist(), length], 0, length).tolist()
    return joining.split(tensor, [high - low for low, high in pairwise(ends)], along)


def vsplit(ary: Any, indices_or_sections: Any) -> list[Tensor]:
    """``split`` along the first axis.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.experimental.numpy.vsplit([[1, 2], [3, 4]], 2)]
    [[[1, 2]], [[3, 4]]]
    """
    return split(ary, indices_or_sections, 0)


def hsplit(ary: Any, indices_or_sections: Any) -> list[Tensor]:
    """``split`` along the second axis, of vectors along their only one.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.experimental.numpy.hsplit([[1, 2], [3, 4]], 2)]
    [[[1], [3]], [[2], [4]]]
    """
    tensor = asarray(ary)
    return split(tensor, indices_or_sections, 1 if tensor.ndim > 1 else 0)


def dsplit(ary: Any, indices_or_sections: Any) -> list[Tensor]:
    """``split`` along the third axis.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.experimental.numpy.dsplit([[[1, 2]]], 2)]
    [[[[1]]], [[[2]]]]
    """
    return split(ary, indices_or_sections, 2)


# -- diagonals -----------------------------------------------------------------------------------


def diag(v: Any, k: int = 0) -> Tensor:
    """A vector as the k-th diagonal of a matrix of zeros; of a matrix, its k-th diagonal.

    >>> import cinta as tf
    >>> tf.experimental.numpy.diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]])
    """
    tensor = asarray(v)
    if tensor.ndim not in (1, 2):
        raise ValueError(f"Input to diag must be 1-d or 2-d only, got {tensor.ndim} axes.")
    return moved(np.diag, tensor, whole_number(k, "k"))


def diagflat(v: Any, k: int = 0) -> Tensor:
    """All elements as the k-th diagonal of a matrix of zeros.

    >>> import cinta as tf
    >>> tf.experimental.numpy.diagflat([1, 2]).numpy()
    array([[1, 0],
           [0, 2]])
    """
    return moved(np.diagflat, asarray(v), whole_number(k, "k"))


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonals of the matrices in two axes, along a new last axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.diagonal([[1, 2], [3, 4]]).numpy()
    array([1, 4])
    """
    tensor = asarray(a)
    one = axis_from_right("diagonal", axis1, tensor.ndim, "axis1")
    other = axis_from_right("diagonal", axis2, tensor.ndim, "axis2")
    if one == other:
        raise ValueError(f"axis1 and axis2 cannot be the same, got {axis1!r} and {axis2!r}.")
    return moved(np.diagonal, tensor, whole_number(offset, "offset"), one, other)


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Tensor:
    """The sums along the diagonals of the matrices in two axes.

    >>> import cinta as tf
    >>> tf.experimental.numpy.trace([[1, 2], [3, 4]]).numpy()
    np.int64(5)
    """
    return reduce_sum(asarray(diagonal(a, offset, axis1, axis2), dtype), -1)


def tril(m: Any, k: int = 0) -> Tensor:
    """Matrices with zeros above the k-th diagonal.

    >>> import cinta as tf
    >>> tf.experimental.numpy.tril([[1, 2], [3, 4]]).numpy()
    array([[1, 0],
           [3, 4]])
    """
    return _triangle(np.tril, m, k)


def triu(m: Any, k: int = 0) -> Tensor:
    """Matrices with zeros below the k-th diagonal.

    >>> import cinta as tf
    >>> tf.experimental.numpy.triu([[1, 2], [3, 4]]).numpy()
    array([[1, 2],
           [0, 4]])
    """
    return _triangle(np.triu, m, k)


def _triangle(function: Callable[..., Any], m: Any, k: Any) -> Tensor:
    tensor = asarray(m)
    if not tensor.ndim:
        raise ValueError(f"{function.__name__}: m must be a matrix or a vector, got {m!r}.")
    return moved(function, tensor, whole_number(k, "k"))
