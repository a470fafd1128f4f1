"""Joining: several tensors into one, and one into several."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from ...engine.convert import as_tensor, check_same, is_tensor
from ...engine.fast_calls import on_one
from ...engine.primitives import ConcatV2, Identity, Pack, SplitV, Unpack
from ...engine.shapes import Shape, written
from ...engine.tensor import Tensor
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import axis_from_right, integer, listed, shape_argument, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...engine.annotations import IntLike, NumericLike, TensorLike


# -- functions ---------------------------------------------------------------------------------


def alike(op: str, values: TensorLike) -> list[Tensor]:
    """The values as tensors of one dtype: that of the first tensor among them."""
    if type(values) is list and values and all([type(v) is Tensor for v in values]):
        check_same(op, *values)
        return values
    if is_tensor(values):
        return unstack(values)
    values = listed(values, "values")
    if not values:
        return []
    dtype = next((np.dtype(v.dtype) for v in values if is_tensor(v)), None)
    if dtype is None:
        dtype = as_tensor(values[0])._array.dtype
    tensors = [as_tensor(v, None if is_tensor(v) else dtype) for v in values]
    check_same(op, *tensors)
    return tensors


@public("concat")
def concat(values: TensorLike, axis: IntLike, name: str = "concat") -> Tensor:
    """Tensors joined along an axis that they have.

    >>> import cinta as tf
    >>> tf.concat([[1, 2], [3]], 0).numpy()
    array([1, 2, 3], dtype=int32)

    Args:
        values: A list of tensors of one dtype, with the same lengths along all other axes.
        axis: The axis, counted from the end if negative.

    Raises:
        InvalidArgumentError: If there are no tensors, or their other axes differ.
    """
    if not isinstance(values, (list, tuple)):
        values = [values]
    if len(values) == 1:
        _check_axis(axis)
        return on_one(Identity, as_tensor(values[0]))
    if not values:
        raise InvalidArgumentError("tf.concat needs at least one tensor, got none [Op:ConcatV2]")
    tensors = alike("ConcatV2", values)
    index = axis_from_right("ConcatV2", axis, tensors[0]._array.ndim)
    try:
        joined: Tensor = ConcatV2(*tensors, axis=index)
    except InvalidArgumentError as error:
        raise _cannot_join([t._array.shape for t in tensors], index) or error from None
    return joined


def _check_axis(axis: IntLike) -> None:
    """Refuse a value that is not an axis where any axis gives the same result."""
    if type(axis) is int:
        return
    advice = "Give the tensors in a list, and then the axis: tf.concat([a, b], axis=0)"
    if axis is None:
        raise ValueError(
            "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a "
            f"Tensor: tf.concat needs an axis. {advice}."
        )
    given = as_tensor(axis)
    if given._array.dtype.kind not in "iu":
        if not is_tensor(axis) and not given._array.ndim:
            raise TypeError(f"Cannot convert {axis!r} to EagerTensor of dtype int32. {advice}.")
        raise ValueError(
            f"concat_dim: Tensor conversion requested dtype int32 for Tensor with dtype "
            f"{given.dtype.name}: {axis!r} stands where the axis belongs. {advice}."
        )
    if given._array.ndim:
        raise ValueError(
            f"Shape {given.shape} must have rank 0: {axis!r} stands where the axis belongs. "
            f"{advice}."
        )


def _cannot_join(shapes: list[Shape], axis: int) -> InvalidArgumentError | None:
    first = shapes[0]
    for position, shape in enumerate(shapes):
        given = (
            f"shape[0] = {written(first)} vs. shape[{position}] = {written(shape)} [Op:ConcatV2]"
        )
        if len(shape) != len(first):
            return InvalidArgumentError(
                f"ConcatOp : Ranks of all input tensors should match: {given}"
            )
        for i, (a, b) in enumerate(zip(first, shape, strict=True)):
            if a != b and i - len(first) != axis:
                return InvalidArgumentError(
                    f"ConcatOp : Dimension {i} in both shapes must be equal: {given}"
                )
    return None


@public("stack")
def stack(values: TensorLike, axis: IntLike = 0, name: str = "stack") -> Tensor:
    """Tensors of one shape joined along a new axis.

    >>> import cinta as tf
    >>> tf.stack([[1, 2], [3, 4]], axis=1).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)

    Args:
        values: A list of tensors of one shape and dtype.
        axis: Where the new axis stands, counted from the end of the result if negative.

    Raises:
        InvalidArgumentError: If the shapes differ.
        ValueError: If there is no such position.
    """
    if not is_tensor(values) and not any(map(is_tensor, listed(values, "values"))):
        with suppress(ValueError):  # of shapes that differ, which the op says better
            values = as_tensor(values)  # as one list, whose numbers find a dtype together
    tensors = alike("Pack", values)
    if not tensors:
        return as_tensor(values)
    index = axis_from_right("Pack", axis, tensors[0]._array.ndim + 1, error=ValueError)
    try:
        packed: Tensor = Pack(*tensors, axis=index)
    except InvalidArgumentError:
        shapes = ", ".join(written(t._array.shape) for t in tensors)
        raise InvalidArgumentError(
            f"Shapes of all inputs must match to be packed, but they are {shapes} [Op:Pack]"
        ) from None
    return packed


@public("parallel_stack")
def parallel_stack(values: TensorLike, name: str = "parallel_stack") -> NoReturn:
    """Refused, as in TensorFlow: `tf.stack` does the same to tensors that exist already."""
    raise RuntimeError(
        "tf.parallel_stack() is not compatible with eager execution. Use tf.stack(values)."
    )


@public("unstack")
def unstack(
    value: TensorLike, num: int | None = None, axis: IntLike = 0, name: str = "unstack"
) -> list[Tensor]:
    """The slices along an axis, as a list.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.unstack([[1, 2], [3, 4]])]
    [[1, 2], [3, 4]]

    Args:
        value: A tensor.
        num: How many slices there are, which is compared; None for any number.
        axis: The axis, counted from the end if negative.

    Raises:
        ValueError: If there is no such axis.
        InvalidArgumentError: If there is another number of slices.
    """
    x = as_tensor(value)
    index = axis_from_right("Unpack", axis, x._array.ndim, error=ValueError)
    length = x._array.shape[index]
    if num is not None and whole_number(num, "num") != length:
        raise InvalidArgumentError(
            f"Input shape axis {axis} must equal {num}, got shape {written(x._array.shape)} "
            "[Op:Unpack]"
        )
    return list(Unpack(x, axis=index)) if length else []


def rows(tensor: Tensor) -> Iterator[Tensor]:
    """``iter(tensor)``: all rows by one op, so that their gradients are put together once."""
    if not tensor._array.ndim:
        raise TypeError("Cannot iterate over a scalar tensor.")
    return iter(unstack(tensor))


@public("split")
def split(
    value: TensorLike,
    num_or_size_splits: NumericLike,
    axis: IntLike = 0,
    num: int | None = None,
    name: str = "split",
) -> list[Tensor]:
    """Pieces along an axis: a number of equal ones, or ones of given sizes, of which one may be -1.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.split([1, 2, 3, 4, 5], [1, -1])]
    [[1], [2, 3, 4, 5]]

    Args:
        value: A tensor.
        num_or_size_splits: How many pieces, or a list of their sizes.
        axis: The axis, counted from the end if negative.
        num: How many sizes there are; it is only compared.

    Raises:
        InvalidArgumentError: If the axis does not divide so.
    """
    x = as_tensor(value)
    index = axis_from_right("Split", axis, x._array.ndim, "split_dim")
    length = x._array.shape[index]
    given = num_or_size_splits
    if isinstance(given, (list, tuple)) or np.ndim(as_tensor(given)._array):
        sizes = _piece_sizes(shape_argument(given, "num_or_size_splits"), length)
        if num is not None and integer(num, "num") != len(sizes):
            raise InvalidArgumentError(
                f"num is {num}, but num_or_size_splits must have the same elements as there are "
                f"pieces: it has {len(sizes)} [Op:SplitV]"
            )
    else:
        sizes = _equal_sizes(integer(given, "num_or_size_splits"), length)
    return list(SplitV(x, sizes=sizes, axis=index))


def _equal_sizes(count: int, length: int) -> Shape:
    if count < 1 or length % count:
        raise InvalidArgumentError(
            f"Number of ways to split should evenly divide the split dimension, but got {count} "
            f"ways for a dimension of {length} [Op:Split]"
        )
    return (length // count,) * count


def _piece_sizes(sizes: Shape, length: int) -> Shape:
    for i, size in enumerate(sizes):
        if size < -1:
            raise InvalidArgumentError(
                f"Split size at index {i} must be >= 0. Got: {size} [Op:SplitV]"
            )
    if sizes.count(-1) > 1:
        raise InvalidArgumentError(
            f"There can only be one -1 in the input, got {list(sizes)} [Op:SplitV]"
        )
    rest = length - sum(n for n in sizes if n != -1)
    if -1 in sizes and rest >= 0:
        return tuple([rest if n == -1 else n for n in sizes])
    if rest:
        raise InvalidArgumentError(
            "Determined shape must either match input shape along split_dim exactly if fully "
            f"specified, or be less than the size of the input along split_dim if not fully "
            f"specified. Got sizes {list(sizes)} for a dimension of {length} [Op:SplitV]"
        )
    return sizes
