"""Sets: the rows of tensors taken for sets of numbers or strings. Results are sparse and sorted."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.convert import as_tensor
from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag
from .picking import flat_places, sparse

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import NumericLike
    from ...engine.shapes import Shape
    from ...engine.tensor import Array, Tensor

_KINDS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "string")


@public("sets.union")
def union(
    a: NumericLike | SparseTensor, b: NumericLike | SparseTensor, validate_indices: bool = True
) -> SparseTensor:
    """The union of two sets, row by row of tensors that are dense or sparse.

    >>> import cinta as tf
    >>> tf.sparse.to_dense(tf.sets.union([[1, 2], [5, 5]], [[2, 3], [5, 5]])).numpy()
    array([[1, 2, 3],
           [5, 0, 0]], dtype=int32)

    Args:
        a: A tensor, dense or sparse; its last axis holds the sets.
        b: Another one of the same dtype and number of rows.
        validate_indices: Accepted.
    """
    flag(validate_indices, "validate_indices")
    return _combined(np.union1d, a, b)


@public("sets.intersection")
def intersection(
    a: NumericLike | SparseTensor, b: NumericLike | SparseTensor, validate_indices: bool = True
) -> SparseTensor:
    """The intersection of two sets, row by row.

    >>> import cinta as tf
    >>> tf.sets.intersection([[1, 2, 2]], [[2, 3]]).values.numpy()
    array([2], dtype=int32)

    Args:
        a: A tensor, dense or sparse; its last axis holds the sets.
        b: Another one of the same dtype and number of rows.
        validate_indices: Accepted.
    """
    flag(validate_indices, "validate_indices")
    return _combined(np.intersect1d, a, b)


@public("sets.difference")
def difference(
    a: NumericLike | SparseTensor,
    b: NumericLike | SparseTensor,
    aminusb: bool = True,
    validate_indices: bool = True,
) -> SparseTensor:
    """The elements of the first set that are not in the second, row by row; or vice versa.

    >>> import cinta as tf
    >>> tf.sets.difference([[1, 2, 4]], [[2, 3]]).values.numpy()
    array([1, 4], dtype=int32)

    Args:
        a: A tensor, dense or sparse; its last axis holds the sets.
        b: Another one of the same dtype and number of rows.
        aminusb: Whether the elements are those of ``a``; else those of ``b`` that are not in ``a``.
        validate_indices: Accepted.
    """
    flag(validate_indices, "validate_indices")
    return _combined(np.setdiff1d, *((a, b) if flag(aminusb, "aminusb") else (b, a)))


@public("sets.size")
def size(a: SparseTensor, validate_indices: bool = True) -> Tensor:
    """How many different elements each row of a sparse tensor has.

    >>> import cinta as tf
    >>> tf.sets.size(tf.sets.union([[1, 2], [5, 5]], [[2, 3], [5, 5]])).numpy()
    array([3, 1], dtype=int32)

    Args:
        a: The sparse tensor; its last axis holds the sets.
        validate_indices: Accepted.

    Raises:
        TypeError: If it is not sparse.
    """
    flag(validate_indices, "validate_indices")
    batch, rows, _ = _rows("a", sparse(a))
    counts = [len(np.unique(row)) for row in rows]
    return wrap(np.array(counts, np.int32).reshape(batch)[()])


def _combined(
    combine: Callable[[Array, Array], Array],
    a: NumericLike | SparseTensor,
    b: NumericLike | SparseTensor,
) -> SparseTensor:
    """The sets that a function makes of each pair of rows."""
    batch, own, dtype = _rows("a", a)
    other_batch, others, other_dtype = _rows("b", b)
    if dtype != other_dtype:
        raise TypeError(f"Types don't match, {dtype} vs {other_dtype}.")
    if batch != other_batch:
        raise InvalidArgumentError(
            f"Mismatched shapes {list(batch)} vs {list(other_batch)}: sets need the same axes in "
            "front of the last one [Op:SetOperation]"
        )
    rows = [combine(x, y) for x, y in zip(own, others, strict=True)]
    lengths = [len(row) for row in rows]
    where = np.repeat(np.arange(len(rows)), lengths)
    place = np.concatenate([np.arange(n) for n in lengths]) if rows else where
    indices = np.stack([*np.unravel_index(where, batch), place], axis=1)
    values = np.concatenate(rows) if rows else np.empty(0, dtype)
    return SparseTensor(wrap(indices), wrap(values), [*batch, max(lengths, default=0)])


def _rows(argument: str, value: NumericLike) -> tuple[Shape, list[Array], np.dtype[Any]]:
    """The axes in front of the last one, the rows along that, and their dtype."""
    tensor = value.values if isinstance(value, SparseTensor) else as_tensor(value)
    if tensor.dtype.name not in _KINDS:
        raise TypeError(
            f"'{argument}' has invalid dtype `{tensor.dtype!r}` not in supported dtypes: {_KINDS}."
        )
    lengths = value.lengths if isinstance(value, SparseTensor) else tensor._array.shape
    if len(lengths) < 2:
        raise InvalidArgumentError(
            f"Shape {list(lengths)} has rank {len(lengths)} < 2: the sets are the rows of "
            f"`{argument}` [Op:SetOperation]"
        )
    array, batch = np.asarray(seen(tensor)), tuple(lengths[:-1])
    if not isinstance(value, SparseTensor):
        return batch, list(array.reshape(prod(batch), lengths[-1])), array.dtype
    return batch, grouped(value, prod(batch)), array.dtype


def grouped(x: SparseTensor, count: int) -> list[Array]:
    """The values of a sparse tensor of so many rows, row by row."""
    coordinates = x.indices._array
    x.places("SetOperation")  # which refuses those that are out of bounds
    places = flat_places(coordinates[:, :-1], x.lengths[:-1])
    order = np.lexsort((coordinates[:, -1], places))
    ends = np.searchsorted(places[order], np.arange(1, count))
    return np.split(np.asarray(seen(x.values))[order], ends)
