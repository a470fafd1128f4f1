"""Values of sparse tensors put into other places: ordered, transposed, in other shapes."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor
from ...engine.free_memory import check_memory
from ...engine.indexed_slices import IndexedSlices
from ...engine.shapes import written
from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import axis_from_right, integer, integers, shape_argument
from ..arrays.gathering import gather
from ..arrays.joining import concat as concat_dense
from .picking import chosen, picked, row_major, sparse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import AxisLike, IntLike, NumericLike, ShapeLike, TensorLike
    from ...engine.shapes import Shape
    from ...engine.tensor import Tensor


@public("sparse.reorder")
def reorder(sp_input: SparseTensor, name: str | None = None) -> SparseTensor:
    """The values in the order in which they stand in the dense tensor.

    >>> import cinta as tf
    >>> tf.sparse.reorder(tf.SparseTensor([[1], [0]], [5, 6], [2])).values.numpy()
    array([6, 5], dtype=int32)

    Args:
        sp_input: A sparse tensor.
    """
    x = sparse(sp_input)
    indices = seen(x.indices)
    order = row_major(indices)
    return chosen(x, order, indices[order], x.dense_shape)


@public("sparse.transpose")
def transpose(
    sp_input: SparseTensor, perm: AxisLike | None = None, name: str | None = None
) -> SparseTensor:
    """The axes in another order; without ``perm`` in the opposite one.

    >>> import cinta as tf
    >>> tf.sparse.transpose(tf.SparseTensor([[0, 2]], [5], [1, 3])).indices.numpy()
    array([[2, 0]])

    Args:
        sp_input: A sparse tensor.
        perm: Which axis stands at each place.

    Raises:
        InvalidArgumentError: If ``perm`` does not list every axis once.
    """
    x = sparse(sp_input)
    rank = len(x.lengths)
    axes = list(range(rank))[::-1] if perm is None else list(integers(perm, "perm"))
    if sorted(axes) != list(range(rank)):
        raise InvalidArgumentError(
            f"perm must hold each of the {rank} axes once, got {axes} [Op:GatherV2]"
        )
    indices = seen(x.indices)[:, axes]
    order = row_major(indices)
    return chosen(x, order, indices[order], [x.lengths[k] for k in axes])


@public("sparse.expand_dims")
def expand_dims(
    sp_input: SparseTensor, axis: IntLike | None = None, name: str | None = None
) -> SparseTensor:
    """The same values with one more axis, of length 1; without ``axis`` the last.

    >>> import cinta as tf
    >>> tf.sparse.expand_dims(tf.sparse.eye(2), 0).shape
    TensorShape([1, 2, 2])

    Args:
        sp_input: A sparse tensor.
        axis: Where the new axis stands; None for the last place.
    """
    x = sparse(sp_input)
    rank = len(x.lengths) + 1
    place = rank + axis_from_right("ExpandDims", -1 if axis is None else axis, rank)
    indices = np.insert(seen(x.indices), place, 0, axis=1)
    shape = (*x.lengths[:place], 1, *x.lengths[place:])
    return SparseTensor(wrap(indices), x.values, shape)


@public("sparse.reshape")
def reshape(sp_input: SparseTensor, shape: ShapeLike, name: str | None = None) -> SparseTensor:
    """The same elements in another shape, one length of which may be -1.

    >>> import cinta as tf
    >>> tf.sparse.reshape(tf.sparse.eye(2), [-1]).indices.numpy()
    array([[0],
           [3]])

    Args:
        sp_input: A sparse tensor.
        shape: The shape.

    Raises:
        InvalidArgumentError: If the shape has another number of elements.
    """
    x = sparse(sp_input)
    new = _completed(shape_argument(shape), x.lengths)
    places = x.places("SparseReshape")
    indices = np.stack(np.unravel_index(places, new), 1) if new else np.zeros((len(places), 0))
    return SparseTensor(wrap(indices.astype(np.int64)), x.values, np.array(new, np.int64))


def _completed(shape: Shape, old: Shape) -> Shape:
    """The new shape with its -1 worked out."""
    size, known = prod(old), prod([n for n in shape if n != -1])
    if shape.count(-1) == 1 and known and size % known == 0:
        return tuple([size // known if n == -1 else n for n in shape])
    if -1 in shape or known != size:
        raise InvalidArgumentError(
            f"Input to reshape is a SparseTensor with {size} dense values, which do not fill the "
            f"requested shape {written(shape)} [Op:SparseReshape]"
        )
    return shape


@public("sparse.reset_shape")
def reset_shape(sp_input: SparseTensor, new_shape: ShapeLike | None = None) -> SparseTensor:
    """The same values in a larger shape, or without one in the smallest that holds them.

    >>> import cinta as tf
    >>> tf.sparse.reset_shape(tf.SparseTensor([[1]], [5.0], [9])).shape
    TensorShape([2])

    Args:
        sp_input: A sparse tensor.
        new_shape: The shape; None for the smallest.

    Raises:
        ValueError: If it has another number of axes, or does not hold all values.
    """
    x = sparse(sp_input)
    if new_shape is None:
        indices = seen(x.indices)
        least = indices.max(axis=0) + 1 if len(indices) else np.zeros(len(x.lengths), np.int64)
        return SparseTensor(x.indices, x.values, least)
    new = shape_argument(new_shape, "new_shape")
    if len(new) != len(x.lengths) or any(n < m for n, m in zip(new, x.lengths, strict=True)):
        raise ValueError(
            "Requested new_shape should have dimension sizes >= sp_input.shape, and as many. "
            f"Found new_shape {list(new)}, sp_input.shape {list(x.lengths)}."
        )
    return SparseTensor(x.indices, x.values, new)


@public("sparse.retain")
def retain(sp_input: SparseTensor, to_retain: NumericLike) -> SparseTensor:
    """The values for which there is a True.

    >>> import cinta as tf
    >>> tf.sparse.retain(tf.sparse.eye(2), [False, True]).indices.numpy()
    array([[1, 1]])

    Args:
        sp_input: A sparse tensor.
        to_retain: A boolean for each value.

    Raises:
        ValueError: If there are not as many.
    """
    x = sparse(sp_input)
    flags = seen(as_tensor(to_retain))
    if flags.shape != x.values._array.shape:
        raise ValueError(
            f"Dimensions {written(flags.shape)} of to_retain and {written(x.values._array.shape)} "
            "of the values are not compatible: there must be a flag for each value."
        )
    kept = np.flatnonzero(flags)
    return chosen(x, kept, seen(x.indices)[kept], x.dense_shape)


@public("sparse.mask")
def mask(a: IndexedSlices, mask_indices: NumericLike, name: str | None = None) -> IndexedSlices:
    """`tf.IndexedSlices` without the rows of these indices.

    >>> import cinta as tf
    >>> rows = tf.IndexedSlices(tf.constant([1.0, 2.0]), tf.constant([3, 7]), [9])
    >>> tf.sparse.mask(rows, [3]).indices.numpy()
    array([7], dtype=int32)

    Args:
        a: The slices.
        mask_indices: The indices of the rows to leave out.

    Raises:
        TypeError: If ``a`` is not a ``tf.IndexedSlices``.
    """
    if not isinstance(a, IndexedSlices):
        raise TypeError(f"tf.sparse.mask takes tf.IndexedSlices, got {a!r}.")
    unwanted = seen(as_tensor(mask_indices))
    kept = np.flatnonzero(~np.isin(seen(a.indices), unwanted))
    return IndexedSlices(gather(a.values, kept), gather(a.indices, kept), a._shape)


@public("sparse.fill_empty_rows")
def fill_empty_rows(
    sp_input: SparseTensor, default_value: TensorLike, name: str | None = None
) -> tuple[SparseTensor, Tensor]:
    """A value at the beginning of each row that has none, and which rows these are.

    >>> import cinta as tf
    >>> filled, was_empty = tf.sparse.fill_empty_rows(tf.SparseTensor([[1, 1]], [5.0], [2, 2]), 9.0)
    >>> filled.values.numpy(), was_empty.numpy()
    (array([9., 5.], dtype=float32), array([ True, False]))

    Args:
        sp_input: A sparse matrix.
        default_value: The value.

    Raises:
        InvalidArgumentError: If ``default_value`` is not a scalar.
    """
    x = sparse(sp_input)
    default = as_tensor(default_value, x.values._array.dtype)
    if default._array.ndim:
        raise InvalidArgumentError(
            f"default_value must be a scalar, saw: {written(default._array.shape)} "
            "[Op:SparseFillEmptyRows]"
        )
    indices = seen(x.indices)
    outside = (indices[:, 0] < 0) | (indices[:, 0] >= x.lengths[0])
    if outside.any():
        place = int(outside.argmax())
        raise InvalidArgumentError(
            f"indices({place}, 0) is invalid: {indices[place, 0]} is not in [0, {x.lengths[0]}), "
            "the rows that there are [Op:SparseFillEmptyRows]"
        )
    x.places("SparseFillEmptyRows")
    check_memory("SparseFillEmptyRows", (x.lengths[0], len(x.lengths)))
    empty = np.bincount(indices[:, 0], minlength=x.lengths[0]) == 0
    added = np.zeros((int(empty.sum()), indices.shape[1]), np.int64)
    added[:, 0] = np.flatnonzero(empty)
    together = np.concatenate([indices, added])
    order = np.argsort(together[:, 0], kind="stable")
    values = concat_dense([x.values, as_tensor([default] * len(added), default._array.dtype)], 0)
    filled = SparseTensor(wrap(together[order]), picked(values, order), x.dense_shape)
    return filled, wrap(empty)


# -- cutting and joining -----------------------------------------------------------------------


@public("sparse.slice")
def slice(
    sp_input: SparseTensor, start: ShapeLike, size: ShapeLike, name: str | None = None
) -> SparseTensor:
    """A block of a tensor: where it begins, and how long it is at most.

    >>> import cinta as tf
    >>> tf.sparse.slice(tf.sparse.eye(3), [1, 0], [2, 2]).indices.numpy()
    array([[0, 1]])

    Args:
        sp_input: A sparse tensor.
        start: Where the block begins, along every axis.
        size: How long it is at most, along every axis.

    Raises:
        InvalidArgumentError: If there is not a number for each axis, or a length is negative.
    """
    x = sparse(sp_input)
    begin, lengths = integers(start, "start"), integers(size, "size")
    rank = len(x.lengths)
    if not len(begin) == len(lengths) == rank or min(lengths, default=0) < 0:
        raise InvalidArgumentError(
            f"Expected start and size to be vectors of length {rank}, with a non-negative size, "
            f"got {list(begin)} and {list(lengths)} [Op:SparseSlice]"
        )
    new = [max(min(n, m - b), 0) for b, n, m in zip(begin, lengths, x.lengths, strict=True)]
    return _cut(x, list(begin), new)


def _cut(x: SparseTensor, begin: list[int], lengths: list[int]) -> SparseTensor:
    moved = seen(x.indices) - np.array(begin, np.int64)
    inside = ((moved >= 0) & (moved < np.array(lengths, np.int64))).all(axis=1)
    kept = np.flatnonzero(inside)
    return chosen(x, kept, moved[kept], lengths)


@public("sparse.split")
def split(
    sp_input: SparseTensor, num_split: IntLike, axis: IntLike, name: str | None = None
) -> list[SparseTensor]:
    """Parts of the tensor along an axis; the first ones may be longer by one than the others.

    >>> import cinta as tf
    >>> [part.shape[0] for part in tf.sparse.split(tf.sparse.eye(5), 2, axis=0)]
    [3, 2]

    Args:
        sp_input: A sparse tensor.
        num_split: How many parts to make.
        axis: The axis, counted from the end if negative.

    Raises:
        InvalidArgumentError: If there are more parts than elements, or none.
    """
    x = sparse(sp_input)
    count = integer(num_split, "num_split")
    along = len(x.lengths) + axis_from_right("SparseSplit", axis, len(x.lengths))
    length = x.lengths[along]
    if not 1 <= count <= length:
        raise InvalidArgumentError(
            f"Input num_split should be between 1 and the split dimension's length {length}, got "
            f"{count} [Op:SparseSplit]"
        )
    x.places("SparseSplit")
    parts, begin, lengths = [], [0] * len(x.lengths), list(x.lengths)
    for number in range(count):
        lengths[along] = length // count + (number < length % count)
        parts.append(_cut(x, begin, lengths))
        begin[along] += lengths[along]
    return parts


@public("sparse.concat")
def concat(
    axis: IntLike,
    sp_inputs: Sequence[SparseTensor],
    expand_nonconcat_dims: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """Sparse tensors one after the other along an axis.

    With ``expand_nonconcat_dims`` the other axes may differ, and are as long as the longest.

    >>> import cinta as tf
    >>> tf.sparse.concat(1, [tf.sparse.eye(2), tf.sparse.eye(2)]).shape
    TensorShape([2, 4])

    Args:
        axis: The axis, counted from the end if negative.
        sp_inputs: A list of sparse tensors.
        expand_nonconcat_dims: Whether other axes may differ.

    Raises:
        TypeError: If one of them is not a sparse tensor.
        InvalidArgumentError: If other axes differ.
    """
    parts = [
        sparse(x) for x in (sp_inputs if isinstance(sp_inputs, (list, tuple)) else [sp_inputs])
    ]
    if not parts:
        raise InvalidArgumentError("there is nothing to join: sp_inputs is empty [Op:SparseConcat]")
    if len(parts) == 1:  # along whatever axis
        return parts[0]
    shapes = [list(x.lengths) for x in parts]
    rank = len(shapes[0])
    along = rank + axis_from_right("SparseConcat", axis, rank)
    longest = [max(lengths) for lengths in zip(*shapes, strict=True)]
    others = {tuple(s[:along] + s[along + 1 :]) for s in shapes}
    if len(others) > 1 and not expand_nonconcat_dims:
        raise InvalidArgumentError(
            f"Input shapes must match except for axis {along}: got "
            f"{', '.join(map(str, shapes))} [Op:SparseConcat]"
        )
    moved, begin = [], 0
    for x, lengths in zip(parts, shapes, strict=True):
        step = np.zeros(rank, np.int64)
        step[along] = begin
        moved.append(seen(x.indices) + step)
        begin += lengths[along]
    indices = np.concatenate(moved)
    order = row_major(indices)
    values = concat_dense([x.values for x in parts], 0)
    longest[along] = begin
    return SparseTensor(wrap(indices[order]), picked(values, order), longest)
