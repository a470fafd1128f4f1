"""Sparse tensors as strings of bytes: one for the places, one for the values, one for the shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor
from ..engine.shapes import written
from ..engine.sparse_tensor import SparseTensor
from ..engine.tensor import seen, wrap
from ..errors import InvalidArgumentError
from ..ops.arguments import integer
from ..ops.sparse.picking import sparse
from ..ops.sparse.rows import rows_of, stacked
from ..public import public
from .tensor_bytes import read_tensor, written_tensor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..engine.annotations import DTypeLike, IntLike, TensorLike
    from ..engine.tensor import Array, Tensor

_PARTS = ("indices", "values", "dense_shape")


@public("io.serialize_sparse")
def serialize_sparse(
    sp_input: SparseTensor, out_type: DTypeLike = dtypes.string, name: str | None = None
) -> Tensor:
    """The three parts of a sparse tensor as strings of bytes.

    >>> import cinta as tf
    >>> x = tf.sparse.SparseTensor([[1]], [5.0], [3])
    >>> stored = tf.stack([tf.io.serialize_sparse(x)] * 2)
    >>> tf.sparse.to_dense(tf.io.deserialize_many_sparse(stored, tf.float32)).numpy()
    array([[0., 5., 0.],
           [0., 5., 0.]], dtype=float32)

    Args:
        sp_input: The sparse tensor.
        out_type: ``tf.string``, the only one there is.
    """
    _check_out_type(out_type)
    return wrap(_table([sparse(sp_input)])[0])


@public("io.serialize_many_sparse")
def serialize_many_sparse(
    sp_input: SparseTensor, out_type: DTypeLike = dtypes.string, name: str | None = None
) -> Tensor:
    """The three parts of each row of a sparse tensor as strings of bytes.

    >>> import cinta as tf
    >>> x = tf.sparse.from_dense([[0.0, 1.0], [2.0, 0.0]])
    >>> stored = tf.io.serialize_many_sparse(x)
    >>> stored.shape
    TensorShape([2, 3])
    >>> tf.sparse.to_dense(tf.io.deserialize_many_sparse(stored, tf.float32)).numpy()
    array([[0., 1.],
           [2., 0.]], dtype=float32)

    Args:
        sp_input: The sparse tensor, of at least two axes.
        out_type: ``tf.string``, the only one there is.
    """
    _check_out_type(out_type)
    return wrap(_table(rows_of(sparse(sp_input))))


@public("io.deserialize_many_sparse")
def deserialize_many_sparse(
    serialized_sparse: TensorLike,
    dtype: DTypeLike,
    rank: IntLike | None = None,
    name: str | None = None,
) -> SparseTensor:
    """The sparse tensor with these rows, each as long as the longest one.

    >>> import cinta as tf
    >>> rows = [tf.sparse.SparseTensor([[i]], [7], [i + 1]) for i in range(2)]
    >>> stored = tf.stack([tf.io.serialize_sparse(row) for row in rows])
    >>> tf.sparse.to_dense(tf.io.deserialize_many_sparse(stored, tf.int32)).numpy()
    array([[7, 0],
           [0, 7]], dtype=int32)

    Args:
        serialized_sparse: Strings of shape ``[rows, 3]``, from ``tf.io.serialize_sparse`` or
            ``serialize_many_sparse``.
        dtype: The dtype of the values.
        rank: How many axes the result has, if that is to be checked.

    Raises:
        InvalidArgumentError: If there is no row, or one is damaged or has another dtype or other
            axes than the rest.
    """
    given = np.asarray(seen(as_tensor(serialized_sparse, np.dtype(object))))
    if given.ndim != 2 or given.shape[1] != 3:
        raise InvalidArgumentError(
            f"`serialized_sparse` must have shape [rows, 3], got {written(given.shape)}: a row "
            f"holds the {', '.join(_PARTS)} of a sparse tensor."
        )
    if not len(given):
        raise InvalidArgumentError("Serialized sparse should have at least 1 row, got none.")
    whole = stacked([_read(row, dtypes.as_dtype(dtype)) for row in given])
    if rank is not None and len(whole.lengths) != integer(rank, "rank"):
        raise ValueError(
            f"The rows make a sparse tensor of rank {len(whole.lengths)}; rank={rank} was expected."
        )
    return whole


def _check_out_type(out_type: DTypeLike) -> None:
    if dtypes.as_dtype(out_type) != dtypes.string:
        raise InvalidArgumentError(f"Sparse tensors become tf.string, got out_type={out_type!r}.")


def _table(rows: Iterable[SparseTensor]) -> Array:
    """A row of strings for each sparse tensor."""
    parts = [[written_tensor(seen(getattr(row, part))) for part in _PARTS] for row in rows]
    return np.array(parts, object).reshape(-1, len(_PARTS))


def _read(row: Array, dtype: dtypes.DType) -> SparseTensor:
    indices, values, dense_shape = [read_tensor(part) for part in row]
    if values.dtype != dtype.dtype:
        raise InvalidArgumentError(
            f"Requested SparseTensor of type {dtype.name} but the values are "
            f"{dtypes.of(values.dtype).name}."
        )
    try:
        made = SparseTensor(wrap(indices), wrap(values), wrap(dense_shape))
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"These are not the parts of a sparse tensor: {error}") from None
    if ((indices < 0) | (indices >= dense_shape)).any():
        raise InvalidArgumentError(
            f"A sparse tensor of shape {made.shape} has a value outside of it."
        )
    return made
