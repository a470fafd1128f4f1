"""Tables of words, in which every other word has a bucket."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from .. import dtypes
from ..engine.convert import as_tensor
from ..ops.arguments import whole_number
from ..ops.arrays.selecting import where
from ..ops.elementwise.casting import cast
from ..ops.strings.converting import as_string
from ..ops.strings.hashing import to_hash_bucket_fast
from ..public import public
from .tables import Composed, StaticHashTable, check_initializer, in_place

if TYPE_CHECKING:
    from ..engine.annotations import DTypeLike, IntLike, TensorLike
    from ..engine.sparse_tensor import SparseTensor
    from ..engine.tensor import Tensor
    from ..ops.ragged.tensor import RaggedTensor
    from .table_initializers import KeyValueTensorInitializer, TextFileInitializer


@public("lookup.StaticVocabularyTable")
class StaticVocabularyTable:
    """Numbers of words: those of a table that is filled once, then those of buckets for others.

    The bucket of a word that is not in the table depends on its hash, as in
    ``tf.strings.to_hash_bucket_fast``.

    >>> import cinta as tf
    >>> words = tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], tf.int64))
    >>> table = tf.lookup.StaticVocabularyTable(words, num_oov_buckets=3)
    >>> table[tf.constant(["b", "king", "moon"])].numpy()
    array([1, 3, 2])
    >>> table.lookup(tf.ragged.constant([["a"], ["b", "a"]]))
    <tf.RaggedTensor [[0], [1, 0]]>
    >>> table.size().numpy()
    np.int64(5)

    Args:
        initializer: The words and their numbers, from 0 on, in int64; None for buckets alone.
        num_oov_buckets: The number of buckets.
        lookup_key_dtype: The dtype of the words that are looked up; None for that of the table.
        experimental_is_anonymous: Accepted.

    Raises:
        ValueError: If there are no buckets.
        TypeError: If the words are neither strings nor integers.
    """

    def __init__(
        self,
        initializer: KeyValueTensorInitializer | TextFileInitializer | None,
        num_oov_buckets: IntLike,
        lookup_key_dtype: DTypeLike | None = None,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        self._buckets = whole_number(num_oov_buckets, "num_oov_buckets")
        if self._buckets <= 0:
            raise ValueError(
                f"`num_oov_buckets` must be > 0, got {num_oov_buckets}; use "
                "tf.lookup.StaticHashTable for a table without buckets."
            )
        self._table = None if initializer is None else _table_of(initializer)
        self._words = 0 if self._table is None else int(self._table.size())
        self._key_dtype = dtypes.string
        if self._table is not None:
            given = self._table.key_dtype if lookup_key_dtype is None else lookup_key_dtype
            self._key_dtype = dtypes.as_dtype(given)
        if not (self._key_dtype.is_integer or self._key_dtype == dtypes.string):
            raise TypeError(
                f"Invalid `key_dtype`, expected integer or string, got {self._key_dtype!r}."
            )
        if (
            self._table is not None
            and self._table.key_dtype.is_integer != self._key_dtype.is_integer
        ):
            raise TypeError(
                f"Invalid `key_dtype`: words of {self._table.key_dtype!r} cannot be looked up as "
                f"{self._key_dtype!r}."
            )
        self._name = name

    @property
    def key_dtype(self) -> dtypes.DType:
        """The type of the words."""
        return self._key_dtype

    @property
    def value_dtype(self) -> dtypes.DType:
        """The type of the numbers."""
        return dtypes.int64

    @property
    def name(self) -> str | None:
        """The name that the table was given."""
        return self._name

    def size(self, name: str | None = None) -> Tensor:
        """How many words and buckets there are."""
        return as_tensor(self._words + self._buckets, dtypes.int64.dtype)

    def __getitem__(self, keys: TensorLike) -> Tensor:
        return self.lookup(keys)

    @overload
    def lookup(  # type: ignore[overload-overlap]  # the first that suits counts
        self, keys: Composed, name: str | None = None
    ) -> Composed: ...
    @overload
    def lookup(self, keys: TensorLike, name: str | None = None) -> Tensor: ...
    def lookup(
        self, keys: TensorLike | RaggedTensor, name: str | None = None
    ) -> Tensor | SparseTensor | RaggedTensor:
        """The number of each word; sparse and ragged words stay in place.

        Args:
            keys: A tensor of words.
        """
        return in_place(self._numbers, keys)

    def _numbers(self, keys: TensorLike) -> Tensor:
        words = as_tensor(keys)
        if words.dtype != self._key_dtype:
            raise TypeError(
                f"Dtype of argument `keys` must be {self._key_dtype!r}, received: {words.dtype!r}."
            )
        text = as_string(words) if words.dtype.is_integer else words
        buckets = to_hash_bucket_fast(text, self._buckets)
        if self._table is None:
            return buckets
        known = words if words.dtype == dtypes.string else cast(words, self._table.key_dtype)
        numbers = self._table.lookup(known)
        return where(numbers == self._table.default_value, buckets + self._words, numbers)


def _table_of(initializer: KeyValueTensorInitializer | TextFileInitializer) -> StaticHashTable:
    check_initializer(initializer)
    allowed = dtypes.int64, dtypes.string
    if initializer.key_dtype not in allowed:
        raise TypeError(
            f"Invalid `key_dtype`, expected one of {allowed}, but got {initializer.key_dtype!r}."
        )
    if initializer.value_dtype != dtypes.int64:
        raise TypeError(
            f"Invalid `value_dtype`, expected {dtypes.int64!r} but got "
            f"{initializer.value_dtype!r}: the numbers of words are whole, as "
            "tf.constant([0, 1], tf.int64)."
        )
    return StaticHashTable(initializer, default_value=-1)
