"""Shapes: the same elements otherwise arranged, joined, and taken apart."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..convert import as_tensor, check_same, is_tensor
from ..errors import InvalidArgumentError
from ..op import op, registry
from ..shapes import TensorShape
from ..tensor import wrap
from .arguments import axis_from_right, integers, shape_argument
from .broadcasting import lead
from .calling import on_one
from .casting import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..tensor import Array, Tensor

Shape = tuple[int, ...]


# -- primitives --------------------------------------------------------------------------------


@op("Reshape")
def Reshape(xp: Any, x: Array, *, shape: Shape) -> Array:
    """The same elements in the same order under another shape."""
    return xp.reshape(x, shape)


def _reshape(x: Array, *, shape: Shape) -> Array:
    return x.reshape(shape) if shape else x.reshape(())[()]


Reshape.run = _reshape  # a third of np.reshape's time
Reshape.grads(
    x=lambda g, x_shape, out_shape: Reshape(g, shape=lead(g, len(out_shape)) + x_shape)
)


@op("Transpose")
def Transpose(xp: Any, x: Array, *, perm: Shape) -> Array:
    """The last axes in another order; ``perm`` counts from the right."""
    rank = x.ndim
    if rank > len(perm):
        return xp.transpose(x, (*range(rank - len(perm)), *[p + rank for p in perm]))
    return x.transpose(perm)


Transpose.grads(x=lambda g, perm: Transpose(g, perm=inverse(perm)))


@lru_cache
def inverse(perm: Shape) -> Shape:
    """The permutation of axes, counted from the right, that undoes this one."""
    rank = len(perm)
    return tuple([perm.index(axis) - rank for axis in range(-rank, 0)])


@op("ConcatV2")
def ConcatV2(xp: Any, *values: Array, axis: int) -> Array:
    """Tensors one after the other along an axis."""
    return xp.concatenate(values, axis=axis)


@op("SplitV")
def SplitV(xp: Any, x: Array, *, sizes: Shape, axis: int) -> tuple[Array, ...]:
    """Pieces of these sizes along an axis that is counted from the right."""
    ends = np.cumsum(sizes)[:-1].tolist()
    return tuple(xp.split(x, ends, axis=axis))


def split_like(g: Any, shapes: Sequence[Shape], axis: int) -> Any:
    """Undo a concatenation of tensors of these shapes."""
    if axis >= 0:
        axis -= len(shapes[0])
    return SplitV(g, sizes=tuple([shape[axis] for shape in shapes]), axis=axis)


ConcatV2.grads(values=lambda g, axis, values_shape: split_like(g, values_shape, axis))
SplitV.grads(x=lambda g, axis: ConcatV2(*g, axis=axis))


@op("Pack")
def Pack(xp: Any, *values: Array, axis: int) -> Array:
    """Tensors of one shape along a new axis."""
    return xp.stack(values, axis=axis)


@op("Unpack")
def Unpack(xp: Any, x: Array, *, axis: int) -> tuple[Array, ...]:
    """The slices along an axis that is counted from the right."""
    return tuple(xp.moveaxis(x, axis, 0))


Pack.grads(
    values=lambda g, axis, out_shape: Unpack(g, axis=axis if axis < 0 else axis - len(out_shape))
)
Unpack.grads(x=lambda g, axis: Pack(*g, axis=axis))


# -- functions: the same elements --------------------------------------------------------------


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The same elements, in row-major order, under another shape. One length may be -1.

    >>> import cinta as tf
    >>> tf.reshape([1, 2, 3, 4], [2, -1]).numpy()
    array([[1, 2],
           [3, 4]], dtype=int32)
    """
    x = as_tensor(tensor)
    sizes = shape_argument(shape)
    try:
        return on_one(Reshape, x, shape=sizes)
    except InvalidArgumentError:
        raise InvalidArgumentError(_cannot_reshape(x._array.size, sizes)) from None


