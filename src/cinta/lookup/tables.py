"""Tables that give a value for each key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor
from ..engine.recording import cannot_be_replayed
from ..engine.tensor import seen, wrap
from ..errors import FailedPreconditionError, InvalidArgumentError
from ..programs.calling import numpy_function

if TYPE_CHECKING:
    from ..engine.tensor import Tensor


class _Table:
    """A dictionary from elements of one dtype to elements of another."""

    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any) -> None:
        self._key_dtype = dtypes.as_dtype(key_dtype)
        self._value_dtype = dtypes.as_dtype(value_dtype)
        self._default = as_tensor(default_value, self._value_dtype.dtype)
        if self._default.ndim:
            raise InvalidArgumentError(
                f"default_value must be a scalar, got one of shape {self._default.shape}."
            )
        self._found: dict[Any, Any] = {}

    def __repr__(self) -> str:
        kinds = f"{self._key_dtype.name} to {self._value_dtype.name}"
        return f"<tf.lookup {type(self).__name__}: {len(self._found)} keys, {kinds}>"

    @property
    def key_dtype(self) -> dtypes.DType:
        """The type of the keys."""
        return self._key_dtype

    @property
    def value_dtype(self) -> dtypes.DType:
        """The type of the values."""
        return self._value_dtype

    def lookup(self, keys: Any, name: str | None = None) -> Tensor:
        """The value of each key, or the default value where there is none."""
        given = self._keys(keys)

        def values(array: Any) -> Any:
            default = self._default._array.item()
            found = [self._found.get(key, default) for key in np.ravel(array).tolist()]
            return np.array(found, self._value_dtype.dtype).reshape(np.shape(array))

        result: Tensor = numpy_function(values, [given], self._value_dtype)
        return result

    def __getitem__(self, keys: Any) -> Tensor:
        return self.lookup(keys)

    def size(self, name: str | None = None) -> Tensor:
        """How many keys there are."""
        cannot_be_replayed("it counts the keys of a table")
        return wrap(np.int64(len(self._found)))

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """All keys, and their values."""
        cannot_be_replayed("it takes all keys of a table")
        return (
            as_tensor(np.array([*self._found], self._key_dtype.dtype)),
            as_tensor(np.array([*self._found.values()], self._value_dtype.dtype)),
        )

    def _keys(self, keys: Any) -> Tensor:
        given = as_tensor(keys)
        if given.dtype != self._key_dtype:
            raise TypeError(
                f"Dtype of argument `keys` must be {self._key_dtype!r}, received: {given.dtype!r}."
            )
        return given

    def _pairs(self, keys: Any, values: Any) -> list[tuple[Any, Any]]:
        given = self._keys(keys)
        beside = as_tensor(values, None if hasattr(values, "dtype") else self._value_dtype.dtype)
        if beside.shape != given.shape:
            raise InvalidArgumentError(
                f"Expected shape {given.shape} for value, got {beside.shape}: a table takes as "
                "many values as keys."
            )
        columns = [np.ravel(seen(each)).tolist() for each in (given, beside)]
        return [*zip(*columns, strict=True)]


class StaticHashTable(_Table):
    """A table that is filled once.

    >>> import cinta as tf
    >>> numbers = tf.lookup.KeyValueTensorInitializer([10, 20], ["ten", "twenty"])
    >>> table = tf.lookup.StaticHashTable(numbers, default_value="many")
    >>> table[tf.constant([20, 30])].numpy()
    array([b'twenty', b'many'], dtype=object)
    """

    def __init__(
        self,
        initializer: Any,
        default_value: Any,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        if not hasattr(initializer, "initialize"):
            raise TypeError(
                "initializer must be a tf.lookup.KeyValueTensorInitializer(keys, values) or a "
                f"TextFileInitializer, got {initializer!r}."
            )
        super().__init__(initializer.key_dtype, initializer.value_dtype, default_value)
        initializer.initialize(self)

    def _add(self, keys: Any, values: Any) -> None:
        for key, value in self._pairs(keys, values):
            if self._found.setdefault(key, value) != value:
                raise FailedPreconditionError(
                    f"HashTable has different value for same key. Key {key!r} has "
                    f"{self._found[key]!r} and trying to add value {value!r}."
                )


class MutableHashTable(_Table):
    """A table whose keys come and go.

    >>> import cinta as tf
    >>> table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=0)
    >>> table.insert(tf.constant(["a", "b"]), [1, 2])
    >>> table.remove(tf.constant(["a"]))
    >>> table.lookup(tf.constant(["a", "b"])).numpy()
    array([0, 2])
    """

    def __init__(
        self,
        key_dtype: Any,
        value_dtype: Any,
        default_value: Any,
        name: str = "MutableHashTable",
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:
        super().__init__(key_dtype, value_dtype, default_value)

    def insert(self, keys: Any, values: Any, name: str | None = None) -> None:
        """Set the values of keys, which may be there already."""
        cannot_be_replayed("it changes a table")
        self._found.update(self._pairs(keys, values))

    def remove(self, keys: Any, name: str | None = None) -> None:
        """Forget keys; those that are not there do not matter."""
        cannot_be_replayed("it changes a table")
        for key in np.ravel(seen(self._keys(keys))).tolist():
            self._found.pop(key, None)

    def _checkpoint_state(self) -> Any:
        keys, values = self.export()
        return {"keys": keys._array, "values": values._array}

    def _restore_checkpoint_state(self, state: Any) -> None:
        self._found = dict(self._pairs(state["keys"], state["values"]))
