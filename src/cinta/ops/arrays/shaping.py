"""Shapes: the same elements otherwise arranged."""

from __future__ import annotations

from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...engine.fast_calls import on_one
from ...engine.made_up import are_sizes_steps
from ...engine.op import op
from ...engine.primitives import Conj, Identity, Reshape, Transpose
from ...engine.shapes import Shape, TensorShape, without, written
from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import (
    axis_from_right,
    flag,
    index_type,
    integers,
    listed,
    shape_argument,
    whole_numbers,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayModule, AxisLike, DTypeLike, ShapeLike, TensorLike
    from ...engine.operation import Op
    from ...engine.tensor import Array, Tensor


# -- functions: other shapes -------------------------------------------------------------------


@public("reshape")
def reshape(tensor: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """The same elements, in row-major order, under another shape. One length may be -1.

    >>> import cinta as tf
    >>> tf.reshape([1, 2, 3, 4], [2, -1]).numpy()
    array([[1, 2],
           [3, 4]], dtype=int32)

    Args:
        tensor: A tensor.
        shape: The shape; a length of -1 is what the others leave.

    Raises:
        InvalidArgumentError: If the shape has another number of elements, or -1 more than once.
    """
    x = as_tensor(tensor)
    sizes = shape_argument(shape)
    if -1 in sizes and not x._array.size:
        sizes = _without_unknown(x._array.shape, sizes)
    try:
        if min(sizes, default=0) >= -1:
            return on_one(Reshape, x, shape=sizes)
    except InvalidArgumentError:
        pass
    raise InvalidArgumentError(_cannot_reshape(x._array.size, sizes))


def _without_unknown(shape: Shape, sizes: Shape) -> Shape:
    """The new shape of an empty tensor: what is unknown is found as if no length were 0."""
    known = prod([n for n in sizes if n > 0])
    rest = prod([n for n in shape if n]) // known if 0 in sizes else 0
    return tuple([rest if n == -1 else n for n in sizes]) if sizes.count(-1) == 1 else sizes


_MOST_AXES = 64
"""NumPy has arrays of so many axes."""


def _cannot_reshape(count: int, sizes: Shape) -> str:
    negative = [i for i, n in enumerate(sizes) if n < -1]
    if negative:
        first = negative[0]
        return f"Size {first} must be non-negative, not {sizes[first]} [Op:Reshape]"
    unknown = [i for i, n in enumerate(sizes) if n == -1]
    if len(unknown) > 1:
        first, second = unknown[:2]
        return f"Only one input size may be -1, not both {first} and {second} [Op:Reshape]"
    if len(sizes) > _MOST_AXES:
        count = len(sizes)
        return f"{count} are too many dimensions: a tensor has up to {_MOST_AXES} [Op:Reshape]"
    known = prod([n for n in sizes if n != -1])
    if known >= 2**63:
        return f"Shape {written(sizes)} has too many elements: {known} [Op:Reshape]"
    given = f"Input to reshape is a tensor with {count} values, but the requested shape"
    if unknown:
        return f"{given} requires a multiple of {known}: {written(sizes)} [Op:Reshape]"
    return f"{given} has {known}: {written(sizes)} [Op:Reshape]"


@public("transpose")
def transpose(
    a: TensorLike, perm: TensorLike | None = None, conjugate: bool = False, name: str = "transpose"
) -> Tensor:
    """The axes in another order: reversed, or as ``perm`` lists them.

    >>> import cinta as tf
    >>> tf.transpose([[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)

    Args:
        a: A tensor.
        perm: Which axis of ``a`` stands at each place; None to reverse them.
        conjugate: Whether to conjugate complex numbers as well.

    Raises:
        InvalidArgumentError: If ``perm`` does not list every axis once.
    """
    x = as_tensor(a)
    rank = x._array.ndim
    order = _reversed(rank) if perm is None else _permutation(perm, rank)
    result = on_one(Transpose, x, perm=order)
    if flag(conjugate, "conjugate") and result._array.dtype.kind == "c":
        return on_one(Conj, result)
    return result


@cache
def _reversed(rank: int) -> Shape:
    return tuple(range(-1, -rank - 1, -1))


def _permutation(perm: object, rank: int) -> Shape:
    """The order of axes that a user gave, counted from the right."""
    given = integers(perm, "perm")
    if len(given) != rank:
        raise InvalidArgumentError(
            f"transpose expects a vector of size {rank}. But input(1) is a vector of size "
            f"{len(given)}: `perm` must list every axis once, got {list(given)} [Op:Transpose]"
        )
    order = tuple([axis - rank if axis >= 0 else axis for axis in given])
    missing = [axis for axis in range(rank) if axis - rank not in order]
    if missing:
        raise InvalidArgumentError(
            f"{missing[0]} is missing from {{{','.join(map(str, given))}}} [Op:Transpose]"
        )
    return order


@public("linalg.matrix_transpose")
def matrix_transpose(
    a: TensorLike, name: str = "matrix_transpose", conjugate: bool = False
) -> Tensor:
    """The last two axes swapped.

    >>> import cinta as tf
    >>> tf.linalg.matrix_transpose(tf.zeros([5, 2, 3])).shape
    TensorShape([5, 3, 2])

    Args:
        a: Matrices, in the last two axes.
        conjugate: Whether to conjugate complex numbers as well.

    Raises:
        ValueError: If ``a`` has less than two axes.
    """
    x = as_tensor(a)
    rank = x._array.ndim
    if rank < 2:
        raise ValueError(
            f"Argument `a` should be a (batch) matrix with rank >= 2. Received `a` = {x!r} with "
            f"shape {x.shape}."
        )
    return transpose(x, [*range(rank - 2), rank - 1, rank - 2], conjugate)


@public("expand_dims")
def expand_dims(input: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """An axis of length 1 put in at this position.

    >>> import cinta as tf
    >>> tf.expand_dims([1, 2], 0).shape, tf.expand_dims([1, 2], -1).shape
    (TensorShape([1, 2]), TensorShape([2, 1]))

    Args:
        input: A tensor.
        axis: Where the new axis stands in the result, counted from its end if negative; or a list
            of such.

    Raises:
        InvalidArgumentError: If there is no such position.
    """
    x = as_tensor(input)
    shape = x._array.shape
    rank = len(shape) + 1
    where = rank + axis_from_right("ExpandDims", axis, rank)
    return on_one(Reshape, x, shape=(*shape[:where], 1, *shape[where:]))


@public("squeeze")
def squeeze(input: TensorLike, axis: AxisLike | None = None, name: str | None = None) -> Tensor:
    """The axes of length 1 taken out: all of them, or those that are listed.

    >>> import cinta as tf
    >>> tf.squeeze(tf.zeros([1, 3, 1])).shape, tf.squeeze(tf.zeros([1, 3, 1]), axis=0).shape
    (TensorShape([3]), TensorShape([3, 1]))

    Args:
        input: A tensor.
        axis: The axes to take out; None for all of length 1.

    Raises:
        InvalidArgumentError: If a listed axis has another length.
    """
    x = as_tensor(input)
    shape = x._array.shape
    given = () if axis is None else whole_numbers(axis, "axis")
    if not given:
        return on_one(Reshape, x, shape=tuple([n for n in shape if n != 1]))
    axes = tuple([axis_from_right("Squeeze", index, len(shape)) for index in given])
    for index in axes:
        if shape[index] != 1:
            raise InvalidArgumentError(
                f"Can not squeeze dim[{index + len(shape)}], expected a dimension of 1, got "
                f"{shape[index]} [Op:Squeeze]"
            )
    return on_one(Reshape, x, shape=without(shape, axes))


# -- functions: as they are --------------------------------------------------------------------


@public("ensure_shape")
def ensure_shape(x: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """The tensor itself, if its shape is compatible with this one, which may have unknowns.

    >>> import cinta as tf
    >>> tf.ensure_shape(tf.zeros([2, 3]), [None, 3]).shape
    TensorShape([2, 3])

    Args:
        x: A tensor.
        shape: The shape that it must be compatible with; None for unknown lengths.

    Raises:
        InvalidArgumentError: If it is not.
    """
    tensor = as_tensor(x)
    expected = TensorShape(shape)
    if not expected.is_compatible_with(tensor.shape):
        raise InvalidArgumentError(
            f"Shape of tensor input {tensor.shape.as_list()} is not compatible with expected "
            f"shape {expected.as_list()} [Op:EnsureShape]"
        )
    return on_one(Identity, tensor)


# -- functions: what the shape is --------------------------------------------------------------


@op("Shape")
def AxisLengths(xp: ArrayModule, input: Array, *, dtype: np.dtype[Any]) -> Array:
    """The length of every axis: a step of functions that are recorded for any lengths."""
    return np.asarray(np.shape(input), dtype)


@op("Size")
def ElementCount(xp: ArrayModule, input: Array, *, dtype: np.dtype[Any]) -> Array:
    """The number of elements: a step of functions that are recorded for any lengths."""
    return np.asarray(np.size(input), dtype)[()]


AxisLengths.no_grad()
ElementCount.no_grad()


def _measured(op: Op, x: TensorLike, out_type: DTypeLike | None) -> Tensor:
    dtype = dtypes.as_dtype(dtypes.int32 if out_type is None else out_type).dtype
    if isinstance(x, SparseTensor):
        return wrap(op.run(np.broadcast_to(0, x.lengths), dtype=dtype))
    tensor = as_tensor(x)
    if tensor._recorder is not None and are_sizes_steps(tensor):
        return op(tensor, dtype=dtype)
    return wrap(op.run(tensor._array, dtype=dtype))


@public("shape")
def shape(input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """The length of every axis, as a tensor of ints.

    >>> import cinta as tf
    >>> tf.shape([[1, 2, 3]]).numpy()
    array([1, 3], dtype=int32)

    Args:
        input: A tensor, or what becomes one; a ragged one has a ``DynamicRaggedShape``.
        out_type: ``tf.int32``, which None stands for, or ``tf.int64``.
    """
    return _measured(AxisLengths, input, index_type("Shape", out_type, "out_type"))


@public("shape_n")
def shape_n(
    input: Sequence[Any], out_type: DTypeLike | None = None, name: str | None = None
) -> list[Tensor]:
    """The shapes of several tensors.

    >>> import cinta as tf
    >>> [s.numpy().tolist() for s in tf.shape_n([tf.ones([2, 3]), tf.ones([4])])]
    [[2, 3], [4]]

    Args:
        input: A list of tensors.
        out_type: ``tf.int32``, which None stands for, or ``tf.int64``.
    """
    return [shape(each, out_type) for each in listed(input, "input")]


@public("rank")
def rank(input: TensorLike, name: str | None = None) -> Tensor:
    """The number of axes, as a tensor.

    >>> import cinta as tf
    >>> tf.rank([[1, 2, 3]]).numpy()
    np.int32(2)

    Args:
        input: A tensor.
    """
    if isinstance(input, SparseTensor):
        return wrap(np.int32(len(input.lengths)))
    return wrap(np.int32(as_tensor(input)._array.ndim))


@public("size")
def size(input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """The number of elements, as a tensor.

    >>> import cinta as tf
    >>> tf.size([[1, 2, 3]]).numpy()
    np.int32(3)

    Args:
        input: A tensor.
        out_type: ``tf.int32``, which None stands for, or ``tf.int64``.
    """
    return _measured(ElementCount, input, out_type)
