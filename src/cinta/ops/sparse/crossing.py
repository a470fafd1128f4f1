"""Crosses of features: every combination of the values that several features have in a row."""

from __future__ import annotations

from functools import reduce
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import Tensor, seen
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import whole_number
from ..strings.hash_functions import fingerprint, joined_fingerprints
from ..strings.string_arrays import text_of
from .set_operations import grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import TensorLike
    from ...engine.tensor import Array

_KEY = 0xDECAFCAFFE  # TensorFlow's, where none is given


@public("sparse.cross")
def cross(
    inputs: Sequence[TensorLike | SparseTensor],
    name: str | None = None,
    separator: TensorLike | None = None,
) -> SparseTensor:
    """The combinations as strings: the values with a separator between them.

    The features are matrices, dense or sparse, with a row for each sample. Those that are sparse
    come first, as in TensorFlow.

    >>> import cinta as tf
    >>> crossed = tf.sparse.cross([tf.constant([["a", "b"]]), tf.constant([[1]])])
    >>> crossed.values.numpy()
    array([b'a_X_1', b'b_X_1'], dtype=object)

    Args:
        inputs: A list of matrices, dense or sparse.
        separator: The text between two values; None for "_X_".
    """
    between = b"_X_" if separator is None else _single_text(separator)
    return _crossed(inputs, joined_by(between), object)


def _single_text(separator: TensorLike) -> bytes:
    found = text_of(separator)
    if found.size != 1:
        raise InvalidArgumentError(f"`separator` must be a single string, got {separator!r}.")
    between: bytes = found.item()
    return between


def joined_by(between: bytes) -> Callable[[tuple[Any, ...]], bytes]:
    """The combination of values as a string."""

    def joined(values: tuple[Any, ...]) -> bytes:
        return between.join([v if isinstance(v, bytes) else b"%d" % v for v in values])

    return joined


@public("sparse.cross_hashed")
def cross_hashed(
    inputs: Sequence[TensorLike | SparseTensor],
    num_buckets: int = 0,
    hash_key: int | None = None,
    name: str | None = None,
) -> SparseTensor:
    """The combinations as numbers of buckets, or whole hashes if ``num_buckets`` is 0.

    >>> import cinta as tf
    >>> crossed = tf.sparse.cross_hashed([tf.constant([["a", "b"]]), tf.constant([["x"]])], 100)
    >>> crossed.values.numpy()
    array([92,  4])

    Args:
        inputs: A list of matrices, dense or sparse.
        num_buckets: How many buckets there are.
        hash_key: A number that decides how values are spread.
    """
    return _crossed(inputs, combined_hash(num_buckets, hash_key), np.int64)


def combined_hash(num_buckets: int, hash_key: int | None) -> Callable[[tuple[Any, ...]], int]:
    """The combination of values as the number of a bucket."""
    count = whole_number(num_buckets, "num_buckets")
    key = _KEY if hash_key is None else whole_number(hash_key, "hash_key")
    if count < 0:
        raise InvalidArgumentError(
            f"Value for attr 'num_buckets' of {count} must be at least minimum 0 [Op:SparseCross]"
        )

    def bucket(values: tuple[Any, ...]) -> int:
        hashes = [fingerprint(v) if isinstance(v, bytes) else int(v) % 2**64 for v in values]
        return reduce(joined_fingerprints, hashes, key) % (count or 2**63 - 1)

    return bucket


def _crossed(
    inputs: Any, combine: Callable[[tuple[Any, ...]], Any], dtype: type[Any]
) -> SparseTensor:
    columns = _columns(inputs)
    rows = [[combine(values) for values in product(*each)] for each in zip(*columns, strict=True)]
    places = [(i, j) for i, row in enumerate(rows) for j in range(len(row))]
    values = np.array([value for row in rows for value in row], dtype)
    shape = [len(rows), max(map(len, rows), default=0)]
    return SparseTensor(np.array(places, np.int64).reshape(-1, 2), values, shape)


def _columns(inputs: TensorLike) -> list[list[Array]]:
    """The values of each feature, row by row; those of sparse ones first."""
    if not isinstance(inputs, (list, tuple)):
        raise TypeError(f"Inputs must be a list of tensors, got {inputs!r}.")
    for given in inputs:
        if not isinstance(given, (Tensor, SparseTensor)):
            raise TypeError(f"All inputs must be tensors or SparseTensors, got {given!r}.")
    ordered = sorted(inputs, key=lambda x: isinstance(x, Tensor))
    columns = [_rows(x, i) for i, x in enumerate(ordered)]
    for i, column in enumerate(columns):
        if len(column) != len(columns[0]):
            raise InvalidArgumentError(
                f"Expected batch size {len(columns[0])} got {len(column)} at tensor {i} "
                "[Op:SparseCross]"
            )
    return columns


def _rows(x: Tensor | SparseTensor, position: int) -> list[Array]:
    if len(x.shape) != 2:
        raise InvalidArgumentError(
            f"Dense inputs should be a matrix but received shape {list(x.shape)} at position "
            f"{position} [Op:SparseCross]"
        )
    rows = grouped(x, int(x.lengths[0])) if isinstance(x, SparseTensor) else [*seen(x)]
    strings = x.dtype.name == "string"
    return [row if strings else row.astype(np.int64) for row in rows]
