"""Where tables of keys and values come from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor, constant
from ..errors import InvalidArgumentError
from ..files.system_errors import translated
from ..io.files import path_from
from ..ops.arguments import whole_number
from ..public import public
from .tables import StaticHashTable

if TYPE_CHECKING:
    from ..engine.annotations import DTypeLike, TensorLike
    from ..engine.tensor import Tensor
    from ..io.files import FilePath


@public("lookup.KeyValueTensorInitializer")
class KeyValueTensorInitializer:
    """Pairs of keys and values.

    >>> import cinta as tf
    >>> numbers = tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2])
    >>> table = tf.lookup.StaticHashTable(numbers, default_value=-1)
    >>> table.lookup(tf.constant(["b", "z"])).numpy()
    array([ 2, -1], dtype=int32)
    >>> numbers.initialize(table)  # the table has done it: this changes nothing

    Args:
        keys: A tensor of keys.
        values: A tensor of values, of the same shape.
        key_dtype: The dtype of the keys; None for that of the tensor.
        value_dtype: The dtype of the values; None for that of the tensor.

    Raises:
        InvalidArgumentError: If there are more keys than values, or fewer.
    """

    def __init__(
        self,
        keys: TensorLike,
        values: TensorLike,
        key_dtype: DTypeLike | None = None,
        value_dtype: DTypeLike | None = None,
        name: str | None = None,
    ) -> None:
        self._keys, self._values = constant(keys, key_dtype), constant(values, value_dtype)
        if self._keys.shape != self._values.shape:
            raise InvalidArgumentError(
                f"keys and values must have one shape, got {self._keys.shape} and "
                f"{self._values.shape}."
            )

    @property
    def key_dtype(self) -> dtypes.DType:
        """The type of the keys."""
        return self._keys.dtype

    @property
    def value_dtype(self) -> dtypes.DType:
        """The type of the values."""
        return self._values.dtype

    def initialize(self, table: object) -> None:
        """Fill a table; ``tf.lookup.StaticHashTable`` calls it.

        Args:
            table: A table that is being made.
        """
        _checked_table(table)._add(self._keys, self._values)


def _checked_table(table: object) -> StaticHashTable:
    if not isinstance(table, StaticHashTable):
        raise TypeError(f"`table` must be a table that is being made, got {table!r}.")
    return table


@public("lookup.TextFileIndex")
class TextFileIndex:
    """The parts of a line of a file that are not columns, as ``TextFileInitializer`` takes them.

    >>> import cinta as tf
    >>> tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER
    (-2, -1)
    """

    WHOLE_LINE = -2
    LINE_NUMBER = -1


@public("lookup.TextFileInitializer")
class TextFileInitializer:
    """Keys and values from the lines of a file: a line, its number, or one of its columns.

    >>> import cinta as tf, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "words"
    >>> _ = path.write_text("emerson\\nlake\\npalmer\\n")
    >>> line, number = tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER
    >>> words = tf.lookup.TextFileInitializer(path, tf.string, line, tf.int64, number)
    >>> table = tf.lookup.StaticHashTable(words, -1)
    >>> table.lookup(tf.constant("lake")).numpy()
    np.int64(1)
    >>> words.initialize(table)  # the table has done it: this changes nothing

    Args:
        filename: The name of the file.
        key_dtype: The dtype of the keys.
        key_index: Where the keys are: the number of a column, or one of
            ``tf.lookup.TextFileIndex``.
        value_dtype: The dtype of the values.
        value_index: Where the values are.
        vocab_size: The number of lines to read; None for all.
        delimiter: The character between columns.
        value_index_offset: A number that is added to the values.

    Raises:
        ValueError: If the name is empty.
    """

    def __init__(
        self,
        filename: FilePath,
        key_dtype: DTypeLike,
        key_index: int,
        value_dtype: DTypeLike,
        value_index: int,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str | None = None,
        value_index_offset: int = 0,
    ) -> None:
        self.key_dtype = dtypes.as_dtype(key_dtype)
        self.value_dtype = dtypes.as_dtype(value_dtype)
        try:
            path = path_from(filename)
        except InvalidArgumentError:
            if getattr(filename, "dtype", None) == dtypes.string:  # there are several
                raise
            raise TypeError(f"`filename` must be the path of a file, got {filename!r}.") from None
        if not path:
            raise ValueError("`filename` must be the path of a file, got an empty one.")
        self._path, self._delimiter = Path(path), delimiter
        self._count = None if vocab_size is None else whole_number(vocab_size, "vocab_size")
        indices = {"key_index": key_index, "value_index": value_index}
        self._columns = tuple([whole_number(index, each) for each, index in indices.items()])
        self._offset = value_index_offset

    def initialize(self, table: object) -> None:
        """Fill a table; ``tf.lookup.StaticHashTable`` calls it.

        Args:
            table: A table that is being made.
        """
        _checked_table(table)._add(*self.pairs())

    def pairs(self) -> tuple[Tensor, Tensor]:
        r"""All keys, and their values.

        >>> import pathlib, tempfile
        >>> import cinta as tf
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "words.txt"
        >>> _ = path.write_text("red\nblue\n")
        >>> line, number = tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER
        >>> words = tf.lookup.TextFileInitializer(str(path), tf.string, line, tf.int64, number)
        >>> [part.numpy().tolist() for part in words.pairs()]
        [[b'red', b'blue'], [0, 1]]
        """
        with translated(self._path):
            lines = self._path.read_bytes().splitlines()[: self._count]
        keys, values = [self._column(lines, index) for index in self._columns]
        if self._columns[1] == TextFileIndex.LINE_NUMBER:
            values = [number + self._offset for number in values]
        return _tensor(keys, self.key_dtype), _tensor(values, self.value_dtype)

    def _column(self, lines: list[bytes], index: int) -> list[Any]:
        if index == TextFileIndex.LINE_NUMBER:
            return list(range(len(lines)))
        if index == TextFileIndex.WHOLE_LINE:
            return list(lines)
        parts = [line.split(self._delimiter.encode()) for line in lines]
        short = next((i for i, part in enumerate(parts) if len(part) <= index), None)
        if short is not None:
            raise InvalidArgumentError(
                f"line {short} of {self._path} has no column {index}: it is {lines[short]!r}."
            )
        return [part[index] for part in parts]


def _tensor(column: list[Any], dtype: dtypes.DType) -> Tensor:
    if dtype == dtypes.string:
        return as_tensor(np.array([*map(_bytes, column)], object))
    return as_tensor(np.array(column).astype(dtype.dtype))


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
