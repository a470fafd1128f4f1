"""Tables that give a value for each key, and those of them that are filled once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np

from .. import dtypes
from ..engine.arrays import same_array
from ..engine.convert import as_tensor
from ..engine.shapes import written
from ..engine.sparse_tensor import SparseTensor
from ..engine.tensor import seen, wrap
from ..errors import FailedPreconditionError, InvalidArgumentError
from ..languages.counted import counted
from ..ops.ragged.tensor import RaggedTensor
from ..public import public
from .finding import LookupTableFind

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import DTypeLike, TensorLike
    from ..engine.shapes import Shape
    from ..engine.tensor import Array, Tensor

Composed = TypeVar("Composed", SparseTensor, RaggedTensor)


def in_place(
    lookup: Callable[[TensorLike], Tensor], keys: TensorLike | RaggedTensor
) -> Tensor | SparseTensor | RaggedTensor:
    """The values that a function gives for keys, where the keys stand in a tensor of any kind."""
    if isinstance(keys, SparseTensor):
        return keys.with_values(lookup(keys.values))
    if isinstance(keys, RaggedTensor):
        return keys.with_flat_values(lookup(keys.flat_values))
    return lookup(keys)


class Table:
    """A dictionary from elements of one dtype, or vectors of them, to those of another."""

    _key_shape: Shape = ()
    lookup: Any

    def __init__(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        default_value: TensorLike,
        name: str | None,
    ) -> None:
        self._key_dtype = dtypes.as_dtype(key_dtype)
        self._value_dtype = dtypes.as_dtype(value_dtype)
        self._default = as_tensor(default_value, self._value_dtype.dtype)
        self._value_shape: Shape = self._default._array.shape
        self._name = name

    def __repr__(self) -> str:
        kinds = f"{self._key_dtype.name} to {self._value_dtype.name}"
        return f"<tf.lookup {type(self).__name__}: {counted(self._count(), 'key')}, {kinds}>"

    @property
    def key_dtype(self) -> dtypes.DType:
        """The type of the keys."""
        return self._key_dtype

    @property
    def value_dtype(self) -> dtypes.DType:
        """The type of the values."""
        return self._value_dtype

    @property
    def name(self) -> str | None:
        """The name that the table was given."""
        name: str | None = self._name
        return name

    def __getitem__(self, keys: TensorLike) -> Any:
        return self.lookup(keys)

    def _count(self) -> int:
        """How many keys there are."""
        raise NotImplementedError

    def _keys(self, keys: TensorLike) -> Tensor:
        given = as_tensor(keys)
        if given.dtype != self._key_dtype:
            raise TypeError(
                f"Dtype of argument `keys` must be {self._key_dtype!r}, received: {given.dtype!r}."
            )
        return self._in_key_shape(given)

    def _in_key_shape(self, keys: Tensor) -> Tensor:
        shape, wanted = keys._array.shape, self._key_shape
        if shape[len(shape) - len(wanted) :] != wanted:
            raise InvalidArgumentError(
                f"Input key shape {written(shape)} must end with the shape of a key, "
                f"{written(wanted)}."
            )
        return keys

    def _rows(self, keys: Array) -> list[Any]:
        """The keys as those of a dictionary."""
        if not self._key_shape:
            return np.ravel(keys).tolist()
        return [*map(tuple, keys.reshape(-1, *self._key_shape).tolist())]

    def _pairs(self, keys: Tensor, values: TensorLike) -> list[tuple[Any, Any]]:
        given = as_tensor(values, self._value_dtype.dtype)
        shape = keys._array.shape
        expected = shape[: len(shape) - len(self._key_shape)] + self._value_shape
        if given._array.shape != expected:
            raise InvalidArgumentError(
                f"Expected shape {written(expected)} for value, got {written(given._array.shape)}: "
                "a table takes as many values as keys."
            )
        columns = np.reshape(seen(given), (-1, *self._value_shape)).tolist()
        return [*zip(self._rows(seen(keys)), columns, strict=True)]


def check_initializer(initializer: object) -> None:
    """Refuse what cannot fill a table."""
    if not hasattr(initializer, "initialize"):
        raise TypeError(
            "initializer must be a tf.lookup.KeyValueTensorInitializer(keys, values) or a "
            f"TextFileInitializer, got {initializer!r}."
        )


@public("lookup.StaticHashTable")
class StaticHashTable(Table):
    """A table that is filled once.

    >>> import cinta as tf
    >>> numbers = tf.lookup.KeyValueTensorInitializer([10, 20], ["ten", "twenty"])
    >>> table = tf.lookup.StaticHashTable(numbers, default_value="many")
    >>> table[tf.constant([20, 30])].numpy()
    array([b'twenty', b'many'], dtype=object)
    >>> table.size().numpy()
    np.int64(2)
    >>> keys, values = table.export()
    >>> keys.numpy(), values.numpy()
    (array([10, 20], dtype=int32), array([b'ten', b'twenty'], dtype=object))

    Args:
        initializer: A ``KeyValueTensorInitializer`` or a ``TextFileInitializer``.
        default_value: The value of keys that are not there.
        experimental_is_anonymous: Accepted.

    Raises:
        TypeError: If the initializer is something else.
        ValueError: If the default value is not a scalar.
        FailedPreconditionError: If a key has two values.
    """

    def __init__(
        self,
        initializer: Any,
        default_value: TensorLike,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        check_initializer(initializer)
        super().__init__(initializer.key_dtype, initializer.value_dtype, default_value, name)
        if self._value_shape:
            raise ValueError(
                f"Shapes {self._value_shape} and () are not compatible: default_value must be a "
                "scalar."
            )
        self._filled: tuple[Array, ...] = ()  # the keys and the values
        initializer.initialize(self)

    @property
    def default_value(self) -> Tensor:
        """The value of keys that are not there."""
        return self._default

    @overload
    def lookup(  # type: ignore[overload-overlap]  # the first that suits counts
        self, keys: Composed, name: str | None = None
    ) -> Composed: ...
    @overload
    def lookup(self, keys: TensorLike, name: str | None = None) -> Tensor: ...
    def lookup(
        self, keys: TensorLike | RaggedTensor, name: str | None = None
    ) -> Tensor | SparseTensor | RaggedTensor:
        """The value of each key, or the default value; sparse and ragged keys stay in place."""
        return in_place(self._find, keys)

    def size(self, name: str | None = None) -> Tensor:
        """How many keys there are."""
        return wrap(np.int64(self._count()))

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """All keys, and their values."""
        keys, values = self._filled
        return wrap(keys), wrap(values)

    def _count(self) -> int:
        return len(self._filled[0])

    def _find(self, keys: TensorLike) -> Tensor:
        return LookupTableFind(self._keys(keys), self._default, *self._filled)

    def _add(self, keys: Tensor, values: Tensor) -> None:
        found: dict[Any, Any] = {}
        for key, value in self._pairs(self._keys(keys), values):
            known = found.setdefault(key, value)
            if known is not value and known != value:
                raise FailedPreconditionError(
                    f"HashTable has different value for same key. Key {key!r} has "
                    f"{known!r} and trying to add value {value!r}."
                )
        given = (
            np.array([*found], self._key_dtype.dtype),
            np.array([*found.values()], self._value_dtype.dtype),
        )
        if not all(map(same_array, given, self._filled or given)):
            raise FailedPreconditionError(
                f"Table was already initialized with different data: it has {self._count()} keys."
            )
        self._filled = given
