"""Datasets of the records of CSV files."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor, is_tensor
from ..errors import InvalidArgumentError
from ..files.system_errors import translated
from ..io.compressed import checked_kind, reader
from ..io.decoding_csv import decode_csv, fields_of
from ..ops.arguments import flag, integer, listed, not_negative, text, whole_numbers
from ..programs.specs import TensorSpec
from ..public import public
from .base import AUTOTUNE
from .dataset import Dataset
from .file_datasets import files_matching, in_files
from .map_stages import IgnoreErrors, Map

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..engine.annotations import IntLike, TensorLike
    from ..engine.tensor import Tensor
    from ..io.files import FilePath
    from .stage import Element, Specs, Stage

_INFERRED = 100
"""So many records tell the dtypes of the columns."""


class Columns(Map):
    """The values of the columns of each record."""

    name = "CsvDataset"

    def __init__(self, records: Stage, defaults: Sequence[Tensor], how: Mapping[str, Any]) -> None:
        super().__init__(records, self.values)
        self.defaults, self.how = defaults, how

    def values(self, record: Tensor) -> Element:
        """The values of a record."""
        return tuple(decode_csv(record, self.defaults, **self.how))

    def spec(self) -> Specs:
        return tuple([TensorSpec([], default.dtype) for default in self.defaults])


@public("data.experimental.CsvDataset")
class CsvDataset(Dataset):
    """The records of CSV files, as tuples of scalars.

    >>> import cinta as tf, tempfile
    >>> path = tempfile.mkdtemp() + "/ages.csv"
    >>> tf.io.write_file(path, "name,age\\nAna,7\\nLeo,\\n")
    >>> dataset = tf.data.experimental.CsvDataset(path, [tf.string, 0], header=True)
    >>> list(dataset.as_numpy_iterator())
    [(b'Ana', np.int32(7)), (b'Leo', np.int32(0))]

    Args:
        filenames: The name of a file, a list or a dataset of names.
        record_defaults: For each column a default, or a dtype where a value must stand.
        compression_type: "", "GZIP" or "ZLIB".
        buffer_size: Accepted.
        header: Whether the first line of each file has the names of the columns.
        field_delim: The character between fields.
        use_quote_delim: Whether ``"`` marks the ends of a field, which then may hold a delimiter.
        na_value: A text that stands for an empty field.
        select_cols: The numbers of the columns to take, in increasing order; None for all.
        exclude_cols: None.
        encoding: Accepted: texts are the bytes of the file.

    Raises:
        InvalidArgumentError: If columns are to be excluded, or there is no such compression.
    """

    def __init__(
        self,
        filenames: FilePath | Dataset,
        record_defaults: Sequence[object],
        compression_type: str | None = None,
        buffer_size: IntLike | None = None,
        header: bool = False,
        field_delim: str = ",",
        use_quote_delim: bool = True,
        na_value: str = "",
        select_cols: Sequence[int] | None = None,
        exclude_cols: Sequence[int] | None = None,
        encoding: str = "",
    ) -> None:
        kind, skip = checked_kind(compression_type), flag(header, "header")
        quotes = flag(use_quote_delim, "use_quote_delim")
        if exclude_cols is not None:
            raise InvalidArgumentError(
                f"`exclude_cols` is not there, got {exclude_cols!r}: name the others in "
                "`select_cols`."
            )
        how = {
            "field_delim": text(field_delim, "field_delim"),
            "use_quote_delim": quotes,
            "na_value": text(na_value, "na_value"),
            "select_cols": None
            if select_cols is None
            else whole_numbers(select_cols, "select_cols"),
        }
        defaults = [_default(each) for each in listed(record_defaults, "record_defaults")]
        records = in_files(filenames, lambda path: records_of(path, kind, skip, quotes))
        super().__init__(Columns(records, defaults, how))


def _default(given: object) -> Tensor:
    """A default of a column; an empty one where a dtype stands."""
    if is_tensor(given) or isinstance(given, (int, float, str, bytes, list, np.ndarray)):
        return as_tensor(given)
    return as_tensor(np.empty(0, dtypes.as_dtype(given).dtype))


def records_of(path: str, kind: str, header: bool, quotes: bool) -> Iterator[bytes]:
    """The records of a file: lines, and those after them as long as a quote is open."""
    with translated(path, "CsvDataset"), open(path, "rb") as file:
        record = b""
        for line in islice(reader(file, kind), int(header), None):
            record += line
            if not quotes or record.count(b'"') % 2 == 0:
                yield record.rstrip(b"\r\n")
                record = b""
        if record:
            yield record


@public("data.experimental.make_csv_dataset")
def make_csv_dataset(
    file_pattern: TensorLike,
    batch_size: IntLike,
    column_names: Sequence[str] | None = None,
    column_defaults: Sequence[object] | None = None,
    label_name: str | None = None,
    select_columns: Sequence[int | str] | None = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: IntLike | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: IntLike = 10000,
    shuffle_seed: int | None = None,
    prefetch_buffer_size: IntLike | None = None,
    num_parallel_reads: IntLike | None = None,
    sloppy: bool = False,
    num_rows_for_inference: IntLike | None = _INFERRED,
    compression_type: str | None = None,
    ignore_errors: bool = False,
    encoding: str = "utf-8",
) -> Dataset:
    """Batches of the columns of CSV files, by their names; the label apart if there is one.

    >>> import cinta as tf, tempfile
    >>> path = tempfile.mkdtemp() + "/ages.csv"
    >>> tf.io.write_file(path, "name,age\\nAna,7\\nLeo,9\\n")
    >>> dataset = tf.data.experimental.make_csv_dataset(
    ...     path, 2, label_name="age", num_epochs=1, shuffle=False
    ... )
    >>> for features, label in dataset:
    ...     print(features["name"].numpy(), label.numpy())
    [b'Ana' b'Leo'] [7 9]

    Args:
        file_pattern: The name of a file, a pattern with ``*``, or a list of them.
        batch_size: The number of records in a batch; the last one may have fewer.
        column_names: The names of the columns; None for those in the first line.
        column_defaults: For each column a default, or a dtype where a value must stand; None to
            find the dtypes in the first records.
        label_name: The column that is given apart; None for none.
        select_columns: The names or numbers of the columns to take; None for all.
        field_delim: The character between fields.
        use_quote_delim: Whether ``"`` marks the ends of a field, which then may hold a delimiter.
        na_value: A text that stands for an empty field.
        header: Whether the first line of each file has the names of the columns.
        num_epochs: How often the records come; None for without end.
        shuffle: Whether they come in random order.
        shuffle_buffer_size: The size of the buffer that they are drawn from.
        shuffle_seed: A number that decides the order, together with ``tf.random.set_seed``.
        prefetch_buffer_size: How many batches are made ahead; None leaves it open.
        num_parallel_reads: Accepted.
        sloppy: Accepted.
        num_rows_for_inference: How many records are looked at to find dtypes; None for all.
        compression_type: "", "GZIP" or "ZLIB".
        ignore_errors: Whether to leave out records that are not valid.
        encoding: Accepted: texts are the bytes of the file.

    Raises:
        ValueError: If no file matches, names are missing or come twice, or there is no such label.
        InvalidArgumentError: If there is no such compression, or the delimiter is not one
            character.
    """
    kind, titled = checked_kind(compression_type), flag(header, "header")
    files = [os.fsdecode(each) for each in files_matching(file_pattern)]
    if column_names is None and not titled:
        raise ValueError("Expected `column_names` or `header` arguments. Neither is provided.")
    quotes, missing = flag(use_quote_delim, "use_quote_delim"), text(na_value, "na_value")
    if len(text(field_delim, "field_delim").encode()) != 1:
        raise InvalidArgumentError(f"field_delim should be only 1 char, got {field_delim!r}.")
    ahead = _ahead(prefetch_buffer_size)
    plain: dict[str, Any] = {
        "field_delim": text(field_delim, "field_delim"),
        "use_quote_delim": quotes,
    }
    given = _names(files, kind, quotes, plain) if column_names is None else column_names
    names = _distinct(given)
    chosen = _chosen(select_columns, names)
    if column_defaults is None:
        most = _most(num_rows_for_inference)
        rows = (row for path in files for row in records_of(path, kind, titled, quotes))
        column_defaults = _inferred(islice(rows, most), len(names), chosen, plain, missing)
    column_defaults = listed(column_defaults, "column_defaults")
    if len(column_defaults) != len(chosen):
        raise ValueError(
            f"`column_defaults` has length {len(column_defaults)}, but there are {len(chosen)} "
            "columns."
        )
    picked = [names[i] for i in chosen]
    if label_name is not None and text(label_name, "label_name") not in picked:
        raise ValueError(
            f"`label_name` provided must be one of the columns: {picked}. Received: {label_name}."
        )
    dataset: Dataset = CsvDataset(
        files, column_defaults, kind, header=titled, na_value=na_value, select_cols=chosen, **plain
    )
    if flag(ignore_errors, "ignore_errors"):
        dataset = Dataset(IgnoreErrors(dataset._stage, log=False))
    if flag(shuffle, "shuffle"):
        dataset = dataset.shuffle(shuffle_buffer_size, shuffle_seed)
    if num_epochs is None or integer(num_epochs, "num_epochs") != 1:
        dataset = dataset.repeat(num_epochs)
    batches = dataset.batch(batch_size, drop_remainder=num_epochs is None)

    def named(*columns: Tensor) -> object:
        features = dict(zip(picked, columns, strict=True))
        return features if label_name is None else (features, features.pop(label_name))

    return batches.map(named).prefetch(ahead)


def _ahead(batches: IntLike | None) -> int:
    """How many batches are made ahead."""
    ahead = AUTOTUNE if batches is None else integer(batches, "prefetch_buffer_size")
    if ahead < AUTOTUNE:
        raise InvalidArgumentError(f"prefetch_buffer_size must be >= 0 or -1, got {ahead}.")
    return ahead


def _most(records: IntLike | None) -> int | None:
    """How many records are looked at to find dtypes; None for all."""
    if records is None:
        return None
    return not_negative(records, "num_rows_for_inference", error=ValueError)


def _distinct(column_names: Sequence[str]) -> list[str]:
    """The names of the columns, each of which comes once."""
    names = [text(each, "column_names") for each in listed(column_names, "column_names")]
    if len(set(names)) < len(names):
        raise ValueError(f"`column_names` or the header contains duplicate names: {names}.")
    return names


def _names(files: Sequence[str], kind: str, quotes: bool, how: Mapping[str, Any]) -> list[str]:
    """The names of columns in the first lines, which must be equal in all files."""
    found: list[list[str]] = []
    for path in files:
        first = next(records_of(path, kind, False, quotes), None)
        if first is None:
            raise ValueError(f"Failed when reading the header line of {path}. Is it an empty file?")
        found.append([field.decode() for field in _fields(first, how)])
    if any(each != found[0] for each in found):
        raise ValueError("All input CSV files should have the same column names in the header row.")
    return found[0]


def _fields(record: bytes, how: Mapping[str, Any]) -> list[bytes]:
    """The fields of a record as they stand there."""
    return fields_of(record, how["field_delim"].encode(), how["use_quote_delim"])


def _chosen(columns: Sequence[int | str] | None, names: Sequence[str]) -> list[int]:
    """The numbers of columns in order."""
    if columns is None:
        return list(range(len(names)))
    found = set()
    for column in listed(columns, "select_columns"):
        if isinstance(column, str) and column in names:
            found.add(names.index(column))
        elif isinstance(column, int) and 0 <= column < len(names):
            found.add(column)
        else:
            raise ValueError(f"`select_columns` has {column!r}, the columns are {list(names)}.")
    if len(found) < len(columns):
        raise ValueError(f"The `select_columns` argument contains duplicate columns: {columns}.")
    return sorted(found)


# -- dtypes ----------------------------------------------------------------------------------------


def _inferred(
    records: Iterator[bytes], count: int, chosen: Sequence[int], how: Mapping[str, Any], na: str
) -> list[Tensor]:
    """A default for each column, of the narrowest dtype that holds all its values."""
    widest = [-1] * len(chosen)
    for record in records:
        fields = _fields(record, how)
        if len(fields) != count:
            raise ValueError(
                f"Problem inferring types: a CSV row has {len(fields)} fields. Expected by "
                f"`column_names`: {count}."
            )
        for j, i in enumerate(chosen):
            if fields[i] not in (b"", na.encode()):
                widest[j] = max(widest[j], _kind(fields[i]))
    kinds = [_KINDS[each] for each in widest]
    return [as_tensor(np.array([b"" if k.hasobject else 0], k)) for k in kinds]


_KINDS = [np.dtype(each) for each in ("i4", "i8", "f4", "f8", object)]
"""The dtypes of columns, each of which holds the values of those before it."""


def _kind(field: bytes) -> int:
    """The number of the narrowest dtype that holds a value."""
    try:
        value = int(field)
        if abs(value) < 2**63:
            return 0 if -(2**31) <= value < 2**31 else 1
    except ValueError:
        pass
    try:
        size = float(field)
    except ValueError:
        return 4
    return 2 if size < np.finfo(np.float32).max else 3 if size < np.inf else 4
