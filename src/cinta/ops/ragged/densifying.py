"""From ragged tensors to dense and sparse ones, and back."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...engine.op import op
from ...engine.shapes import TensorShape
from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import Tensor, seen, wrap
from ...errors import InvalidArgumentError
from ..arguments import integers, memory_for
from ..arrays.creation import fill
from ..arrays.gathering import gather
from ..arrays.joining import concat
from ..arrays.padding import pad
from ..arrays.shaping import reshape
from ..arrays.tiling import broadcast_to
from .row_ends import ends_of, rows_of_values, values_of_rows
from .row_partition import RowPartition
from .tensor import RaggedTensor, assembled, constant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayModule
    from ...engine.made_up import MadeUpLengths
    from ...engine.shapes import Count
    from ...engine.tensor import Array
    from .annotations import RaggedOrDense


def places(x: RaggedTensor) -> list[Array]:
    """For each value its numbers along the outermost axis and along each level of rows."""
    return _coordinates([rows.ends for rows in x._nested_row_partitions])


def _coordinates(ends_of_levels: Sequence[Array]) -> list[Array]:
    found: list[Array] = []
    for ends in ends_of_levels:
        outer = rows_of_values(ends)
        found = [each[outer] for each in found] or [outer]
        found.append(np.arange(ends[-1]) - ends[:-1][outer])
    return found


def bounds_of(x: RaggedTensor) -> list[int]:
    """The length of each axis of the smallest dense tensor."""
    longest = [int(rows.lengths.max(initial=0)) for rows in x._nested_row_partitions]
    return [x._row_partition.static_nrows, *longest, *x.flat_values.shape[1:]]


def to_tensor(x: RaggedTensor, default_value: RaggedOrDense, shape: RaggedOrDense) -> Tensor:
    """The rows, one below the other, filled up to the length of the longest."""
    if isinstance(shape, Tensor) and shape.shape.rank == 0:
        shape = None
    elif isinstance(shape, Tensor):
        shape.shape.assert_has_rank(1)
        shape = [None if n < 0 else n for n in integers(shape, "shape")]
    flat, partitions = x.flat_values, x._nested_row_partitions
    inner = flat.shape[1:].as_list()
    default = _default(flat, default_value, inner)
    depth = len(partitions) + 1
    wanted = _wanted(x, shape, depth + len(inner))
    source = RaggedTensorToTensor(*[rows.row_splits() for rows in partitions], shape=wanted[:depth])
    last = broadcast_to(reshape(default, [1, *default.shape]), [1, *inner])
    result = gather(concat([flat, last], 0), source)
    wanted_inner = [n if m is None else m for n, m in zip(inner, wanted[depth:], strict=True)]
    return result if wanted_inner == inner else _resized(result, depth, wanted_inner, default)


def _wanted(x: RaggedTensor, shape: RaggedOrDense, rank: int) -> tuple[int | None, ...]:
    """The length of each axis that was asked for."""
    wanted = TensorShape(shape)
    if wanted.rank is None:
        return (None,) * rank
    if wanted.rank != rank:
        raise ValueError(f"Shape {wanted} must have rank {rank}, the rank of {x.shape}.")
    return tuple(wanted.as_list())


def _made_up_numbers(lengths: MadeUpLengths, *ends: Array, shape: tuple[int | None, ...]) -> Array:
    rows = len(ends[0]) - 1 if shape[0] is None else shape[0]
    return np.zeros((rows, *[lengths() if n is None else n for n in shape[1:]]), np.int64)


@op("RaggedTensorToTensor", sized_by_values=True, example=_made_up_numbers)
def RaggedTensorToTensor(xp: ArrayModule, *ends: Array, shape: tuple[Count | None, ...]) -> Array:
    """Which value stands where in the dense tensor; behind the ends of rows the number of values.

    ``ends`` are those of the rows, level by level; an axis without a length is as long as needed.
    """
    longest = [int(np.diff(each).max(initial=0)) for each in ends]
    lengths = [len(ends[0]) - 1, *longest]
    lengths = [n if m is None else m for n, m in zip(lengths, shape, strict=True)]
    coordinates = _coordinates(ends)
    kept = np.all([c < n for c, n in zip(coordinates, lengths, strict=True)], axis=0)
    with memory_for("RaggedTensorToTensor", lengths):
        source = np.full(lengths, ends[-1][-1], np.int64)
    source[tuple([c[kept] for c in coordinates])] = np.flatnonzero(kept)
    return source


RaggedTensorToTensor.no_grad()


def _default(flat: Tensor, value: RaggedOrDense, inner: list[Any]) -> Tensor:
    """The value for places behind the ends of rows, with as many axes as values have."""
    if value is None:
        empty: RaggedOrDense = b"" if flat.dtype is dtypes.string else 0
        return fill([1] * len(inner), wrap(np.array(empty, flat._array.dtype)))
    default = as_tensor(value, None if isinstance(value, Tensor) else flat._array.dtype)
    if default.dtype is not flat.dtype:
        raise ValueError(
            f"default_value is of dtype {default.dtype!r}, the values are {flat.dtype!r}."
        )
    rank = len(default.shape)
    if rank > len(inner):
        raise ValueError(
            f"default_value.shape={default.shape} and rt_input.flat_values.shape={flat.shape} are "
            "incompatible: default_value must be broadcastable to the inner axes of the values."
        )
    try:
        broadcast_to(default, inner)
    except InvalidArgumentError as error:
        raise ValueError(
            f"default_value.shape={default.shape} and rt_input.flat_values.shape={flat.shape} are "
            f"incompatible: {error}"
        ) from None
    return reshape(default, [1] * (len(inner) - rank) + default.shape.as_list())


def _resized(x: Tensor, depth: int, inner: list[int], default: Tensor) -> Tensor:
    """Inner axes cut off or filled up to these lengths."""
    x = x[(*[slice(None)] * depth, *[slice(0, n) for n in inner])]
    missing = [[0, n - m] for n, m in zip(inner, x.shape[depth:], strict=True)]
    if not any(after for _, after in missing):
        return x
    if prod(default.shape) > 1:
        raise InvalidArgumentError("shape is longer than the values, which need one default_value")
    return pad(x, [[0, 0]] * depth + missing, constant_values=reshape(default, []))


def to_sparse(x: RaggedTensor) -> SparseTensor:
    """Every value by its coordinates."""
    flat = x.flat_values
    inner = flat.shape[1:].as_list()
    coordinates = np.stack(places(x), axis=1)
    if inner:
        count = prod(inner)
        within = np.indices(inner).reshape(len(inner), count).T
        rows = np.repeat(coordinates, count, axis=0)
        coordinates = np.concatenate([rows, np.tile(within, (len(coordinates), 1))], axis=1)
    lengths = np.array(bounds_of(x), np.int64)
    return SparseTensor(coordinates.astype(np.int64), reshape(flat, [-1]), lengths)


def from_sparse(x: RaggedOrDense, dtype: dtypes.DType) -> RaggedTensor:
    """The rows of a sparse matrix, each of which begins at its first element."""
    if not isinstance(x, SparseTensor):
        raise TypeError(f"Argument `st_input` must be of type SparseTensor, but is of type {x!r}.")
    if len(x.lengths) != 2:
        raise ValueError(
            f"rank(st_input) must be 2. Received shape {list(x.lengths)}: only matrices are made "
            "ragged."
        )
    indices = seen(x.indices)
    rows, columns = indices[:, 0], indices[:, 1]
    lengths = np.bincount(rows, minlength=x.lengths[0])
    expected = np.arange(len(rows)) - ends_of(lengths)[:-1][rows]
    if (np.diff(rows) < 0).any() or (columns != expected).any():
        raise InvalidArgumentError(
            "SparseTensor is not right-ragged: in each row the values must stand at its beginning, "
            f"in order, but the indices are {indices.tolist()}."
        )
    return RaggedTensor(x.values, RowPartition._of_ends(ends_of(lengths), dtype), internal=True)


def from_tensor(
    tensor: RaggedOrDense,
    lengths: RaggedOrDense,
    padding: RaggedOrDense,
    ragged_rank: int,
    dtype: dtypes.DType,
) -> RaggedTensor:
    """The rows of a dense tensor, whole or cut off."""
    if lengths is not None and padding is not None:
        raise ValueError("Specify argument `lengths` or `padding`, but not both.")
    if not isinstance(ragged_rank, int):
        raise TypeError(f"Argument `ragged_rank` must be an int. Received {ragged_rank!r}.")
    if ragged_rank <= 0:
        raise ValueError(f"Argument `ragged_rank` must be greater than 0. Received {ragged_rank}.")
    x = as_tensor(tensor)
    shape = x.shape.as_list()
    if len(shape) <= ragged_rank:
        raise ValueError(
            f"The rank of a RaggedTensor must be greater than 1, and than ragged_rank="
            f"{ragged_rank}: got a tensor of shape {x.shape}."
        )
    if lengths is not None:
        nested = _nested_lengths(lengths, ragged_rank)
        if nested is not None:
            return _by_nested_lengths(x, nested, dtype)
    levels = []
    for depth in range(ragged_rank):
        rows, size = prod(shape[: depth + 1]), shape[depth + 1]
        levels.append(RowPartition._of_ends(np.arange(rows + 1) * size, dtype, size))
    flat = reshape(x, [prod(shape[: ragged_rank + 1]), *shape[ragged_rank + 1 :]])
    if padding is not None:
        lengths = _unpadded(flat, padding, shape[ragged_rank], prod(shape[:ragged_rank]))
    if lengths is not None:
        kept = _checked_lengths(lengths, prod(shape[:ragged_rank]), shape[ragged_rank])
        starts = np.arange(len(kept)) * shape[ragged_rank]
        ends = np.zeros(len(kept) * 2 + 1, np.int64)
        ends[1::2], ends[2::2] = starts + kept, starts + shape[ragged_rank]
        places, new = values_of_rows(ends, np.arange(0, 2 * len(kept), 2))
        flat = gather(flat, constant(places))
        levels[-1] = RowPartition._of_ends(new, dtype)
    return assembled(flat, levels)  # type: ignore[no-any-return]


def _nested_lengths(lengths: RaggedOrDense, ragged_rank: int) -> list[Any] | None:
    """A list of lengths for each level, None if there is one level."""
    if not isinstance(lengths, (list, tuple)) or not lengths:
        return None
    if not any(isinstance(each, (list, tuple, Tensor, np.ndarray)) for each in lengths):
        return None
    if all(np.ndim(seen(each) if isinstance(each, Tensor) else each) == 0 for each in lengths):
        return None
    if ragged_rank not in (1, len(lengths)):
        raise ValueError(
            f"If Argument `lengths` is a tuple of row_lengths, argument `ragged_rank` must be "
            f"len(lengths): {len(lengths)}. Received ragged_rank: {ragged_rank}."
        )
    return list(lengths)


def _by_nested_lengths(x: Tensor, nested: list[Any], dtype: dtypes.DType) -> RaggedTensor:
    """Every level of rows cut off at lengths of its own."""
    levels, shape = [], x.shape.as_list()
    if len(shape) <= len(nested):
        raise ValueError(f"Shape {x.shape} must have rank at least {len(nested) + 1}.")
    chosen = np.arange(shape[0])
    for depth, given in enumerate(nested):
        size = shape[depth + 1]
        kept = _checked_lengths(given, len(chosen), size)
        ends = ends_of(kept)
        levels.append(RowPartition._of_ends(ends, dtype))
        rows = rows_of_values(ends)
        chosen = chosen[rows] * size + np.arange(ends[-1]) - ends[:-1][rows]
    flat = reshape(x, [prod(shape[: len(nested) + 1]), *shape[len(nested) + 1 :]])
    return assembled(gather(flat, constant(chosen)), levels)  # type: ignore[no-any-return]


def _checked_lengths(lengths: RaggedOrDense, rows: int, size: int) -> Array:
    given = np.asarray(seen(as_tensor(lengths)))
    if given.ndim != 1:
        raise ValueError(f"Shape {given.shape} must have rank 1: `lengths` of the rows.")
    if len(given) != rows:
        raise ValueError(
            f"Dimensions {rows} and {len(given)} are not compatible: `lengths` needs a length for "
            "each row."
        )
    return np.clip(given.astype(np.int64), 0, size)


def _unpadded(flat: Tensor, padding: RaggedOrDense, size: int, rows: int) -> Array:
    """How long each row is without the padding at its end."""
    array = seen(flat)
    fill = as_tensor(padding, array.dtype)
    if list(fill.shape) != list(array.shape[1:]):
        raise ValueError(
            f"Shapes {tuple(fill.shape)} and {array.shape[1:]} are incompatible: `padding` must "
            "have the shape of a value."
        )
    same = np.all(array == seen(fill), axis=tuple(range(1, array.ndim))).reshape(rows, size)
    reverse = ~same[:, ::-1]
    first = np.where(reverse.any(1), reverse.argmax(1) if size else 0, size)
    return np.asarray(size - first)