def _cannot_reshape(count: int, sizes: Shape) -> str:
    unknown = [i for i, n in enumerate(sizes) if n == -1]
    if len(unknown) > 1:
        first, second = unknown[:2]
        return f"Only one input size may be -1, not both {first} and {second} [Op:Reshape]"
    known = int(np.prod([n for n in sizes if n != -1], dtype=np.int64))
    given = f"Input to reshape is a tensor with {count} values, but the requested shape"
    if unknown:
        return f"{given} {list(sizes)} requires a multiple of {known} [Op:Reshape]"
    return f"{given} {list(sizes)} has {known} [Op:Reshape]"


def transpose(
    a: Any, perm: Any = None, conjugate: bool = False, name: str = "transpose"
) -> Tensor:
    """The axes in another order: reversed, or as ``perm`` lists them.

    >>> import cinta as tf
    >>> tf.transpose([[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    x = as_tensor(a)
    rank = x._array.ndim
    order = _reversed(rank) if perm is None else _permutation(perm, rank)
    result = on_one(Transpose, x, perm=order)
    if conjugate and result._array.dtype.kind == "c":
        conjugated: Tensor = registry["Conj"](result)
        return conjugated
    return result


@lru_cache
def _reversed(rank: int) -> Shape:
    return tuple(range(-1, -rank - 1, -1))


def _permutation(perm: Any, rank: int) -> Shape:
    """The order of axes that a user gave, counted from the right."""
    given = shape_argument(perm, "perm")
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


def matrix_transpose(
    a: Any, name: str = "matrix_transpose", conjugate: bool = False
) -> Tensor:
    """The last two axes swapped.

    >>> import cinta as tf
    >>> tf.linalg.matrix_transpose(tf.zeros([5, 2, 3])).shape
    TensorShape([5, 3, 2])
    """
    x = as_tensor(a)
    rank = x._array.ndim
    if rank < 2:
        raise ValueError(
            f"Argument `a` should be a (batch) matrix with rank >= 2. Received `a` = {x!r} with "
            f"shape {x.shape}."
        )
    return transpose(x, [*range(rank - 2), rank - 1, rank - 2], conjugate)


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Tensor:
    """An axis of length 1 put in at this position.

    >>> import cinta as tf
    >>> tf.expand_dims([1, 2], 0).shape, tf.expand_dims([1, 2], -1).shape
    (TensorShape([1, 2]), TensorShape([2, 1]))
    """
    x = as_tensor(input)
    shape = x._array.shape
    (index,) = integers(axis, "axis")
    if not -len(shape) - 1 <= index <= len(shape):
        raise InvalidArgumentError(
            f"Tried to expand dim index {index} for tensor with {len(shape)} dimensions "
            "[Op:ExpandDims]"
        )
    where = index if index >= 0 else index + len(shape) + 1
    return on_one(Reshape, x, shape=(*shape[:where], 1, *shape[where:]))


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """The axes of length 1 taken out: all of them, or those that are listed.

    >>> import cinta as tf
    >>> tf.squeeze(tf.zeros([1, 3, 1])).shape, tf.squeeze(tf.zeros([1, 3, 1]), axis=0).shape
    (TensorShape([3]), TensorShape([3, 1]))
    """
    x = as_tensor(input)
    shape = x._array.shape
    given = () if axis is None else shape_argument(axis, "axis")
    if not given:
        return on_one(Reshape, x, shape=tuple([n for n in shape if n != 1]))
    axes = [axis_from_right("Squeeze", index, len(shape)) for index in given]
    for index in axes:
        if shape[index] != 1:
            raise InvalidArgumentError(
                f"Can not squeeze dim[{index + len(shape)}], expected a dimension of 1, got "
                f"{shape[index]} [Op:Squeeze]"
            )
    kept = [n for i, n in enumerate(shape) if i - len(shape) not in axes]
    return on_one(Reshape, x, shape=tuple(kept))


# -- functions: several tensors into one, and one into several ---------------------------------


def alike(op: str, values: Any) -> list[Tensor]:
    """The values as tensors of one dtype: that of the first tensor among them."""
    if is_tensor(values):
        return unstack(values)
    if not isinstance(values, (list, tuple)):
        values = list(values)
    dtype = next((np.dtype(v.dtype) for v in values if is_tensor(v)), None)
    tensors = [v if is_tensor(v) else as_tensor(v, dtype) for v in values]
    tensors = [as_tensor(v) for v in tensors]
    check_same(op, *tensors)
    return tensors


def concat(values: Any, axis: Any, name: str = "concat") -> Tensor:
    """Tensors joined along an axis that they have.

    >>> import cinta as tf
    >>> tf.concat([[1, 2], [3]], 0).numpy()
    array([1, 2, 3], dtype=int32)
    """
    if not isinstance(values, (list, tuple)):
        values = [values]
    if len(values) == 1:
        return identity(values[0])
    tensors = alike("ConcatV2", values)
    shapes = [t._array.shape for t in tensors]
    rank = len(shapes[0])
    (index,) = integers(axis, "axis")
    if not -rank <= index < rank:
        raise InvalidArgumentError(
            f"ConcatOp : Expected concatenating dimensions in the range [{-rank}, {rank}), but "
            f"got {index} [Op:ConcatV2]"
        )
    index = index - rank if index >= 0 else index
    for k, shape in enumerate(shapes[1:], 1):
        _check_joinable(shapes[0], shape, k, index)
    joined: Tensor = ConcatV2(*tensors, axis=index)
    return joined


def _check_joinable(first: Shape, shape: Shape, position: int, axis: int) -> None:
    given = f"shape[0] = {list(first)} vs. shape[{position}] = {list(shape)} [Op:ConcatV2]"
    if len(shape) != len(first):
        raise InvalidArgumentError(
            f"ConcatOp : Ranks of all input tensors should match: {given}"
        )
    for i, (a, b) in enumerate(zip(first, shape)):
        if a != b and i - len(first) != axis:
            raise InvalidArgumentError(
                f"ConcatOp : Dimension {i} in both shapes must be equal: {given}"
            )


def stack(values: Any, axis: Any = 0, name: str = "stack") -> Tensor:
    """Tensors of one shape joined along a new axis.

    >>> import cinta as tf
    >>> tf.stack([[1, 2], [3, 4]], axis=1).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    tensors = alike("Pack", values)
    if not tensors:
        raise InvalidArgumentError("tf.stack needs at least one tensor, got none [Op:Pack]")
    shape = tensors[0]._array.shape
    if any(t._array.shape != shape for t in tensors):
        shapes = ", ".join(str(list(t._array.shape)) for t in tensors)
        raise InvalidArgumentError(
            f"Shapes of all inputs must match to be packed, but they are {shapes} [Op:Pack]"
        )
    rank = len(shape) + 1
    (index,) = integers(axis, "axis")
    if not -rank <= index < rank:
        raise ValueError(f"Argument `axis` = {index} not in range [{-rank}, {rank})")
    packed: Tensor = Pack(*tensors, axis=index - rank if index >= 0 else index)
    return packed


