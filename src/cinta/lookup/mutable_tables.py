"""Tables whose keys come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.convert import as_tensor
from ..engine.recorders import cannot_be_replayed
from ..engine.shapes import written
from ..engine.tensor import seen, wrap
from ..errors import InvalidArgumentError
from ..ops.arguments import integer
from ..programs.py_function import numpy_function
from ..public import public
from .tables import Table

if TYPE_CHECKING:
    from ..engine.annotations import DTypeLike, IntLike, TensorLike
    from ..engine.tensor import Array, Tensor


class _Mutable(Table):
    """A table whose keys come and go; values are scalars or vectors, as the default value is."""

    def __init__(
        self, key_dtype: DTypeLike, value_dtype: DTypeLike, default_value: TensorLike, name: str
    ) -> None:
        super().__init__(key_dtype, value_dtype, default_value, name)
        self._found: dict[Any, Any] = {}
        if len(self._value_shape) > 1:
            raise InvalidArgumentError(
                f"Default value must be a vector, got shape {written(self._value_shape)}."
            )

    def insert(self, keys: TensorLike, values: TensorLike, name: str | None = None) -> None:
        """Set the values of keys, which may be there already."""
        cannot_be_replayed("it changes a table")
        self._found.update(self._pairs(self._converted(keys), values))

    def remove(self, keys: TensorLike, name: str | None = None) -> None:
        """Forget keys; those that are not there do not matter."""
        cannot_be_replayed("it changes a table")
        for key in self._rows(seen(self._keys(keys))):
            self._found.pop(key, None)

    def size(self, name: str | None = None) -> Tensor:
        """How many keys there are."""
        cannot_be_replayed("it counts the keys of a table")
        return wrap(np.int64(self._count()))

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """All keys, and their values."""
        cannot_be_replayed("it takes all keys of a table")
        keys = np.array([*self._found], self._key_dtype.dtype)
        values = np.array([*self._found.values()], self._value_dtype.dtype)
        return (
            as_tensor(keys.reshape(-1, *self._key_shape)),
            as_tensor(values.reshape(-1, *self._value_shape)),
        )

    def _count(self) -> int:
        return len(self._found)

    def _lookup(self, keys: Tensor, default: Tensor) -> Tensor:
        rank = len(self._key_shape)

        def values(array: Array, default: Array) -> Array:
            shape = np.shape(array)[: np.ndim(array) - rank] + self._value_shape
            rest = np.broadcast_to(default, shape).reshape(-1, *self._value_shape).tolist()
            asked = zip(self._rows(array), rest, strict=True)
            found = [self._found.get(key, other) for key, other in asked]
            return np.array(found, self._value_dtype.dtype).reshape(shape)

        result: Tensor = numpy_function(values, [keys, default], self._value_dtype)
        return result

    def _converted(self, keys: TensorLike) -> Tensor:
        return self._in_key_shape(as_tensor(keys, self._key_dtype.dtype))

    def _checkpoint_state(self) -> dict[str, Any]:
        keys, values = self.export()
        return {"keys": keys._array, "values": values._array}

    def _restore_checkpoint_state(self, state: dict[str, Any]) -> None:
        self._found = dict(self._pairs(as_tensor(state["keys"]), state["values"]))


@public("lookup.experimental.MutableHashTable")
class MutableHashTable(_Mutable):
    """A table whose keys come and go.

    >>> import cinta as tf
    >>> table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=0)
    >>> table.insert(tf.constant(["a", "b"]), [1, 2])
    >>> table.remove(tf.constant(["a"]))
    >>> table.lookup(tf.constant(["a", "b"])).numpy()
    array([0, 2])
    >>> table.size().numpy(), [each.numpy() for each in table.export()]
    (np.int64(1), [array([b'b'], dtype=object), array([2])])

    Args:
        key_dtype: The dtype of the keys.
        value_dtype: The dtype of the values.
        default_value: The value of keys that are not there.
        checkpoint: Accepted: tables are saved.
        experimental_is_anonymous: Accepted.
    """

    def __init__(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        default_value: TensorLike,
        name: str = "MutableHashTable",
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:
        super().__init__(key_dtype, value_dtype, default_value, name)

    def lookup(
        self,
        keys: TensorLike,
        dynamic_default_values: TensorLike | None = None,
        name: str | None = None,
    ) -> Tensor:
        """The value of each key; where there is none, the default value or one given here.

        Args:
            keys: A tensor of keys.
            dynamic_default_values: A value for each key, or one for all.

        Raises:
            InvalidArgumentError: If these have another dtype or shape.
        """
        given = self._converted(keys)
        if dynamic_default_values is None:
            return self._lookup(given, self._default)
        default = as_tensor(dynamic_default_values)
        if default.dtype != self._value_dtype:
            raise InvalidArgumentError(
                f"Signature mismatch: values are {self._value_dtype.name}, "
                f"dynamic_default_values {default.dtype.name}."
            )
        each = given._array.shape + self._value_shape
        if default._array.shape not in (self._value_shape, each):
            raise InvalidArgumentError(
                f"Expected shape {written(self._value_shape)} or {written(each)} for default "
                f"value, got {written(default._array.shape)}"
            )
        return self._lookup(given, default)


@public("lookup.experimental.DenseHashTable")
class DenseHashTable(_Mutable):
    """A table whose keys come and go, and may be vectors. Two keys are reserved.

    >>> import cinta as tf
    >>> table = tf.lookup.experimental.DenseHashTable(
    ...     tf.string, tf.int64, default_value=-1, empty_key="", deleted_key="$"
    ... )
    >>> table.insert(["a", "b"], [1, 2])
    >>> table.insert_or_assign("b", 3)
    >>> table.erase("a")
    >>> table.lookup(["a", "b"]).numpy(), table.size().numpy()
    (array([-1,  3]), np.int64(1))
    >>> table.remove("b")
    >>> [each.shape for each in table.export()]
    [TensorShape([0]), TensorShape([0])]

    Args:
        key_dtype: The dtype of the keys.
        value_dtype: The dtype of the values.
        default_value: The value of keys that are not there.
        empty_key: A key that no entry may have.
        deleted_key: Another one.
        initial_num_buckets: Accepted, a power of 2 from 4 on.
        checkpoint: Accepted: tables are saved.
        experimental_is_anonymous: Accepted.

    Raises:
        InvalidArgumentError: If the reserved keys are the same, or of different shapes.
    """

    def __init__(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        default_value: TensorLike,
        empty_key: TensorLike,
        deleted_key: TensorLike,
        initial_num_buckets: IntLike | None = None,
        name: str = "MutableDenseHashTable",
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:
        super().__init__(key_dtype, value_dtype, default_value, name)
        _check_buckets(initial_num_buckets)
        reserved = [as_tensor(k, self._key_dtype.dtype) for k in (empty_key, deleted_key)]
        self._reserved: dict[Any, str] = {}
        self._key_shape = reserved[0]._array.shape
        if any(not key._array.size for key in reserved):
            raise InvalidArgumentError(
                f"empty_key and deleted_key must hold values, got {empty_key!r} and {deleted_key!r}"
            )
        shapes = [key._array.shape for key in reserved]
        if shapes[0] != shapes[1]:
            raise InvalidArgumentError(
                "Empty and deleted keys must have same shape, got shapes "
                f"{written(shapes[0])} and {written(shapes[1])}."
            )
        rows = [self._rows(seen(self._in_key_shape(key)))[0] for key in reserved]
        if rows[0] == rows[1]:
            raise InvalidArgumentError(
                "Empty and deleted keys cannot be equal, got one value for empty_key and "
                f"deleted_key: {empty_key!r}"
            )
        self._reserved = dict(zip(rows, ("empty_key", "deleted_key"), strict=True))

    def lookup(self, keys: TensorLike, name: str | None = None) -> Tensor:
        """The value of each key, or the default value where there is none.

        Args:
            keys: A tensor of keys.

        Raises:
            InvalidArgumentError: If a key is reserved.
        """
        return self._lookup(self._converted(keys), self._default)

    def insert_or_assign(
        self, keys: TensorLike, values: TensorLike, name: str | None = None
    ) -> None:
        """The same as ``insert``.

        Args:
            keys: A tensor of keys.
            values: A value for each.
        """
        self.insert(keys, values)

    def erase(self, keys: TensorLike, name: str | None = None) -> None:
        """The same as ``remove``.

        Args:
            keys: A tensor of keys.
        """
        self.remove(keys)

    def _rows(self, keys: Array) -> list[Any]:
        rows = super()._rows(keys)
        for row in rows:
            if row in self._reserved:
                raise InvalidArgumentError(
                    f"Using the {self._reserved[row]} as a table key is not allowed: `keys` hold "
                    f"{row!r}"
                )
        return rows


def _check_buckets(count: IntLike | None) -> None:
    if count is None:
        return
    number = integer(count, "initial_num_buckets")
    if number < 4 or number & (number - 1):
        raise InvalidArgumentError(
            "Number of buckets must be at least 4 and a power of 2, got initial_num_buckets="
            f"{number}."
        )
