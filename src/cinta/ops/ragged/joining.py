"""Ragged tensors joined, stacked, repeated, split."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...engine.tensor import Tensor, seen
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import integer, memory_for, whole
from ..arrays import joining, tiling
from .constructors import ragged_or_dense
from .elementwise import check_splits_dtypes
from .measuring import positive_axis
from .reshaping import expand_dims
from .row_ends import ends_of, values_of_rows
from .row_partition import RowPartition
from .slicing import taken
from .tensor import RaggedTensor, assembled

if TYPE_CHECKING:
    from ...engine.annotations import IntLike, TensorLike
    from ...engine.tensor import Array
    from .annotations import RaggedOrDense, Several


def _prepared(values: RaggedOrDense, axis: int, stacking: bool) -> tuple[list[Any], int]:
    """Operands with rows of equal depth, and the axis counted from the left."""
    given = list(values) if isinstance(values, (list, tuple)) else [values]
    if not given:
        raise ValueError("rt_inputs may not be empty.")
    like = next((x for x in given if isinstance(x, (RaggedTensor, Tensor))), None)
    dtype = None if like is None else _flat(like)._array.dtype
    operands = [_operand(x, dtype) for x in given]
    ranks = {len(x.shape) for x in operands}
    if len(ranks) > 1:
        raise ValueError(
            f"All inputs must have the same rank. Got shapes {[str(x.shape) for x in operands]}."
        )
    rank = ranks.pop() + stacking
    number = positive_axis(axis, rank)
    for x in operands:
        if x.dtype is not operands[0].dtype:
            raise InvalidArgumentError(
                f"All inputs must have the same dtype, got {operands[0].dtype!r} and {x.dtype!r}."
            )
    check_splits_dtypes([x for x in operands if isinstance(x, RaggedTensor)])
    return operands, number


def _operand(value: RaggedOrDense, dtype: RaggedOrDense) -> RaggedOrDense:
    if isinstance(value, (RaggedTensor, Tensor)) or hasattr(value, "dtype"):
        return ragged_or_dense(value)
    return as_tensor(value, dtype)


def _flat(x: RaggedOrDense) -> Tensor:
    flat: Tensor = x.flat_values if isinstance(x, RaggedTensor) else x
    return flat


def with_depth(x: RaggedOrDense, depth: int, dtype: RaggedOrDense) -> RaggedOrDense:
    """The same with so many levels of rows, of which those that are added are uniform."""
    levels = list(x._nested_row_partitions) if isinstance(x, RaggedTensor) else []
    flat = _flat(x)
    missing = depth - len(levels)
    if missing <= 0:
        return x
    lengths = flat.shape.as_list()
    rows = lengths[0]
    for size in lengths[1 : missing + 1]:
        levels.append(RowPartition._of_ends(np.arange(rows + 1) * size, dtype, size))
        rows *= size
    from ..arrays.shaping import reshape

    flat = reshape(flat, [prod(lengths[: missing + 1]), *lengths[missing + 1 :]])
    return assembled(flat, levels)


def concat(values: RaggedOrDense, axis: RaggedOrDense, name: str | None = None) -> RaggedOrDense:
    """Operands joined along an axis."""
    operands, number = _prepared(values, axis, stacking=False)
    if len(operands) == 1:
        return operands[0]
    return _joined(operands, number)


def _joined(operands: list[Any], axis: int) -> RaggedOrDense:
    ragged = [x for x in operands if isinstance(x, RaggedTensor)]
    if not ragged:
        return joining.concat(operands, axis)
    dtype = ragged[0].row_splits.dtype
    depth = min(max([x.ragged_rank for x in ragged] + [axis]), len(operands[0].shape) - 1)
    operands = [with_depth(x, depth, dtype) for x in operands]
    if axis == 0:
        return _below(operands)
    if axis > 1:
        rows = operands[0]._row_partition
        for x in operands[1:]:
            if not np.array_equal(x._row_partition.ends, rows.ends):
                raise InvalidArgumentError(
                    "Inputs must have identical ragged splits on the axes before the one along "
                    f"which they are joined, got {rows} and {x._row_partition}."
                )
        return RaggedTensor(_joined([x.values for x in operands], axis - 1), rows, internal=True)
    count = {x._row_partition.static_nrows for x in operands}
    if len(count) > 1:
        raise InvalidArgumentError(
            f"Input tensors have incompatible shapes: they have {sorted(count)} rows."
        )
    nrows, many = count.pop(), len(operands)
    below = _below(operands)
    order = np.arange(nrows * many).reshape(many, nrows).T.reshape(-1)
    mixed = taken(below, order)
    sizes = [x._row_partition.static_uniform_row_length for x in operands]
    uniform = None if None in sizes else sum(n for n in sizes if n is not None)
    ends = mixed._row_partition.ends[::many]
    return RaggedTensor(mixed.values, RowPartition._of_ends(ends, dtype, uniform), internal=True)


def _below(operands: list[Any]) -> RaggedOrDense:
    """Operands of equal depth, the rows of each below those of the one before."""
    if isinstance(operands[0], Tensor):
        return joining.concat(operands, 0)
    parts = [x._row_partition for x in operands]
    offsets = ends_of(np.array([p.static_nvals for p in parts]))
    ends = [np.zeros(1, np.int64), *[p.ends[1:] + o for p, o in zip(parts, offsets, strict=False)]]
    sizes = {p.static_uniform_row_length for p in parts}
    uniform = sizes.pop() if len(sizes) == 1 else None
    rows = RowPartition._of_ends(np.concatenate(ends), parts[0].dtype, uniform)
    return RaggedTensor(_below([x.values for x in operands]), rows, internal=True)


@public("ragged.stack")
def stack(values: Several, axis: IntLike = 0, name: str | None = None) -> RaggedOrDense:
    """Tensors, ragged or dense, stacked along a new axis; they may differ in length.

    >>> import cinta as tf
    >>> tf.ragged.stack([[1, 2], [3]])
    <tf.RaggedTensor [[1, 2], [3]]>

    Args:
        values: Tensors, ragged or dense, of one rank.
        axis: The number of the new axis; negative ones count from the last.

    Raises:
        ValueError: If there are none, or they have several ranks.
    """
    operands, number = _prepared(values, integer(axis, "axis"), stacking=True)
    if not len(operands[0].shape):
        return joining.stack(operands, number)
    if number == 0 or len(operands[0].shape) == 1:
        dtype = next((x.row_splits.dtype for x in operands if isinstance(x, RaggedTensor)), None)
        if len(operands[0].shape) == 1:  # of vectors, whose lengths have 32 bits
            dtype = dtypes.int32
        if number == 0:
            return rows_below(operands, dtype)
    return _joined_ragged([expand_dims(x, number) for x in operands], number)


def rows_below(operands: list[Any], dtype: RaggedOrDense) -> RaggedOrDense:
    """Each operand as a row."""
    if not len(operands[0].shape):
        return joining.stack(operands)
    kind = dtype or dtypes.int64
    depth = max([x.ragged_rank for x in operands if isinstance(x, RaggedTensor)] + [0])
    shapes = {tuple(_flat(x).shape[1:]) for x in operands}
    rank = len(operands[0].shape)
    deep = rank - 1 if len(shapes) > 1 else depth
    same = [with_depth(x, deep, kind) for x in operands]
    lengths = np.array([x.shape[0] for x in same], np.int64)
    below = same[0] if len(same) == 1 else _below(same)
    uniform = int(lengths[0]) if len(same) == 1 else None
    rows = RowPartition._of_ends(ends_of(lengths), kind, uniform)
    return RaggedTensor(below, rows, internal=True)


def _joined_ragged(operands: list[Any], axis: int) -> RaggedOrDense:
    """Operands joined; the rows along the axis behind may differ between them."""
    ragged = [x for x in operands if isinstance(x, RaggedTensor)]
    dtype = ragged[0].row_splits.dtype if ragged else dtypes.int64
    depth = min(axis + 1, len(operands[0].shape) - 1)
    made = [with_depth(x, depth, dtype) for x in operands]
    return made[0] if len(made) == 1 else _joined(made, axis)


def tile(input: RaggedOrDense, multiples: RaggedOrDense, name: str | None = None) -> RaggedOrDense:
    """The tensor repeated along every axis."""
    times = [int(n) for n in np.asarray(seen(as_tensor(multiples))).reshape(-1)]
    if len(times) != len(input.shape):
        raise InvalidArgumentError(
            f"`multiples` needs a number for each of the {len(input.shape)} axes, got {times}."
        )
    return _tiled(input, times)


def _tiled(x: RaggedOrDense, times: list[int]) -> RaggedOrDense:
    if isinstance(x, Tensor):
        return tiling.tile(x, times)
    inner = _each_row_tiled(x, times[1:])
    count = inner._row_partition.static_nrows
    return inner if times[0] == 1 else taken(inner, np.tile(np.arange(count), times[0]))


def _each_row_tiled(x: RaggedTensor, times: list[int]) -> RaggedTensor:
    """Every row repeated along its own axes."""
    if isinstance(x.values, Tensor):
        values: RaggedOrDense = tiling.tile(x.values, [1, *times[1:]])
    else:
        values = _each_row_tiled(x.values, times[1:])
    rows = x._row_partition
    if times[0] == 1:
        return RaggedTensor(values, rows, internal=True)
    places, _ = values_of_rows(rows.ends, np.repeat(np.arange(rows.static_nrows), times[0]))
    size = rows.static_uniform_row_length
    ends = RowPartition._of_ends(
        rows.ends * times[0], rows.dtype, None if size is None else size * times[0]
    )
    return RaggedTensor(taken(values, places), ends, internal=True)


def split(
    value: RaggedTensor,
    num_or_size_splits: RaggedOrDense,
    axis: IntLike = 0,
    num: int | None = None,
    name: str | None = None,
) -> list[Any]:
    """The tensor cut into parts along an axis of known length."""
    number = positive_axis(axis, len(value.shape))
    length = value.shape[number]
    if length is None:
        raise ValueError("ragged dimension is not supported: split along an axis of one length.")
    given = np.asarray(seen(as_tensor(num_or_size_splits)))
    if given.dtype.kind not in "iu":
        raise TypeError(
            "`num_or_size_splits` must be an `int` or 1-D list or `Tensor` of integers."
        )
    if given.ndim > 1:
        raise ValueError("`num_or_size_splits` must be a scalar or a vector.")
    sizes = _sizes(given, length, num)
    ends = ends_of(np.array(sizes, np.int64)).tolist()
    keys = [slice(None)] * number
    return [value[(*keys, slice(a, b))] for a, b in pairwise(ends)]


def _sizes(given: Array, length: int, num: int | None) -> list[int]:
    if given.ndim == 0:
        parts = int(given)
        if parts <= 0:
            raise ValueError(f"`num_or_size_splits` must be greater than 0, got {parts}.")
        if length % parts:
            raise InvalidArgumentError(
                f"Cannot exactly split {length} elements into {parts} parts."
            )
        return [length // parts] * parts
    sizes = [int(n) for n in given]
    if num is not None and num != len(sizes):
        raise ValueError(f"`num` does not match `num_or_size_splits`: {num}, {len(sizes)} sizes.")
    if sum(n == -1 for n in sizes) == 1:
        sizes[sizes.index(-1)] = length - sum(n for n in sizes if n != -1)
    if any(n < 0 for n in sizes) or sum(sizes) != length:
        raise InvalidArgumentError(
            f"Cannot exactly split {length} elements into parts of {given.tolist()}."
        )
    return sizes


@public("ragged.stack_dynamic_partitions")
def stack_dynamic_partitions(
    data: TensorLike, partitions: TensorLike, num_partitions: IntLike, name: str | None = None
) -> RaggedTensor:
    """The values of each partition as a row.

    >>> import cinta as tf
    >>> tf.ragged.stack_dynamic_partitions(["a", "b", "c"], [1, 0, 1], 3)
    <tf.RaggedTensor [[b'b'], [b'a', b'c'], []]>

    Args:
        data: A tensor, ragged or dense.
        partitions: The number of the partition of each value.
        num_partitions: The number of partitions.

    Raises:
        InvalidArgumentError: If there is no such partition.
        ValueError: If the shape of the numbers is not the beginning of that of the data.
    """
    from .reshaping import merge_dims

    x, ids = ragged_or_dense(data), ragged_or_dense(partitions)
    count = integer(num_partitions, "num_partitions")
    while isinstance(ids, RaggedTensor):
        if not isinstance(x, RaggedTensor):
            raise ValueError("partitions must not be more ragged than data.")
        if not np.array_equal(x._row_partition.ends, ids._row_partition.ends):
            raise InvalidArgumentError("partitions.shape must be a prefix of data.shape.")
        x, ids = x.values, ids.values
    rank = len(ids.shape)
    if x.shape[:rank].as_list() != ids.shape.as_list() and None not in x.shape[:rank].as_list():
        raise ValueError(
            f"Dimensions of data.shape {x.shape} and partitions.shape {ids.shape} are not "
            "compatible: partitions.shape must be a prefix of data.shape."
        )
    if rank == 0:
        x, ids = expand_dims(x, 0), expand_dims(ids, 0)
    elif rank > 1:
        x, ids = merge_dims(x, 0, rank - 1), merge_dims(ids, 0, rank - 1)
    numbers = seen(whole(ids))
    if len(numbers) and not 0 <= numbers.min() <= numbers.max() < count:
        bad = numbers[(numbers < 0) | (numbers >= count)][0]
        raise InvalidArgumentError(f"partitions must be in [0, {count}), but one of them is {bad}.")
    order = np.argsort(numbers, kind="stable")
    with memory_for("DynamicPartition", [count]):
        ends = ends_of(np.bincount(numbers, minlength=count))
    values = taken(x, order)
    if isinstance(values, RaggedTensor):
        dtype = values.row_splits.dtype
    else:
        dtype = dtypes.int32 if ids.dtype is dtypes.int32 else dtypes.int64
    return RaggedTensor(values, RowPartition._of_ends(ends, dtype), internal=True)