def parallel_stack(values: Any, name: str = "parallel_stack") -> Tensor:
    """Refused, as in TensorFlow: `tf.stack` does the same to tensors that exist already."""
    raise RuntimeError(
        "tf.parallel_stack() is not compatible with eager execution. Use tf.stack(values)."
    )


def unstack(
    value: Any, num: int | None = None, axis: Any = 0, name: str = "unstack"
) -> list[Tensor]:
    """The slices along an axis, as a list.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.unstack([[1, 2], [3, 4]])]
    [[1, 2], [3, 4]]
    """
    x = as_tensor(value)
    rank = x._array.ndim
    (index,) = integers(axis, "axis")
    if not -rank <= index < rank:
        raise ValueError(f"Argument `axis` = {index} not in range [{-rank}, {rank})")
    length = x._array.shape[index]
    if num is not None and num != length:
        raise InvalidArgumentError(
            f"Input shape axis {index} must equal {num}, got shape {list(x._array.shape)} "
            "[Op:Unpack]"
        )
    return list(Unpack(x, axis=index - rank if index >= 0 else index)) if length else []


def split(
    value: Any,
    num_or_size_splits: Any,
    axis: Any = 0,
    num: int | None = None,
    name: str = "split",
) -> list[Tensor]:
    """Pieces along an axis: so many equal ones, or ones of these sizes. One size may be -1.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.split([1, 2, 3, 4, 5], [1, -1])]
    [[1], [2, 3, 4, 5]]
    """
    x = as_tensor(value)
    index = axis_from_right("Split", axis, x._array.ndim, "split_dim")
    length = x._array.shape[index]
    given = num_or_size_splits
    if np.ndim(given._array if is_tensor(given) else given):
        sizes = _piece_sizes(shape_argument(given, "num_or_size_splits"), length)
    else:
        sizes = _equal_sizes(integers(given, "num_or_size_splits")[0], length)
    return list(SplitV(x, sizes=sizes, axis=index))


