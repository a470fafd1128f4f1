"""Gathering: rows and elements by their indices."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ...engine.broadcasting import lead
from ...engine.convert import as_tensor
from ...engine.fast_calls import on_one
from ...engine.indexed_slices import GradientRows
from ...engine.op import op
from ...engine.primitives import Reshape, ScatterRows
from ...engine.primitives.reshaping import boxed
from ...engine.shapes import Shape, written
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import axis_from_right, shape_argument, whole, whole_number
from .shaping import transpose

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, IntLike, ShapeLike, TensorLike
    from ...engine.tensor import Array, Tensor


# -- primitives --------------------------------------------------------------------------------


@op("GatherV2", moves=True)
def Gather(xp: ArrayModule, x: Array, indices: Array, *, axis: int) -> Array:
    """The slices at these indices along an axis that is counted from the right."""
    return xp.take(x, indices, axis=axis)


@op("ResourceGather", moves=True)
def Lookup(xp: ArrayModule, x: Array, indices: Array) -> Array:
    """The rows of a table; the gradient holds no other rows."""
    return xp.take(x, indices, axis=0)


@Gather.fails_if
def _(xp: ArrayModule, out: Array, x: Array, indices: Array, *, axis: int) -> Array:
    return xp.any((indices < 0) | (indices >= x.shape[axis]))


@Lookup.fails_if
def _(xp: ArrayModule, out: Array, x: Array, indices: Array) -> Array:
    return xp.any((indices < 0) | (indices >= x.shape[0]))


def _take(x: Array, indices: Array, *, axis: int) -> Array:
    if indices.size and indices.min() < 0:  # NumPy would count from the end
        raise out_of_range(indices, x.shape[axis])
    try:
        return boxed(x.take(indices, axis=axis))
    except IndexError:
        raise out_of_range(indices, x.shape[axis]) from None


def out_of_range(indices: Array, length: int) -> InvalidArgumentError:
    place = np.argwhere((indices < 0) | (indices >= length))[0]
    return InvalidArgumentError(
        f"indices{written(place)} = {indices[tuple(place)]} is not in [0, {length}) [Op:GatherV2]"
    )


Gather.run = _take
Lookup.run = partial(_take, axis=0)


def gather_grad(
    g: Tensor, indices: Tensor, indices_shape: Shape, x_shape: Shape, axis: int
) -> Tensor:
    """The gathered elements, added up at the places that they came from."""
    outer, inner = x_shape[:axis], x_shape[len(x_shape) + axis + 1 :]
    before = lead(g, len(outer) + len(indices_shape) + len(inner))
    values = Reshape(g, shape=(*before, *outer, prod(indices_shape), *inner))
    flat = Reshape(indices, shape=(-1,))
    return ScatterRows(values, flat, rows=x_shape[axis], rank=-axis)


def lookup_grad(g: Tensor, indices: Array, indices_shape: Shape, x_shape: Shape) -> GradientRows:
    """A gradient as rows, not summed: the table itself may be too large to have twice."""
    rest = x_shape[1:]
    before = lead(g, len(indices_shape) + len(rest))
    values = Reshape(g, shape=(*before, prod(indices_shape), *rest))
    return GradientRows([(values, Reshape(indices, shape=(-1,)))], x_shape)


Gather.grads(x=gather_grad)
Lookup.grads(x=lookup_grad)


@op("RavelIndex")
def RavelIndex(xp: ArrayModule, indices: Array, *, dims: Shape, batch_dims: int) -> Array:
    """Where index vectors point in the flat order of the elements of a tensor.

    The first ``batch_dims`` axes of the indices are axes of that tensor too.
    """
    rank = indices.ndim - 1
    along = [xp.arange(dims[k]).reshape((-1,) + (1,) * (rank - k - 1)) for k in range(batch_dims)]
    columns = (*along, *xp.moveaxis(indices, -1, 0))
    if not columns:
        return xp.zeros(indices.shape[:-1], np.int64)
    try:
        return xp.ravel_multi_index(columns, dims, mode="raise" if xp is np else "clip")
    except ValueError:
        raise _out_of_shape(indices, dims[batch_dims:]) from None


@RavelIndex.fails_if
def _(xp: ArrayModule, out: Array, indices: Array, *, dims: Shape, batch_dims: int) -> Array:
    return xp.any((indices < 0) | (indices >= xp.asarray(dims[batch_dims:])))


def _out_of_shape(indices: Array, dims: Shape) -> InvalidArgumentError:
    """Which of the index vectors points out of a tensor."""
    bad = ((indices < 0) | (indices >= np.array(dims))).any(-1)
    place = np.argwhere(bad)[0]
    return InvalidArgumentError(
        f"indices{place.tolist()} = {indices[tuple(place)].tolist()} does not index into shape "
        f"{written(dims)}: each index must be at least 0 and below the length of its axis."
    )


@op("UnravelIndex")
def UnravelIndex(xp: ArrayModule, indices: Array, *, dims: Shape) -> Array:
    """The index vectors, along the first axis, of places in the flat order of the elements."""
    return xp.stack(xp.unravel_index(indices, dims)).astype(indices.dtype)


@UnravelIndex.fails_if
def _(xp: ArrayModule, out: Array, indices: Array, *, dims: Shape) -> Array:
    return xp.any((indices < 0) | (indices >= prod(dims)))


RavelIndex.no_grad()
UnravelIndex.no_grad()


# -- functions ---------------------------------------------------------------------------------


@public("gather")
def gather(
    params: TensorLike,
    indices: TensorLike,
    validate_indices: object = None,
    axis: IntLike | None = None,
    batch_dims: int | None = 0,
    name: str | None = None,
) -> Tensor:
    """The slices at these indices along an axis.

    >>> import cinta as tf
    >>> tf.gather([10, 20, 30], [2, 0, 2]).numpy()
    array([30, 10, 30], dtype=int32)

    The first ``batch_dims`` axes of ``params`` and ``indices`` go together: every batch has
    indices of its own. Along axis 0 the gradient is a `tf.IndexedSlices`, which holds only the
    rows that were looked up.

    Args:
        params: The tensor to take slices from.
        indices: Integers, of any shape.
        validate_indices: Accepted: indices are always checked.
        axis: The axis, counted from the end if negative; None for the first after ``batch_dims``.
        batch_dims: How many axes both tensors have in common.

    Raises:
        InvalidArgumentError: If an index is out of range.
    """
    x, where = as_tensor(params), whole(indices)
    rank = x._array.ndim
    batch = 0 if batch_dims is None else whole_number(batch_dims, "batch_dims")
    first = axis_from_right("GatherV2", batch if axis is None else axis, rank)
    batch = batch + where._array.ndim if batch < 0 else batch
    if batch:
        return _gather_batches(x, where, first + rank, batch)
    if first == -rank and (axis is None or int(axis) >= 0):  # counted from the right it is dense
        return Lookup(x, where)
    return Gather(x, where, axis=first)


def _gather_batches(x: Tensor, indices: Tensor, axis: int, batch: int) -> Tensor:
    """Gather with batches: lay them one after the other, and gather from that."""
    shape, of_indices = x._array.shape, indices._array.shape
    if not batch <= axis or batch > len(of_indices) or shape[:batch] != of_indices[:batch]:
        raise InvalidArgumentError(
            f"batch_dims = {batch} needs axis >= batch_dims, got axis {axis}, and params and "
            f"indices whose first axes agree, got shapes {written(shape)} and "
            f"{written(of_indices)} [Op:GatherV2]"
        )
    order = [*range(batch), axis, *range(batch, axis), *range(axis + 1, len(shape))]
    moved = transpose(x, order)
    dims, rest = moved._array.shape[: batch + 1], moved._array.shape[batch + 1 :]
    rows = on_one(Reshape, moved, shape=(prod(dims), *rest))
    vectors = Reshape(indices, shape=(*of_indices, 1))
    flat = RavelIndex(vectors, dims=dims, batch_dims=batch)
    gathered: Tensor = Gather(rows, flat, axis=-len(rest) - 1)
    picked, outer = len(of_indices) - batch, axis - batch
    if not picked or not outer:
        return gathered
    middle = [*range(batch + picked, batch + picked + outer), *range(batch, batch + picked)]
    return transpose(gathered, [*range(batch), *middle, *range(axis + picked, gathered.ndim)])


def rows_at(op: str, vectors: Tensor, shape: Shape, batch: int = 0) -> tuple[Shape, Tensor]:
    """A tensor's shape as rows of what the index vectors point at, and the rows' numbers."""
    depth = depth_of_vectors(op, vectors._array.shape, shape, batch)
    places: Tensor = RavelIndex(vectors, dims=shape[:depth], batch_dims=batch)
    return (prod(shape[:depth]), *shape[depth:]), places


def depth_of_vectors(op: str, of_vectors: Shape, shape: Shape, batch: int) -> int:
    """To how many axes of a tensor the index vectors lead, those of the batch among them."""
    if not of_vectors:
        raise InvalidArgumentError(f"indices must be at least a vector, got a scalar [Op:{op}]")
    depth = batch + of_vectors[-1]
    if depth > len(shape) or of_vectors[:batch] != shape[:batch]:
        raise InvalidArgumentError(
            f"index vectors of length {of_vectors[-1]} with batch_dims={batch} do not index into "
            f"a tensor of shape {written(shape)} [Op:{op}]"
        )
    return depth


@public("unravel_index")
def unravel_index(indices: TensorLike, dims: ShapeLike, name: str | None = None) -> Tensor:
    """The coordinates of elements by their places in the flat order of a tensor of this shape.

    >>> import cinta as tf
    >>> tf.unravel_index([2, 5], [3, 3]).numpy()
    array([[0, 1],
           [2, 2]], dtype=int32)

    Args:
        indices: Places in the flat order, which begins with 0.
        dims: The shape.

    Raises:
        InvalidArgumentError: If a place is out of range.
    """
    lengths = shape_argument(dims, "dims")
    if 0 in lengths:
        raise InvalidArgumentError(
            f"dims cannot contain a dim of zero: {written(lengths)} [Op:UnravelIndex]"
        )
    places = whole(indices)
    if prod(lengths) > np.iinfo(places._array.dtype).max:
        raise InvalidArgumentError(
            f"Input dims product is causing integer overflow: {written(lengths)} has more places "
            f"than {places.dtype.name} counts [Op:UnravelIndex]"
        )
    return on_one(UnravelIndex, places, dims=lengths)
