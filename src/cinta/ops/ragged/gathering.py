"""Elements and rows picked by their numbers, or by a mask."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.tensor import Tensor, seen
from ...errors import InvalidArgumentError
from ..arguments import whole
from ..arrays import gathering, gathering_nd
from .constructors import ragged_or_dense
from .elementwise import same_rows
from .measuring import positive_axis
from .row_ends import rows_of_values
from .row_partition import RowPartition
from .slicing import taken
from .tensor import RaggedTensor, constant

if TYPE_CHECKING:
    from ...engine.annotations import IntLike
    from ...engine.tensor import Array
    from .annotations import RaggedOrDense


def gather(
    params: RaggedOrDense,
    indices: RaggedOrDense,
    validate_indices: RaggedOrDense = None,
    axis: RaggedOrDense = None,
    batch_dims: IntLike = 0,
    name: str | None = None,
) -> RaggedOrDense:
    """Rows, or elements of rows, at these numbers."""
    x, ids = ragged_or_dense(params), _whole(indices)
    batch = positive_axis(batch_dims, len(ids.shape) + 1) if batch_dims else 0
    along = batch if axis is None else positive_axis(axis, len(x.shape))
    if along < batch:
        raise ValueError(f"axis={along} must not be smaller than batch_dims={batch}.")
    if batch:
        return _in_batches(x, ids, batch, along)
    if along == 0:
        return _rows(x, ids)
    return _along(x, ids, along)


def _whole(indices: RaggedOrDense) -> RaggedOrDense:
    """Indices, which are whole numbers."""
    ids = ragged_or_dense(indices)
    if isinstance(ids, RaggedTensor):
        whole(ids.flat_values)
        return ids
    return whole(indices)


def _rows(x: RaggedOrDense, ids: RaggedOrDense) -> RaggedOrDense:
    if isinstance(ids, RaggedTensor):
        return ids.with_values(_rows(x, ids.values))
    count = int(x.shape[0])
    numbers = seen(ids)
    flat = numbers.reshape(-1)
    _check(flat, count, numbers.shape)
    if isinstance(x, Tensor):
        return gathering.gather(x, ids)
    picked = taken(x, flat)
    if numbers.ndim == 0:
        return picked[0]
    picked = RaggedTensor.from_nested_row_splits(  # which forgets that rows are of one length
        picked.flat_values, picked.nested_row_splits, validate=False
    )
    if numbers.ndim == 1:
        return picked
    return assembled_over(picked, numbers.shape, x.row_splits.dtype)


def assembled_over(x: RaggedOrDense, shape: RaggedOrDense, dtype: RaggedOrDense) -> RaggedOrDense:
    """Rows that stand one below the other, in these outer axes."""
    count = len(x) if isinstance(x, np.ndarray) else int(np.prod(shape))
    levels: list[RowPartition] = []
    for size in shape[:0:-1]:
        rows = count // size if size else int(np.prod(shape[: len(shape) - 1 - len(levels)]))
        levels.append(RowPartition._of_ends(np.arange(rows + 1) * size, dtype, size))
        count = rows
    return _over(x, levels[::-1])


def _over(x: RaggedOrDense, levels: list[RowPartition]) -> RaggedOrDense:
    for rows in levels[::-1]:
        x = RaggedTensor(x, rows, internal=True)
    return x


def _check(numbers: Array, count: int, shape: RaggedOrDense = None) -> None:
    bad = np.flatnonzero((numbers < 0) | (numbers >= count))
    if len(bad):
        place = list(np.unravel_index(bad[0], shape)) if shape else [bad[0]]
        written = ",".join(str(int(n)) for n in place)
        raise InvalidArgumentError(
            f"indices[{written}] = {numbers[bad[0]]} is not in [0, {count}) [Op:RaggedGather]"
        )


def _along(x: RaggedOrDense, ids: RaggedOrDense, axis: int) -> RaggedOrDense:
    """The same elements of every row."""
    if isinstance(x, Tensor):
        if isinstance(ids, Tensor):
            return gathering.gather(x, ids, axis=axis)
        from .joining import with_depth

        x = with_depth(x, axis, ids.row_splits.dtype)
    if axis > 1:
        return x.with_values(_along(x.values, ids, axis - 1))
    rows = x._row_partition
    flat = ids
    levels: list[RowPartition] = []
    while isinstance(flat, RaggedTensor):
        levels.append(flat._row_partition)
        flat = flat.values
    numbers = seen(flat)
    count = rows.static_nrows
    lengths = rows.lengths
    each = numbers.reshape(-1)
    for n in each:
        if count and not 0 <= n < lengths.min():
            raise InvalidArgumentError(
                f"indices = {n} is out of bounds: rows have {lengths.tolist()} elements "
                "[Op:RaggedGather]"
            )
    chosen = (rows.ends[:-1, None] + each).reshape(-1)
    values = taken(x.values, chosen)
    dtype = rows.dtype
    if numbers.ndim > 1:
        values = assembled_over(values, (count * numbers.shape[0], *numbers.shape[1:]), dtype)
    if numbers.ndim == 0:
        return values
    for level in levels[::-1]:
        ends = np.concatenate(
            [[0], *[level.ends[1:] + i * level.static_nvals for i in range(count)]]
        )
        values = RaggedTensor(values, RowPartition._of_ends(ends, dtype), internal=True)
    size = levels[0].static_nrows if levels else numbers.shape[0]
    outer = RowPartition._of_ends(np.arange(count + 1) * size, dtype, size)
    return RaggedTensor(values, outer, internal=True)


def _in_batches(x: RaggedOrDense, ids: RaggedOrDense, batch: int, axis: int) -> RaggedOrDense:
    """Of each batch the elements that it asks for."""
    if isinstance(x, Tensor) and isinstance(ids, Tensor):
        return gathering.gather(x, ids, axis=axis, batch_dims=batch)
    from .joining import with_depth

    dtype = (x if isinstance(x, RaggedTensor) else ids).row_splits.dtype
    x, ids = with_depth(x, batch, dtype), with_depth(ids, min(batch, len(ids.shape) - 1), dtype)
    if batch > 1 or (len(ids.shape) > batch and batch > 1):
        if not same_rows([x._row_partition], [ids._row_partition]):
            raise InvalidArgumentError(
                "batch shape from indices does not match params shape: their rows differ."
            )
        return x.with_values(_in_batches(x.values, ids.values, batch - 1, axis - 1))
    if axis > 1:
        return _each_batch(x, ids, axis)
    rows = x._row_partition
    if len(ids.shape) == 1:  # one number for each batch
        numbers = seen(ids)
        _check_rows(numbers, rows, np.arange(len(numbers)))
        return taken(x.values, rows.ends[:-1] + numbers)
    if ids._row_partition.static_nrows != rows.static_nrows:
        raise InvalidArgumentError(
            f"params has {rows.static_nrows} rows, indices have "
            f"{ids._row_partition.static_nrows}: the batches must agree."
        )
    flat, row = ids.values, rows_of_values(ids._row_partition.ends)
    levels = [ids._row_partition]
    while isinstance(flat, RaggedTensor):
        levels.append(flat._row_partition)
        row = row[rows_of_values(flat._row_partition.ends)]
        flat = flat.values
    numbers = seen(flat)
    within = numbers.shape[1:]
    if within:
        row = np.repeat(row, int(np.prod(within)))
    each = numbers.reshape(-1)
    _check_rows(each, rows, row)
    values = taken(x.values, rows.ends[:-1][row] + each)
    if within:
        values = _reshaped(values, numbers.shape, dtype)
    return _over(values, levels)


def _each_batch(x: RaggedOrDense, ids: RaggedOrDense, axis: int) -> RaggedOrDense:
    """Batch by batch, where the axis is not the first of each."""
    from .joining import stack

    count = x._row_partition.static_nrows
    return stack([gather(x[i], ids[i], axis=axis - 1) for i in range(count)])


def _reshaped(values: RaggedOrDense, shape: RaggedOrDense, dtype: RaggedOrDense) -> RaggedOrDense:
    if isinstance(values, Tensor):
        from ..arrays.shaping import reshape

        return reshape(values, [*shape, *values.shape[1:]])
    return assembled_over(values, shape, dtype)


def _check_rows(numbers: Array, rows: RowPartition, row: Array) -> None:
    lengths = rows.lengths[row]
    bad = np.flatnonzero((numbers < 0) | (numbers >= lengths))
    if len(bad):
        i = int(bad[0])
        raise InvalidArgumentError(
            f"indices[{i}] = {numbers[i]} is not in [0, {lengths[i]}) [Op:RaggedGather]"
        )


def batch_gather(
    params: RaggedOrDense, indices: RaggedOrDense, name: str | None = None
) -> RaggedOrDense:
    """Of each batch the elements that it asks for."""
    ids = ragged_or_dense(indices)
    if not len(ids.shape):
        raise ValueError("batch_gather takes indices of rank 1 or more, got a scalar.")
    return gather(params, ids, batch_dims=len(ids.shape) - 1)


def gather_nd(
    params: RaggedOrDense,
    indices: RaggedOrDense,
    batch_dims: IntLike = 0,
    name: str | None = None,
    bad_indices_policy: str = "",
) -> RaggedOrDense:
    """Elements at these coordinates."""
    if gathering_nd.ignores_bad_indices(bad_indices_policy):
        raise ValueError("bad_indices_policy='IGNORE' is not supported for ragged gather.")
    if not isinstance(batch_dims, int) or batch_dims != 0:
        raise ValueError("batch_dims != 0 is not supported for ragged gather yet.")
    x, ids = ragged_or_dense(params), _whole(indices)
    if isinstance(ids, RaggedTensor):
        if len(ids.shape) == 2 and ids.shape[1] is None:
            raise ValueError("The last axis of indices must have one length for all.")
        if len(ids.shape) == ids.ragged_rank + 1:
            return gather_nd(x, ids.to_tensor())
        return ids.with_values(gather_nd(x, ids.values))
    if isinstance(x, Tensor):
        return gathering_nd.gather_nd(x, ids)
    if not len(ids.shape):
        raise ValueError("indices.rank must be at least 1, got a scalar.")
    coordinates = seen(ids)
    depth, outer = coordinates.shape[-1], coordinates.shape[:-1]
    if not depth:
        return _repeated(x, outer)
    chosen = coordinates.reshape(-1, depth)
    return _reshaped_or_one(_picked(x, chosen), outer, x.row_splits.dtype)


def _picked(x: RaggedOrDense, coordinates: Array) -> RaggedOrDense:
    """The elements at each row of coordinates."""
    rows, rest = coordinates[:, 0], coordinates[:, 1:]
    _check(rows, int(x.shape[0]))
    while rest.shape[1] and isinstance(x, RaggedTensor):
        level = x._row_partition
        _check_rows(rest[:, 0], level, rows)
        rows, rest = level.ends[:-1][rows] + rest[:, 0], rest[:, 1:]
        x = x.values
    if isinstance(x, Tensor):
        return gathering_nd.gather_nd(x, constant(np.concatenate([rows[:, None], rest], axis=1)))
    return taken(x, rows)


def _reshaped_or_one(
    values: RaggedOrDense, outer: RaggedOrDense, dtype: RaggedOrDense
) -> RaggedOrDense:
    if not outer:
        return values[0]
    return values if len(outer) == 1 else _reshaped(values, outer, dtype)


def _repeated(x: RaggedTensor, outer: RaggedOrDense) -> RaggedOrDense:
    from .joining import tile
    from .reshaping import expand_dims

    result: RaggedOrDense = x
    for _ in outer:
        result = expand_dims(result, 0)
    return tile(result, [*outer, *[1] * len(x.shape)])


def embedding_lookup(
    params: RaggedOrDense,
    ids: RaggedOrDense,
    max_norm: RaggedOrDense = None,
    name: str | None = None,
) -> RaggedOrDense:
    """Rows of a table for each number."""
    from ..nn.embedding import embedding_lookup as dense

    if isinstance(ids, RaggedTensor):
        if not ids.dtype.is_integer:
            raise ValueError(
                f"The values contained by the inputs have type {ids.dtype!r} and cannot be "
                "processed: all should be indices, of type int32 or int64."
            )
        return ids.with_flat_values(dense(params, ids.flat_values, max_norm=max_norm))
    return gather(params, ids)
