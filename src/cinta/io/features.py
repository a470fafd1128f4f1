"""Features of records as they are announced: the dtype of each, and how many values it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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
    """

    index_key: str | Sequence[str]
    value_key: str
    dtype: DTypeLike
    size: int | Sequence[int]
    already_sorted: bool = False


Feature = FixedLenFeature | FixedLenSequenceFeature | VarLenFeature | SparseFeature
