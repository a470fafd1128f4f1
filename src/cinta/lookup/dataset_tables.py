"""Tables of the elements of datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..data.base import stage_of
from ..data.dataset import Dataset
from ..engine.tensor import seen
from ..errors import InvalidArgumentError
from ..ops.arguments import whole_number
from ..programs.specs import TensorSpec
from ..public import public
from .table_initializers import KeyValueTensorInitializer
from .tables import StaticHashTable
from .vocabulary_tables import StaticVocabularyTable

if TYPE_CHECKING:
    from ..engine.annotations import DTypeLike, IntLike, TensorLike


@public("data.experimental.DatasetInitializer")
class DatasetInitializer(KeyValueTensorInitializer):
    """Keys and their values, in pairs, from the elements of a dataset.

    >>> import cinta as tf
    >>> pairs = tf.data.Dataset.from_tensor_slices((["a", "b"], [1, 2]))
    >>> numbers = tf.data.experimental.DatasetInitializer(pairs)
    >>> table = tf.lookup.StaticHashTable(numbers, default_value=-1)
    >>> table.lookup(tf.constant(["b", "z"])).numpy()
    array([ 2, -1], dtype=int32)

    Args:
        dataset: A dataset with an end, of pairs of scalars.

    Raises:
        ValueError: If its elements are anything else.
    """

    def __init__(self, dataset: Dataset) -> None:
        stage_of(dataset, "dataset")
        specs = dataset.element_spec
        if not isinstance(specs, tuple) or len(specs) != 2 or not all(map(_is_scalar, specs)):
            raise ValueError(
                "Datasets used to initialize lookup tables must produce elements in the form "
                f"(key, value), where the keys and values are scalar tensors, got {specs}."
            )
        columns: tuple[list[Any], list[Any]] = ([], [])
        for pair in dataset:
            for column, part in zip(columns, pair, strict=True):
                column.append(seen(part)[()])
        keys, values = (
            np.array(column, spec.dtype.dtype) for column, spec in zip(columns, specs, strict=True)
        )
        super().__init__(keys, values)


def _is_scalar(spec: object) -> bool:
    return isinstance(spec, TensorSpec) and spec.shape.rank == 0


@public("data.experimental.table_from_dataset")
def table_from_dataset(
    dataset: Dataset | None = None,
    num_oov_buckets: IntLike = 0,
    vocab_size: IntLike | None = None,
    default_value: TensorLike | None = None,
    hasher_spec: object = None,
    key_dtype: DTypeLike = dtypes.string,
    name: str | None = None,
) -> StaticHashTable | StaticVocabularyTable:
    """A table of the pairs of a dataset.

    >>> import cinta as tf
    >>> pairs = tf.data.Dataset.from_tensor_slices((["a", "b"], tf.constant([0, 1], tf.int64)))
    >>> table = tf.data.experimental.table_from_dataset(pairs, default_value=9)
    >>> table.lookup(tf.constant(["b", "z"])).numpy()
    array([1, 9])

    Args:
        dataset: A dataset with an end, of pairs of scalars.
        num_oov_buckets: How many numbers there are for keys that are not in the table, by their
            hashes; then the values are the numbers from 0 on, in int64.
        vocab_size: How many elements to take; None for all.
        default_value: The value for keys that are not in the table; None for -1 or the empty
            string.
        hasher_spec: None: keys are hashed as ``tf.strings.to_hash_bucket_fast`` does it.
        key_dtype: The dtype of the keys that are looked up.

    Raises:
        ValueError: If the dataset is missing, or a number is negative.
        TypeError: If the keys are neither strings nor integers.
        InvalidArgumentError: If another way to hash is asked for.
    """
    if dataset is None:
        raise ValueError("`dataset` must be a dataset of pairs of keys and values, got None.")
    buckets = whole_number(num_oov_buckets, "num_oov_buckets")
    if buckets < 0:
        raise ValueError(f"`num_oov_buckets` must be greater than or equal to 0, got {buckets}.")
    count = None if vocab_size is None else whole_number(vocab_size, "vocab_size")
    if count is not None and count < 1:
        raise ValueError(f"`vocab_size` must be greater than 0, got {count}.")
    if hasher_spec is not None:
        raise InvalidArgumentError(
            f"`hasher_spec` must be None, got {hasher_spec!r}: keys are hashed in one way only."
        )
    wanted = dtypes.as_dtype(key_dtype)
    if not (wanted.is_integer or wanted == dtypes.string):
        raise TypeError(f"`key_dtype` must be either an integer or string type, but got {wanted!r}")
    stage_of(dataset, "dataset")
    pairs = DatasetInitializer(dataset if count is None else dataset.take(count))
    if buckets:
        return StaticVocabularyTable(pairs, buckets, wanted)
    if default_value is None:
        default_value = b"" if pairs.value_dtype == dtypes.string else -1
    return StaticHashTable(pairs, default_value)


@public("data.experimental.index_table_from_dataset")
def index_table_from_dataset(
    dataset: Dataset | None = None,
    num_oov_buckets: IntLike = 0,
    vocab_size: IntLike | None = None,
    default_value: TensorLike = -1,
    hasher_spec: object = None,
    key_dtype: DTypeLike = dtypes.string,
    name: str | None = None,
) -> StaticHashTable | StaticVocabularyTable:
    """A table of the numbers of the elements of a dataset, from 0 on.

    >>> import cinta as tf
    >>> words = tf.data.Dataset.from_tensor_slices(["red", "blue"])
    >>> table = tf.data.experimental.index_table_from_dataset(words)
    >>> table.lookup(tf.constant(["blue", "green"])).numpy()
    array([ 1, -1])

    Args:
        dataset: A dataset with an end, of scalars.
        num_oov_buckets: How many more numbers there are for keys that are not in the table.
        vocab_size: How many elements to take; None for all.
        default_value: The number for keys that are not in the table.
        hasher_spec: None: keys are hashed as ``tf.strings.to_hash_bucket_fast`` does it.
        key_dtype: The dtype of the keys that are looked up.

    Raises:
        ValueError: If the dataset is missing, or a number is negative.
        TypeError: If the keys are neither strings nor integers.
    """
    if dataset is None:
        raise ValueError("`dataset` must be a dataset of keys, got None.")
    stage_of(dataset, "dataset")
    numbered = dataset.enumerate().map(lambda number, key: (key, number))
    return table_from_dataset(
        numbered, num_oov_buckets, vocab_size, default_value, hasher_spec, key_dtype
    )
