"""Ops on tables of keys and values, which they take as objects of tf.lookup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cinta as tf

from ..lookup.mutable_tables import DenseHashTable, MutableHashTable
from ..lookup.table_initializers import TextFileInitializer

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.tensor import Tensor

    Table = MutableHashTable | DenseHashTable


def _scalars(keys: tf.DType, values: tf.DType, *names: object) -> MutableHashTable:
    """A table whose values are scalars."""
    return MutableHashTable(keys, values, tf.zeros([], values))


def _vectors(keys: tf.DType, values: tf.DType, *names_and_shape: Any) -> MutableHashTable:
    """A table whose values are of one shape."""
    return MutableHashTable(keys, values, tf.zeros(names_and_shape[-1], values))


def _dense(empty: Tensor, deleted: Tensor, values: tf.DType, *others: Any) -> DenseHashTable:
    *_, shape, _, _ = others  # behind names, in front of numbers of buckets
    return DenseHashTable(empty.dtype, values, tf.zeros(shape, values), empty, deleted)


def _find(table: Table, keys: Tensor, default: Tensor) -> Tensor:
    return table._lookup(keys, default)


def _insert(table: Table, keys: Tensor, values: Tensor) -> None:
    table.insert(keys, values)


def _replace(table: Table, keys: Tensor, values: Tensor) -> None:
    table.remove(table.export()[0])
    table.insert(keys, values)


def _insert_lines(
    table: MutableHashTable,
    filename: Tensor,
    key_index: int,
    value_index: int,
    vocab_size: int,
    delimiter: str,
    offset: int,
) -> None:
    count = None if vocab_size < 0 else vocab_size
    kinds = table.key_dtype, key_index, table.value_dtype, value_index
    lines = TextFileInitializer(
        bytes(filename.numpy()).decode(), *kinds, count, delimiter, value_index_offset=offset
    )
    table.insert(*lines.pairs())


OPS: dict[str, Callable[..., Any]] = {
    "AnonymousHashTable": _scalars,
    "AnonymousMutableDenseHashTable": _dense,
    "AnonymousMutableHashTable": _scalars,
    "AnonymousMutableHashTableOfTensors": _vectors,
    "HashTableV2": _scalars,
    "InitializeTableFromTextFileV2": _insert_lines,
    "InitializeTableV2": _insert,
    "LookupTableExportV2": lambda table, keys, values: table.export(),
    "LookupTableFindV2": _find,
    "LookupTableImportV2": _replace,
    "LookupTableInsertV2": _insert,
    "LookupTableRemoveV2": lambda table, keys: table.remove(keys),
    "LookupTableSizeV2": lambda table: table.size(),
    "MutableDenseHashTableV2": _dense,
    "MutableHashTableOfTensorsV2": _vectors,
    "MutableHashTableV2": _scalars,
}
