"""Features of records as they are announced: the dtype of each, and how many values it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..dtypes import as_dtype, int32, int64
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.annotations import DTypeLike, PartialShape, TensorLike


@public("io.FixedLenFeature")
class FixedLenFeature(NamedTuple):
    """As many values in every example: it becomes a tensor. Without a default it must be there.

    >>> import cinta as tf
    >>> tf.io.FixedLenFeature([2], tf.float32)
    FixedLenFeature(shape=[2], dtype=tf.float32, default_value=None)
    """

    shape: PartialShape
    dtype: DTypeLike
    default_value: TensorLike | None = None


@public("io.FixedLenSequenceFeature")
class FixedLenSequenceFeature(NamedTuple):
    """A list of any length of values of one shape: it becomes a tensor, padded with the default.

    >>> import cinta as tf
    >>> tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True).shape
    []

    Args:
        shape: The shape of a value.
        dtype: The dtype of the values.
        allow_missing: Whether examples may lack the feature, or have fewer values than others. It
            must be True for ``tf.io.parse_example``.
        default_value: A number to pad with; None for 0 or the empty string.
    """

    shape: PartialShape
    dtype: DTypeLike
    allow_missing: bool = False
    default_value: TensorLike | None = None


@public("io.VarLenFeature")
class VarLenFeature(NamedTuple):
    """Any number of values: it becomes a sparse tensor.

    >>> import cinta as tf
    >>> tf.io.VarLenFeature(tf.int64)
    VarLenFeature(dtype=tf.int64)
    """

    dtype: DTypeLike


@public("io.SparseFeature")
class SparseFeature(NamedTuple):
    """Values in one feature and their places in others: together they become a sparse tensor.

    >>> import cinta as tf
    >>> tf.io.SparseFeature("places", "values", tf.float32, size=100).size
    100

    Args:
        index_key: The feature that holds the places, or a list of one for each axis.
        value_key: The feature that holds the values.
        dtype: The dtype of the values.
        size: The length of the axis, or a list of one for each axis.
        already_sorted: Whether the places are in order.
    """

    index_key: str | Sequence[str]
    value_key: str
    dtype: DTypeLike
    size: int | Sequence[int]
    already_sorted: bool = False


class RowSplits(NamedTuple):
    """Rows that end where the numbers in a feature say, of which the first is 0."""

    key: str


class RowLengths(NamedTuple):
    """Rows whose lengths stand in a feature."""

    key: str


class RowStarts(NamedTuple):
    """Rows that begin where the numbers in a feature say."""

    key: str


class RowLimits(NamedTuple):
    """Rows that end where the numbers in a feature say."""

    key: str


class ValueRowIds(NamedTuple):
    """Rows to which the values belong by the numbers in a feature."""

    key: str


class UniformRowLength(NamedTuple):
    """Rows of one length."""

    length: int


Partition = RowSplits | RowLengths | RowStarts | RowLimits | ValueRowIds | UniformRowLength


class _RaggedFeature(NamedTuple):
    dtype: DTypeLike
    value_key: str | None = None
    partitions: Sequence[Partition] = ()
    row_splits_dtype: DTypeLike = int32
    validate: bool = False


@public("io.RaggedFeature")
class RaggedFeature(_RaggedFeature):
    """Any number of values, in rows or rows of rows: it becomes a ragged tensor.

    >>> import cinta as tf
    >>> def example(values):
    ...     numbers = tf.train.Feature(int64_list=tf.train.Int64List(value=values))
    ...     features = tf.train.Features(feature={"a": numbers})
    ...     return tf.train.Example(features=features).SerializeToString()
    >>> tf.io.parse_example([example([1, 2]), example([3])], {"a": tf.io.RaggedFeature(tf.int64)})
    {'a': <tf.RaggedTensor [[1, 2], [3]]>}

    Args:
        dtype: The dtype of the values.
        value_key: The feature that holds the values; None for the one of this name.
        partitions: How the values of one example are divided, from the outermost rows to the
            innermost: by the numbers in features, as in
            ``tf.io.RaggedFeature.RowLengths("lengths")``.
        row_splits_dtype: The dtype of the numbers that divide them.
        validate: Whether to check those numbers.
    """

    RowSplits = RowSplits
    RowLengths = RowLengths
    RowStarts = RowStarts
    RowLimits = RowLimits
    ValueRowIds = ValueRowIds
    UniformRowLength = UniformRowLength

    def __new__(
        cls,
        dtype: DTypeLike,
        value_key: str | None = None,
        partitions: Sequence[Partition] = (),
        row_splits_dtype: DTypeLike = int32,
        validate: bool = False,
    ) -> RaggedFeature:
        """Checks the partitions and the type of the numbers of rows."""
        given: Sequence[object] = (
            partitions if isinstance(partitions, (list, tuple)) else [partitions]
        )
        known = [each for each in given if isinstance(each, Partition)]
        wrong = [each for each in given if not isinstance(each, Partition)]
        if wrong:
            raise TypeError(
                f"Argument `partitions` must be a list of {', '.join(map(_name, PARTITIONS))}; "
                f"each is an attribute of tf.io.RaggedFeature. Received {wrong[0]!r}."
            )
        counted_in = as_dtype(row_splits_dtype)
        if counted_in not in (int32, int64):
            raise ValueError(
                f"Argument `row_splits_dtype` must be int32 or int64; got {counted_in!r}."
            )
        return super().__new__(cls, as_dtype(dtype), value_key, tuple(known), counted_in, validate)


PARTITIONS = RowSplits, RowLengths, RowStarts, RowLimits, ValueRowIds, UniformRowLength


def _name(kind: type) -> str:
    return kind.__name__


Feature = FixedLenFeature | FixedLenSequenceFeature | VarLenFeature | SparseFeature | RaggedFeature
