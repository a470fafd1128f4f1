"""From dense tensors to sparse ones, and back."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...engine.dtype_kinds import INTEGER
from ...engine.fast_calls import on_one
from ...engine.free_memory import check_memory
from ...engine.primitives import Reshape
from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, integer, tensor_of
from ..arrays.creation import fill
from ..arrays.scattering import TensorScatterUpdate
from .picking import flat_places, picked, sparse

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike, IntLike, TensorLike
    from ...engine.tensor import Array, Tensor


@public("sparse.from_dense")
def from_dense(tensor: TensorLike, name: str | None = None) -> SparseTensor:
    """The elements that are not zero, or of strings not empty.

    >>> import cinta as tf
    >>> tf.sparse.from_dense([[0.0, 5.0], [6.0, 0.0]]).values.numpy()
    array([5., 6.], dtype=float32)

    Args:
        tensor: A tensor.

    Raises:
        InvalidArgumentError: If ``tensor`` is a scalar.
    """
    x = as_tensor(tensor)
    array = seen(x)
    if not array.ndim:
        raise InvalidArgumentError("a sparse tensor is made of a vector at least [Op:Where]")
    indices = np.argwhere(array != b"" if array.dtype.kind == "O" else array)
    flat = on_one(Reshape, x, shape=(array.size,))
    places = flat_places(indices, array.shape)
    return SparseTensor(wrap(indices), picked(flat, places), np.array(array.shape, np.int64))


@public("sparse.to_dense")
def to_dense(
    sp_input: SparseTensor,
    default_value: TensorLike | None = None,
    validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """The tensor with all its elements; ``default_value`` where there is none.

    Unless ``validate_indices`` is False, the indices must be sorted and without repeats; if it is,
    the last of repeated ones counts.

    >>> import cinta as tf
    >>> tf.sparse.to_dense(tf.SparseTensor([[0, 1], [1, 0]], [5, 6], [2, 2]), -1).numpy()
    array([[-1,  5],
           [ 6, -1]], dtype=int32)

    Args:
        sp_input: A sparse tensor.
        default_value: What stands elsewhere; None for 0, "" or False.
        validate_indices: Whether indices must be sorted and without repeats.

    Raises:
        InvalidArgumentError: If they are not, or are out of range.
    """
    x = sparse(sp_input)
    places = x.places("SparseToDense")
    if flag(validate_indices, "validate_indices"):
        _check_order(x, places)
        values = x.values
    else:
        _, from_the_end = np.unique(places[::-1], return_index=True)
        last = len(places) - 1 - from_the_end
        values, places = picked(x.values, last), places[last]
    nothing = _default(x, default_value)
    background = fill([prod(x.lengths)], nothing)
    flat: Tensor = TensorScatterUpdate(background, wrap(places), values, rank=1)
    return on_one(Reshape, flat, shape=x.lengths)


def _check_order(x: SparseTensor, places: Array) -> None:
    bad = np.flatnonzero(places[1:] <= places[:-1])
    if bad.size:
        row = int(bad[0]) + 1
        what = "repeated" if places[row] == places[row - 1] else "out of order"
        raise InvalidArgumentError(
            f"indices[{row}] = {seen(x.indices)[row].tolist()} is {what}: use tf.sparse.reorder, "
            "or validate_indices=False [Op:SparseToDense]"
        )


def _default(x: SparseTensor, default_value: object) -> Tensor:
    """The element where there is no value."""
    dtype = x.values._array.dtype
    if default_value is None:
        default_value = b"" if dtype.kind == "O" else np.zeros((), dtype)
    default = as_tensor(default_value, dtype)
    if default._array.ndim:
        raise InvalidArgumentError(
            f"default_value should be a scalar, got shape {default.shape} [Op:SparseToDense]"
        )
    return default


@public("sparse.to_indicator")
def to_indicator(sp_input: SparseTensor, vocab_size: IntLike, name: str | None = None) -> Tensor:
    """For each row which numbers are among its values, as booleans.

    >>> import cinta as tf
    >>> words = tf.SparseTensor([[0, 0], [0, 1]], [2, 0], [1, 5])
    >>> tf.sparse.to_indicator(words, 3).numpy()
    array([[ True, False,  True]])

    Args:
        sp_input: A sparse tensor of whole numbers.
        vocab_size: How many numbers there are.

    Raises:
        InvalidArgumentError: If a value is out of range, or no whole number.
    """
    x = sparse(sp_input)
    numbers = seen(tensor_of("SparseToDense", x.values, INTEGER))
    size = integer(vocab_size, "vocab_size")
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < size:
        raise InvalidArgumentError(
            f"Indices are not valid (out of bounds): the values must be in [0, {size}) "
            "[Op:SparseToDense]"
        )
    x.places("SparseToDense")
    check_memory("SparseToDense", (*x.lengths[:-1], size), 1)
    indicator = np.zeros((*x.lengths[:-1], size), bool)
    indicator[(*seen(x.indices).T[:-1], numbers)] = True
    return wrap(indicator)


@public("sparse.eye")
def eye(
    num_rows: IntLike,
    num_columns: IntLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> SparseTensor:
    """Ones on the diagonal of a matrix.

    >>> import cinta as tf
    >>> tf.sparse.eye(2, 3).shape
    TensorShape([2, 3])

    Args:
        num_rows: The number of rows.
        num_columns: The number of columns; None for as many.
        dtype: The dtype.
    """
    rows = integer(num_rows, "num_rows")
    columns = rows if num_columns is None else integer(num_columns, "num_columns")
    check_memory("SparseEye", (max(min(rows, columns), 0), 2))
    diagonal = np.arange(min(rows, columns))
    ones = np.ones(len(diagonal), dtypes.as_dtype(dtype).dtype)
    return SparseTensor(np.stack([diagonal, diagonal], 1), ones, [rows, columns])
