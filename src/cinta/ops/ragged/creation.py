"""Ragged tensors made of nested lists, of ranges, and of numbers of segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, convert_to_tensor
from ...engine.tensor import Tensor, seen
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import memory_for, not_negative, whole_number, whole_numbers
from ..elementwise.casting import cast
from .row_ends import ends_of, rows_of_values, spans
from .row_partition import RowPartition
from .tensor import RaggedTensor, assembled
from .tensor import constant as numbers

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike, IntLike, Nest, TensorLike
    from ...engine.shapes import Shape
    from ...engine.tensor import Array
    from .annotations import RaggedOrDense


@public("ragged.constant")
def constant(
    pylist: Nest,
    dtype: DTypeLike | None = None,
    ragged_rank: int | None = None,
    inner_shape: tuple[int, ...] | None = None,
    name: str | None = None,
    row_splits_dtype: DTypeLike = dtypes.int64,
) -> RaggedOrDense:
    """A ragged tensor of nested lists; all values must be equally deep.

    >>> import cinta as tf
    >>> tf.ragged.constant([[1, 2], [3]])
    <tf.RaggedTensor [[1, 2], [3]]>
    >>> tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1).shape
    TensorShape([2, None, 2])

    Args:
        pylist: The lists.
        dtype: The dtype of the values; None for that which they suggest.
        ragged_rank: How many axes after the first are ragged; None for all of them.
        inner_shape: The lengths of the innermost axes, which are not ragged.
        row_splits_dtype: The dtype of the numbers that divide rows.

    Raises:
        ValueError: If values are not equally deep.
    """
    levels, items, inner = _taken_apart(_listed(pylist), ragged_rank, inner_shape)
    kind = dtypes.float32 if dtype is None and not _flat(items) else dtype
    flat = convert_to_tensor(items, kind)
    if inner is not None:
        flat = _in_shape(flat, (len(items), *inner) if levels else inner)
    ends = [ends_of(np.array(lengths, np.int64)) for lengths in levels]
    splits = dtypes.as_dtype(row_splits_dtype)
    return assembled(flat, [RowPartition._of_ends(each, splits) for each in ends])


def _in_shape(flat: Tensor, shape: tuple[int, ...]) -> Tensor:
    from ..arrays.shaping import reshape

    if int(np.prod(shape)) != flat._array.size:
        raise TypeError(
            f"The values, of shape {flat.shape}, cannot have the inner shape that was asked for: "
            f"{shape}."
        )
    return reshape(flat, shape)


def _listed(value: RaggedOrDense) -> RaggedOrDense:
    """Arrays as lists; lists as they are."""
    if isinstance(value, np.ndarray):
        array = np.asarray(value)  # without the mask of one that has it
        return array.tolist() if array.dtype == object or array.ndim != 1 else list(array)
    if isinstance(value, RaggedTensor):
        return value.to_list()
    if isinstance(value, (list, tuple)):
        return [_listed(each) for each in value]
    return value


def _depths(value: RaggedOrDense) -> tuple[int | None, int]:
    """How deep the values are, None without any, and how deep the lists."""
    if not isinstance(value, list):
        return 0, 0
    scalar: int | None = None
    deepest = 0
    for each in value:
        found, depth = _depths(each)
        deepest = max(deepest, depth)
        if found is not None:
            if scalar is not None and scalar != found + 1:
                raise ValueError("pylist: all scalar values must have the same nesting depth")
            scalar = found + 1
    return scalar, deepest + 1


def _taken_apart(
    value: RaggedOrDense, ragged_rank: int | None, inner_shape: tuple[int, ...] | None
) -> tuple[list[list[int]], Any, tuple[int, ...] | None]:
    """The lengths of the rows of each level, what is in the innermost ones, and its shape."""
    if ragged_rank is not None:
        ragged_rank = whole_number(ragged_rank, "ragged_rank")
    if ragged_rank is not None and ragged_rank < 0:
        raise ValueError(f"Invalid ragged_rank={ragged_rank}: must be nonnegative")
    inner = None if inner_shape is None else whole_numbers(inner_shape, "inner_shape")
    if not isinstance(value, list):
        if ragged_rank:
            raise ValueError(f"Invalid pylist={value}: incompatible with ragged_rank={ragged_rank}")
        if inner:
            raise ValueError(
                f"Invalid pylist={value}: incompatible with dim(inner_shape)={len(inner)}"
            )
        return [], value, None
    scalar, deepest = _depths(value)
    if scalar is not None and deepest > scalar:
        raise ValueError(
            f"Invalid pylist={value}: empty list nesting is greater than scalar value nesting"
        )
    rank = ragged_rank
    if rank is None:
        rank = max(0, deepest - 1 - len(inner or ()))
    elif inner is not None:
        expected = rank + 1 + len(inner)
        if (scalar is not None and scalar != expected) or deepest > expected:
            raise ValueError(
                f"Invalid pylist={value}: incompatible with ragged_rank={rank} and "
                f"dim(inner_shape)={len(inner)}"
            )
    if scalar is not None and rank >= scalar:
        raise ValueError(
            f"Invalid pylist={value}: pylist has scalar values depth {scalar}, but "
            f"ragged_rank={rank} requires scalar value depth greater than {rank}"
        )
    levels: list[list[int]] = []
    for _ in range(rank):
        levels.append([len(each) for each in value])
        value = [item for each in value for item in each]
    if inner is None and (rank or ragged_rank is not None):
        inner = _inner_shape(value)
    return levels, value, inner if rank else inner_shape


def _inner_shape(items: list[Any]) -> tuple[int, ...]:
    """The shape of each of these items, which must be one."""
    shapes = {_shape(each) for each in items}
    if len(shapes) > 1:
        raise ValueError(f"inner values have inconsistent shape: {sorted(shapes)}")
    return shapes.pop() if shapes else ()


def _shape(value: RaggedOrDense) -> tuple[int, ...]:
    return (len(value), *_inner_shape(value)) if isinstance(value, list) else ()


def _flat(items: RaggedOrDense) -> bool:
    """Whether there is any value in nested lists."""
    return any(map(_flat, items)) if isinstance(items, list) else True


def in_rows(flat: Tensor, ends: Tensor, shape: Shape) -> RaggedOrDense:
    """Values in rows that end at these places, which stand in a tensor of this shape."""
    result = RaggedTensor(flat, RowPartition(ends, internal=True), internal=True)
    for depth in range(len(shape) - 1, 0, -1):
        count, size = int(np.prod(shape[:depth])), shape[depth]
        rows = RowPartition._of_ends(np.arange(count + 1) * size, uniform=size)
        result = RaggedTensor(result, rows, internal=True)
    return result


@public("ragged.range")
def ragged_range(
    starts: TensorLike,
    limits: TensorLike | None = None,
    deltas: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    row_splits_dtype: DTypeLike = dtypes.int64,
) -> RaggedTensor:
    """A range for each start, limit and step; one number alone stands for all rows.

    >>> import cinta as tf
    >>> tf.ragged.range([3, 1, 2])
    <tf.RaggedTensor [[0, 1, 2], [0], [0, 1]]>

    Args:
        starts: The first numbers; the limits, if none are given: then rows begin with 0.
        limits: The numbers before which rows end.
        deltas: The steps.
        dtype: The dtype of the numbers; None for that of the arguments.
        row_splits_dtype: The dtype of the numbers that divide rows.

    Raises:
        InvalidArgumentError: If a step is 0, or the arguments have several lengths.
    """
    if limits is None:
        starts, limits = 0, starts
    kind = _common_dtype([starts, limits, deltas], dtype)
    given = [np.asarray(seen(cast(as_tensor(x), kind))) for x in (starts, limits, deltas)]
    for each in given:
        if each.ndim > 1:
            raise InvalidArgumentError(
                f"starts, limits and deltas must be scalars or vectors, got shape {each.shape}."
            )
    count = {len(each) for each in given if each.ndim}
    if len(count) > 1:
        raise InvalidArgumentError(
            "starts, limits, and deltas must have the same shape, got lengths "
            f"{[len(each) if each.ndim else 1 for each in given]} [Op:RaggedRange]"
        )
    rows = count.pop() if count else 1
    start, limit, delta = [np.broadcast_to(each, (rows,)) for each in given]
    if (delta == 0).any():
        raise InvalidArgumentError("Requires delta != 0 [Op:RaggedRange]")
    exact = _lengths(start, limit, delta)
    with memory_for("RaggedRange", [sum(map(int, exact))]):
        inside, ends = spans(np.zeros(rows, np.int64), exact.astype(np.int64))
        row = rows_of_values(ends)
        values = start[row] + delta[row] * inside.astype(start.dtype)
    splits = dtypes.as_dtype(row_splits_dtype)
    return RaggedTensor(numbers(values), RowPartition._of_ends(ends, splits), internal=True)


def _lengths(start: Array, limit: Array, delta: Array) -> Array:
    """How many numbers each range has."""
    if start.dtype.kind not in "iu":
        with np.errstate(invalid="ignore"):
            lengths = np.maximum(0, np.ceil((limit - start) / delta))
        if not np.isfinite(lengths).all():
            raise InvalidArgumentError(
                f"Requires finite starts, limits and deltas: rows of {lengths.tolist()} elements "
                "[Op:RaggedRange]"
            )
        return lengths
    rising = delta > 0
    ahead = np.where(rising, start < limit, start > limit)
    # Modulo 2**64 the distance of any two integers has room.
    first, last, step = [each.astype(np.uint64) for each in (start, limit, delta)]
    way = np.where(rising, last - first, first - last)
    return np.where(ahead, (way - 1) // np.where(rising, step, -step) + 1, 0)


def _common_dtype(values: list[Any], dtype: DTypeLike | None) -> dtypes.DType:
    if dtype is not None:
        return dtypes.as_dtype(dtype)
    order = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]
    found = [as_tensor(x).dtype for x in values]
    typed = [kind for kind in found if kind in order]
    if not typed:
        raise TypeError(f"tf.ragged.range takes numbers, got {found[0]!r}.")
    return max(typed, key=order.index)


@public("ragged.row_splits_to_segment_ids")
def row_splits_to_segment_ids(
    splits: TensorLike, name: str | None = None, out_type: DTypeLike | None = None
) -> Tensor:
    """The number of the row of each value.

    >>> import cinta as tf
    >>> tf.ragged.row_splits_to_segment_ids([0, 2, 2, 3]).numpy()
    array([0, 0, 2])

    Args:
        splits: The numbers that divide rows: 0, and the place where each row ends.
        out_type: The dtype of the result; None for that of the argument.

    Raises:
        ValueError: If it is not a vector of integers that do not decrease, or is empty.
    """
    ends = convert_to_tensor(splits, dtype_hint=dtypes.int64)
    if ends.dtype not in (dtypes.int32, dtypes.int64):
        raise ValueError(f"`splits` must have dtype int32 or int64, got {ends.dtype!r}.")
    if len(ends.shape) != 1:
        raise ValueError(f"Shape {ends.shape} must have rank 1: `splits`.")
    if not ends.shape[0]:
        raise ValueError("Invalid row_splits: must not be empty, got [].")
    array: Array = seen(ends)
    if (array[1:] < array[:-1]).any():
        raise ValueError(f"Invalid row_splits: they must not decrease, got {array.tolist()}.")
    kind = ends.dtype if out_type is None else dtypes.as_dtype(out_type)
    return numbers(rows_of_values(array).astype(kind.dtype))


@public("ragged.segment_ids_to_row_splits")
def segment_ids_to_row_splits(
    segment_ids: TensorLike,
    num_segments: IntLike | None = None,
    out_type: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Where rows begin and end, of the number of the row of each value.

    >>> import cinta as tf
    >>> tf.ragged.segment_ids_to_row_splits([0, 0, 2]).numpy()
    array([0, 2, 2, 3])

    Args:
        segment_ids: The numbers of rows, in order.
        num_segments: How many rows there are, values of later ones left out; None for as many as
            the numbers tell.
        out_type: The dtype of the result; None for that of the argument.

    Raises:
        ValueError: If it is not a vector of integers.
        InvalidArgumentError: If a number is negative.
    """
    ids = convert_to_tensor(segment_ids, dtype_hint=dtypes.int64)
    if ids.dtype not in (dtypes.int32, dtypes.int64):
        raise ValueError(f"segment_ids must be an integer tensor, got {ids.dtype!r}.")
    if len(ids.shape) != 1:
        raise ValueError(f"Shape {ids.shape} must have rank 1: `segment_ids`.")
    kind = ids.dtype if out_type is None else dtypes.as_dtype(out_type)
    array: Array = seen(ids)
    if (array < 0).any():
        raise InvalidArgumentError(f"segment_ids must not be negative, got {array.min()}.")
    if num_segments is None:
        count = int(array.max(initial=-1)) + 1
    else:
        count = not_negative(num_segments, "num_segments")
    with memory_for("RowSplits", [count]):
        lengths = np.bincount(array[array < count], minlength=count)
        return numbers(ends_of(lengths).astype(kind.dtype))
