"""Datasets of the rows of a query of an SQLite database."""

from __future__ import annotations

import sqlite3
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor
from ..engine.tensor import seen
from ..errors import InvalidArgumentError, UnknownError
from ..ops.arguments import listed
from ..programs.specs import TensorSpec
from ..public import public
from .dataset import Dataset
from .source_stages import Generated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..engine.annotations import DTypeLike, TensorLike

_TAKEN = (
    dtypes.string,
    *(dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64),
    *(dtypes.uint8, dtypes.uint16, dtypes.bool, dtypes.float64),
)


@public("data.experimental.SqlDataset")
class SqlDataset(Dataset):
    """The rows that a query of an SQLite database finds, as tuples of scalars.

    >>> import cinta as tf, contextlib, pathlib, sqlite3, tempfile
    >>> path = str(pathlib.Path(tempfile.mkdtemp()) / "people.db")
    >>> with contextlib.closing(sqlite3.connect(path)) as database, database:
    ...     _ = database.execute("CREATE TABLE people (name TEXT, age INTEGER)")
    ...     _ = database.execute("INSERT INTO people VALUES ('Ada', 36)")
    >>> query = "SELECT name, age FROM people"
    >>> rows = tf.data.experimental.SqlDataset("sqlite", path, query, (tf.string, tf.int32))
    >>> list(rows.as_numpy_iterator())
    [(b'Ada', np.int32(36))]

    Args:
        driver_name: "sqlite".
        data_source_name: The path of the database, which is opened for reading.
        query: The query.
        output_types: A tuple with the dtype of each column: strings, integers, booleans or
            float64. NULL becomes 0 or the empty string.

    Raises:
        InvalidArgumentError: If there is no such driver, dtype or database, or the query gives
            another number of columns.
        UnknownError: If the database refuses the query.
    """

    def __init__(
        self,
        driver_name: TensorLike,
        data_source_name: TensorLike,
        query: TensorLike,
        output_types: Sequence[DTypeLike],
    ) -> None:
        driver, path, asked = [
            seen(as_tensor(each, np.dtype(object))).item().decode()
            for each in (driver_name, data_source_name, query)
        ]
        if driver != "sqlite":
            raise InvalidArgumentError(
                f"The database type, {driver}, is not supported by SqlDataset. The set of "
                "supported databases is: {'sqlite'}. [Op:SqlDataset]"
            )
        types = [dtypes.as_dtype(each) for each in listed(output_types, "output_types")]
        if not types or any(each not in _TAKEN for each in types):
            raise InvalidArgumentError(
                f"Each element of `output_types` must be one of "
                f"{', '.join(each.name for each in _TAKEN)}, got {types} [Op:SqlDataset]"
            )
        specs = tuple([TensorSpec([], each) for each in types])
        super().__init__(Generated(partial(rows, path, asked, types), (), specs))


def rows(path: str, query: str, types: Sequence[dtypes.DType]) -> Iterator[tuple[Any, ...]]:
    """The rows that a query finds."""
    try:
        database = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as error:
        raise InvalidArgumentError(
            f"Sqlite::Open({path}) failed: {error} [Op:SqlDataset]"
        ) from None
    try:
        database.text_factory = bytes
        found = database.execute(query)
        columns = len(found.description or ())
        if columns != len(types):
            raise InvalidArgumentError(
                f"The number of columns in query ({columns}) must match the number of elements in "
                f"output_types ({len(types)}). [Op:SqlDataset]"
            )
        for row in found:
            yield tuple([_read(database, *pair) for pair in zip(row, types, strict=True)])
    except sqlite3.Error as error:
        raise UnknownError(f"The database refuses the query {query!r}: {error}") from None
    finally:
        database.close()


def _read(database: sqlite3.Connection, value: object, wanted: dtypes.DType) -> object:
    """A value as one of the dtype, converted as the database does it."""
    kind, held = _KINDS.get(wanted.kind, ("INTEGER", int))
    if value is None:
        value = held()
    elif not isinstance(value, held):
        ((value,),) = database.execute(f"SELECT CAST(? AS {kind})", (value,))
    if held is bytes:
        return value
    if wanted == dtypes.bool:
        return np.bool_(value != 0)
    return np.array(value).astype(wanted.dtype)[()]  # numbers that are too large wrap around


_KINDS: dict[str, tuple[str, type[Any]]] = {"other": ("TEXT", bytes), "floating": ("REAL", float)}
"""The classes of SQLite and Python for the kinds of dtypes that are not whole numbers."""