def _equal_sizes(count: int, length: int) -> Shape:
    if count < 1 or length % count:
        raise InvalidArgumentError(
            f"Number of ways to split should evenly divide the split dimension, but got {count} "
            f"ways for a dimension of {length} [Op:Split]"
        )
    return (length // count,) * count


def _piece_sizes(sizes: Shape, length: int) -> Shape:
    rest = length - sum(n for n in sizes if n != -1)
    if sizes.count(-1) == 1 and rest >= 0:
        return tuple([rest if n == -1 else n for n in sizes])
    if rest or min(sizes, default=0) < 0:
        raise InvalidArgumentError(
            "Determined shape must either match input shape along split_dim exactly if fully "
            f"specified, or be less than the size of the input along split_dim if not fully "
            f"specified. Got sizes {list(sizes)} for a dimension of {length} [Op:SplitV]"
        )
    return sizes


# -- functions: as they are --------------------------------------------------------------------


def identity_n(input: Sequence[Any], name: str | None = None) -> list[Tensor]:
    """The same values, each as a tensor of its own."""
    return [identity(each) for each in input]


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """The tensor itself, if its shape is compatible with this one, which may have unknowns.

    >>> import cinta as tf
    >>> tf.ensure_shape(tf.zeros([2, 3]), [None, 3]).shape
    TensorShape([2, 3])
    """
    tensor = as_tensor(x)
    expected = TensorShape(shape)
    if not expected.is_compatible_with(tensor.shape):
        raise InvalidArgumentError(
            f"Shape of tensor input {tensor.shape.as_list()} is not compatible with expected "
            f"shape {expected.as_list()} [Op:EnsureShape]"
        )
    return identity(tensor)


# -- functions: what the shape is --------------------------------------------------------------


def _measured(measure: Callable[[Array], Any], x: Any, out_type: Any) -> Tensor:
    dtype = np.dtype(dtypes.as_dtype(dtypes.int32 if out_type is None else out_type))
    return wrap(np.asarray(measure(as_tensor(x)._array), dtype)[()])


def shape(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The length of every axis, as a tensor of ints.

    >>> import cinta as tf
    >>> tf.shape([[1, 2, 3]]).numpy()
    array([1, 3], dtype=int32)
    """
    return _measured(np.shape, input, out_type)


def shape_n(input: Sequence[Any], out_type: Any = None, name: str | None = None) -> list[Tensor]:
    """The shapes of several tensors."""
    return [shape(each, out_type) for each in input]


def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of axes, as a tensor.

    >>> import cinta as tf
    >>> tf.rank([[1, 2, 3]]).numpy()
    np.int32(2)
    """
    return _measured(np.ndim, input, None)


def size(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The number of elements, as a tensor.

    >>> import cinta as tf
    >>> tf.size([[1, 2, 3]]).numpy()
    np.int32(3)
    """
    return _measured(np.size, input, out_type)
