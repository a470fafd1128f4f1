"""Parts of ragged tensors, as `x[1:, :2]` writes them."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.convert import as_tensor, is_tensor
from ...engine.tensor import Tensor, seen
from ...errors import InvalidArgumentError
from ..arrays.gathering import gather
from .row_ends import spans, values_of_rows
from .row_partition import RowPartition
from .tensor import RaggedTensor, constant

if TYPE_CHECKING:
    from ...engine.tensor import Array
    from .annotations import RaggedOrDense

_WHOLE = slice(None)


def taken(x: RaggedOrDense, rows: Array) -> RaggedOrDense:
    """The rows with these numbers, with all that is in them."""
    if isinstance(x, Tensor):
        return gather(x, constant(rows))
    values, ends = values_of_rows(x._row_partition.ends, rows)
    return _in_rows(x, taken(x.values, values), ends, x._row_partition.static_uniform_row_length)


def _in_rows(
    x: RaggedTensor, values: RaggedOrDense, ends: Array, uniform: int | None
) -> RaggedTensor:
    dtype = x._row_partition.dtype
    return RaggedTensor(values, RowPartition._of_ends(ends, dtype, uniform), internal=True)


def getitem(x: RaggedTensor, key: RaggedOrDense) -> RaggedOrDense:
    """A part of a ragged tensor."""
    keys = list(key) if isinstance(key, (list, tuple)) else [key]
    keys = [_plain(each) for each in keys]
    return _part(x, _without_ellipsis(keys, x.shape.rank or 0))


def _plain(key: RaggedOrDense) -> RaggedOrDense:
    """A key in Python's numbers."""
    if isinstance(key, slice):
        parts = {"offsets": key.start, "offsets ": key.stop, "strides": key.step}
        return slice(*[_bound(each, name.strip()) for name, each in parts.items()])
    return key if key is None or key is Ellipsis else _whole(key)


def _bound(number: RaggedOrDense, name: str) -> int | None:
    try:
        return None if number is None else _whole(number)
    except (TypeError, ValueError):
        raise TypeError(
            f"slice {name} must be integers or None, got {number!r}. Only integers, slices are "
            "valid in an index."
        ) from None


def _whole(number: RaggedOrDense) -> int:
    array = np.asarray(seen(as_tensor(number)) if is_tensor(number) else number)
    if isinstance(number, bool) or array.ndim or array.dtype.kind not in "iu":
        raise TypeError(
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            f"tf.int32/tf.int64 tensors are valid indices, got {number!r}."
        )
    return int(array)


def _without_ellipsis(keys: list[Any], rank: int) -> list[Any]:
    dots = [i for i, key in enumerate(keys) if key is Ellipsis]
    if len(dots) > 1:
        raise ValueError("Only one ellipsis is allowed in an index.")
    axes = sum(key is not None and key is not Ellipsis for key in keys)
    if axes > rank:
        raise ValueError(f"Too many indices for RaggedTensor: {axes} for one of rank {rank}.")
    if dots:
        keys[dots[0] : dots[0] + 1] = [_WHOLE] * (rank - axes)
    return keys


def _part(x: RaggedOrDense, keys: list[Any]) -> RaggedOrDense:
    """The keys applied from the outermost axis on."""
    if not keys:
        return x
    if isinstance(x, Tensor):
        return x[tuple(keys)]
    key, *rest = keys
    if key is None:
        inner = _part(x, rest)
        count = inner.shape[0] if inner.shape.rank else 1
        if isinstance(inner, Tensor):
            return inner[None]
        return RaggedTensor.from_uniform_row_length(inner, count, nrows=1)
    count = x._row_partition.static_nrows
    if isinstance(key, slice):
        rows = np.arange(count)[key]
        return _inside(x if key == _WHOLE else taken(x, rows), rest)
    if not -count <= key < count:
        raise InvalidArgumentError(
            f"slice index {key} of dimension 0 out of bounds: there are {count} rows "
            "[Op:StridedSlice]"
        )
    start, stop = x._row_partition.ends[key % count :][:2]
    return _part(x.values[builtins.slice(int(start), int(stop))], rest)


def _inside(x: RaggedOrDense, keys: list[Any]) -> RaggedOrDense:
    """The keys applied to every row alike."""
    if not keys:
        return x
    if isinstance(x, Tensor):
        return x[(_WHOLE, *keys)]
    key, *rest = keys
    rows = x._row_partition
    if key is None:
        return RaggedTensor.from_uniform_row_length(_inside(x, rest), 1, nrows=rows.static_nrows)
    if isinstance(key, slice):
        return _rows_sliced(x, key, rest)
    size = rows.static_uniform_row_length
    if size is None:
        raise ValueError("Cannot index into an inner ragged dimension.")
    if not -size <= key < size:
        raise InvalidArgumentError(
            f"slice index {key} out of bounds: rows have {size} elements [Op:StridedSlice]"
        )
    return _inside(taken(x.values, rows.ends[:-1] + key % size), rest)


def _rows_sliced(x: RaggedTensor, key: slice, rest: list[Any]) -> RaggedTensor:
    rows = x._row_partition
    size = rows.static_uniform_row_length
    values, ends = x.values, rows.ends
    if key != _WHOLE:
        starts, lengths, step = bounds(key, rows.lengths)
        places, ends = spans(ends[:-1] + starts, lengths, step)
        values = taken(values, places)
        size = None if size is None else len(range(size)[key])
    return _in_rows(x, _inside(values, rest), ends, size)


def bounds(key: slice, lengths: Array) -> tuple[Array, Array, int]:
    """Where a slice of rows of these lengths begins in each, how long it is, and its step."""
    step = 1 if key.step is None else key.step
    if step == 0:
        raise ValueError("slice step cannot be zero")
    low, high = (0, lengths) if step > 0 else (-1, lengths - 1)

    def clipped(bound: int | None, default: RaggedOrDense) -> Array:
        if bound is None:
            return np.broadcast_to(default, lengths.shape)
        return np.clip(bound + lengths if bound < 0 else np.full_like(lengths, bound), low, high)

    start = clipped(key.start, 0 if step > 0 else lengths - 1)
    stop = clipped(key.stop, lengths if step > 0 else -1)
    count = np.maximum(0, -((start - stop) // step))
    return start, count, step
