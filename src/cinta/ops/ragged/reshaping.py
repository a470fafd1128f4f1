"""Axes of ragged tensors added, removed, joined, turned round."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor
from ...engine.shapes import TensorShape
from ...engine.tensor import Tensor, seen
from ...errors import InvalidArgumentError
from ..arrays import creation, reordering, shaping
from .constructors import ragged_or_dense
from .measuring import positive_axis
from .row_ends import rows_of_values
from .row_partition import RowPartition
from .slicing import taken
from .tensor import RaggedTensor, assembled

if TYPE_CHECKING:
    from ...engine.annotations import AxisLike, IntLike, PartialShape
    from .annotations import RaggedOrDense


def expand_dims(input: RaggedOrDense, axis: IntLike, name: str | None = None) -> RaggedOrDense:
    """An axis of length 1 added."""
    x = ragged_or_dense(input)
    number = positive_axis(axis, len(x.shape) + 1)
    if isinstance(x, Tensor):
        return shaping.expand_dims(x, number)
    if number > x.ragged_rank:
        return x.with_flat_values(shaping.expand_dims(x.flat_values, number - x.ragged_rank))
    levels = list(x._nested_row_partitions)
    place = max(number - 1, 0)
    count = levels[place].static_nrows
    if number == 0:
        new = RowPartition._of_ends(np.array([0, count]), levels[0].dtype, count)
    else:
        new = RowPartition._of_ends(np.arange(count + 1), levels[0].dtype, 1)
    return assembled(x.flat_values, [*levels[:place], new, *levels[place:]])


def squeeze(
    input: RaggedTensor, axis: AxisLike | None = None, name: str | None = None
) -> RaggedOrDense:
    """Axes of length 1 removed; they must be named."""
    if axis is None:
        raise ValueError("Ragged.squeeze must have an axis argument: name the axes of length 1.")
    rank = len(input.shape)
    given = axis if isinstance(axis, (list, tuple)) else [axis]
    axes = sorted({positive_axis(each, rank) for each in given})
    result: RaggedOrDense = input
    for each in axes[::-1]:
        result = _squeezed(result, each)
    return result


def _squeezed(x: RaggedOrDense, axis: int) -> RaggedOrDense:
    if isinstance(x, Tensor):
        return shaping.squeeze(x, [axis])
    if axis > x.ragged_rank:
        return x.with_flat_values(shaping.squeeze(x.flat_values, [axis - x.ragged_rank]))
    levels = list(x._nested_row_partitions)
    if axis == 0:
        if levels[0].static_nrows != 1:
            raise InvalidArgumentError(
                f"Can not squeeze axis 0 of a ragged tensor with {levels[0].static_nrows} rows."
            )
        return x.values
    if (levels[axis - 1].lengths != 1).any():
        raise InvalidArgumentError(
            f"Can not squeeze axis {axis}, of which the rows have "
            f"{levels[axis - 1].lengths.tolist()} elements."
        )
    del levels[axis - 1]
    return assembled(x.flat_values, levels)


def merge_dims(value: RaggedOrDense, outer_axis: int, inner_axis: int) -> RaggedOrDense:
    """The axes from one to another joined into one."""
    rank = len(value.shape)
    outer = positive_axis(outer_axis, rank, "outer_axis")
    inner = positive_axis(inner_axis, rank, "inner_axis")
    if outer > inner:
        raise ValueError(
            f"Expected outer_axis ({outer_axis}) to be less than or equal to inner_axis "
            f"({inner_axis})."
        )
    if outer == inner:
        return value
    if isinstance(value, Tensor):
        lengths = value.shape.as_list()
        joined = prod(lengths[outer : inner + 1])
        return shaping.reshape(value, [*lengths[:outer], joined, *lengths[inner + 1 :]])
    if outer > value.ragged_rank:
        depth = value.ragged_rank
        return value.with_flat_values(merge_dims(value.flat_values, outer - depth, inner - depth))
    return _merged(value, outer, inner)


def _merged(x: RaggedTensor, outer: int, inner: int) -> RaggedOrDense:
    levels, flat = list(x._nested_row_partitions), x.flat_values
    depth = len(levels)
    dtype = levels[0].dtype
    if inner > depth:  # dense axes that are joined with rows become rows
        lengths = flat.shape.as_list()
        rows = lengths[0]
        for size in lengths[1 : inner - depth + 1]:
            levels.append(RowPartition._of_ends(np.arange(rows + 1) * size, dtype, size))
            rows *= size
        flat = shaping.reshape(flat, [rows, *lengths[inner - depth + 1 :]])
    if outer == 0:
        return assembled(flat, levels[inner:])
    ends, sizes = levels[outer - 1].ends, [levels[outer - 1].static_uniform_row_length]
    for rows_inside in levels[outer:inner]:
        ends = rows_inside.ends[ends]
        sizes.append(rows_inside.static_uniform_row_length)
    uniform = prod([n for n in sizes if n is not None]) if None not in sizes else None
    merged = RowPartition._of_ends(ends, dtype, uniform)
    return assembled(flat, [*levels[: outer - 1], merged, *levels[inner:]])


def reverse(tensor: RaggedTensor, axis: AxisLike, name: str | None = None) -> RaggedOrDense:
    """The elements along axes in the opposite order."""
    if not isinstance(axis, (list, tuple)) and not isinstance(axis, (Tensor, np.ndarray)):
        raise TypeError(f"`axis` must be a list of int or a constant tensor, got {axis!r}.")
    given = axis if isinstance(axis, (list, tuple)) else np.asarray(seen(as_tensor(axis))).tolist()
    result: RaggedOrDense = tensor
    for each in given:
        result = _reversed(result, positive_axis(each, len(tensor.shape)))
    return result


def _reversed(x: RaggedOrDense, axis: int) -> RaggedOrDense:
    if isinstance(x, Tensor):
        return reordering.reverse(x, [axis])
    rows = x._row_partition
    if axis == 0:
        return taken(x, np.arange(rows.static_nrows)[::-1])
    if axis > 1:
        return x.with_values(_reversed(x.values, axis - 1))
    row = rows_of_values(rows.ends)
    return x.with_values(
        taken(x.values, rows.ends[:-1][row] + rows.ends[1:][row] - 1 - np.arange(len(row)))
    )


def one_hot(
    indices: RaggedTensor,
    depth: IntLike,
    on_value: RaggedOrDense = None,
    off_value: RaggedOrDense = None,
    axis: int | None = None,
    dtype: RaggedOrDense = None,
    name: str | None = None,
) -> RaggedOrDense:
    """For each index a vector with one element at its place."""
    number = -1 if axis is None else axis
    if number != -1:
        if 0 <= number <= indices.ragged_rank:
            raise ValueError(
                f"axis ({axis}) must be greater than indices.ragged_rank ({indices.ragged_rank})."
            )
        if number > 0:
            number -= indices.ragged_rank
    flat = creation.one_hot(indices.flat_values, depth, on_value, off_value, number, dtype)
    return indices.with_flat_values(flat)


def ensure_shape(x: RaggedTensor, shape: PartialShape, name: str | None = None) -> RaggedTensor:
    """The same, if the shape is compatible."""
    if not x.shape.is_compatible_with(TensorShape(shape)):
        raise InvalidArgumentError(
            f"Shape {x.shape} is not compatible with expected shape {shape}."
        )
    return x
