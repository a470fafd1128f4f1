"""Columns of numbers and texts out of lines with delimiters."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor
from ..engine.made_up import filler
from ..engine.op import op
from ..engine.shapes import written
from ..errors import InvalidArgumentError
from ..ops.arguments import flag, listed, text, whole_numbers
from ..ops.strings.string_arrays import strings_of
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.annotations import ArrayModule, ShapeLike, TensorLike
    from ..engine.made_up import MadeUpLengths
    from ..engine.shapes import Count
    from ..engine.tensor import Array, Tensor

_KINDS = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string)
_ENDS = b"\n", b"\r"
_SPECIAL = {True: re.compile(rb'[\n\r"]'), False: re.compile(rb"[\n\r]")}


@public("io.decode_csv")
def decode_csv(
    records: TensorLike,
    record_defaults: Sequence[object],
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    select_cols: Sequence[int] | None = None,
    name: str | None = None,
) -> list[Tensor]:
    """The columns of lines of text, a tensor for each, of the dtypes of the defaults.

    An empty field is the default of its column; an empty default means that there must be one.

    >>> import cinta as tf
    >>> a, b = tf.io.decode_csv(["1,x", ",y"], [7, ""])
    >>> a.numpy(), b.numpy()
    (array([1, 7], dtype=int32), array([b'x', b'y'], dtype=object))

    Args:
        records: A tensor of lines.
        record_defaults: A number, a string, or a list of one or none, for each column.
        field_delim: The character between fields.
        use_quote_delim: Whether ``"`` marks the ends of a field, which then may hold a delimiter.
        na_value: A text that stands for an empty field.
        select_cols: The numbers of the columns to take, in increasing order; None for all.

    Raises:
        InvalidArgumentError: If a line has too few or too many fields, or a field is not a number.
        ValueError: If the columns are not in order, or not as many as the defaults.
    """
    lines = strings_of(records)
    defaults = [_default(default) for default in listed(record_defaults, "record_defaults")]
    delimiter = text(field_delim, "field_delim").encode()
    if len(delimiter) != 1:
        raise InvalidArgumentError(
            f"field_delim should be only 1 char, got {field_delim!r} [Op:DecodeCSV]"
        )
    quoted = flag(use_quote_delim, "use_quote_delim")
    chosen = None
    if select_cols is not None:
        chosen = _increasing(whole_numbers(select_cols, "select_cols"))
        if len(chosen) != len(defaults):
            raise ValueError(
                f"Length of select_cols and record_defaults do not match: {len(chosen)} and "
                f"{len(defaults)}."
            )
    missing = text(na_value, "na_value").encode()
    found: Any = DecodeCSV(
        lines, *defaults, delimiter=delimiter, quoted=quoted, missing=missing, chosen=chosen
    )
    return list(found)


def _example(
    lengths: MadeUpLengths, lines: Array, *defaults: Array, **how: object
) -> tuple[Array, ...]:
    return tuple([filler(lines.shape, default.dtype) for default in defaults])


@op("DecodeCSV", example=_example)
def DecodeCSV(
    xp: ArrayModule,
    *values: Array,
    delimiter: Annotated[bytes, lambda given: len(given) == 1],
    quoted: bool,
    missing: bytes,
    chosen: tuple[Count, ...] | None,
) -> tuple[Array, ...]:
    """The columns of lines, which come first, for the defaults of all columns."""
    lines, defaults = np.asarray(values[0], object), values[1:]
    rows = [fields_of(line, delimiter, quoted) for line in lines.reshape(-1)]
    if chosen is not None:
        rows = [[row[i] for i in chosen if i < len(row)] for row in rows]
    for i, row in enumerate(rows):
        if len(row) != len(defaults):
            raise InvalidArgumentError(
                f"Expect {len(defaults)} fields but have {len(row)} in record {i} [Op:DecodeCSV]"
            )
    empty = b"", missing
    columns = [
        _column(i, [row[i] for row in rows], np.asarray(default), empty)
        for i, default in enumerate(defaults)
    ]
    return tuple([_in_shape(column, lines.shape) for column in columns])


DecodeCSV.no_grad()


def _default(given: TensorLike) -> Tensor:
    default = as_tensor(given)
    if default.dtype not in _KINDS:
        raise InvalidArgumentError(
            f"Value for attr 'OUT_TYPE' of {default.dtype.kernel_name} is not in the list of "
            "allowed values: float, double, int32, int64, string [Op:DecodeCSV]"
        )
    shape = default._array.shape
    if len(shape) > 1:
        raise InvalidArgumentError(
            f"Each record default should be at most rank 1, got shape {written(shape)} "
            "[Op:DecodeCSV]"
        )
    if default._array.size > 1:
        raise InvalidArgumentError(
            f"There should only be 1 default per field, got shape {written(shape)} [Op:DecodeCSV]"
        )
    return default


def _increasing(columns: tuple[int, ...]) -> tuple[int, ...]:
    if any(column < 0 for column in columns):
        raise ValueError(f"select_cols contains negative values: {list(columns)}.")
    if any(a >= b for a, b in pairwise(columns)):
        raise ValueError(f"select_cols is not strictly increasing: {list(columns)}.")
    return columns


# -- fields ----------------------------------------------------------------------------------------


def fields_of(line: bytes, delimiter: bytes, quotes: bool) -> list[bytes]:
    """The fields of a line."""
    if not line:
        return []
    if not _SPECIAL[quotes].search(line):
        return line.split(delimiter)
    found, at = [], 0
    while at < len(line):
        if line[at : at + 1] in _ENDS:
            at += 1
            continue
        read = _quoted if quotes and line[at : at + 1] == b'"' else _bare
        field, at = read(line, at, delimiter, quotes)
        found.append(field)
    return [*found, b""] if line.endswith(delimiter) else found


def _bare(line: bytes, at: int, delimiter: bytes, quotes: bool) -> tuple[bytes, int]:
    """The field that begins here, and where the next one does."""
    end = line.find(delimiter, at)
    end = len(line) if end < 0 else end
    field = line[at:end]
    if _SPECIAL[quotes].search(field):
        raise InvalidArgumentError("Unquoted fields cannot have quotes/CRLFs inside [Op:DecodeCSV]")
    return field, end + 1


def _quoted(line: bytes, at: int, delimiter: bytes, quotes: bool) -> tuple[bytes, int]:
    """The same for a field in quotes, in which a quote is written twice."""
    parts, begin = [], at + 1
    while (end := line.find(b'"', begin)) >= 0:
        parts.append(line[begin:end])
        after = line[end + 1 : end + 2]
        if after in (b"", delimiter):
            return b'"'.join(parts), end + 2
        if after != b'"':
            raise InvalidArgumentError(
                "Quote inside a string has to be escaped by another quote [Op:DecodeCSV]"
            )
        begin = end + 2
    raise InvalidArgumentError(
        "Quoted field has to end with quote followed by delim or end [Op:DecodeCSV]"
    )


# -- values ----------------------------------------------------------------------------------------


def _column(index: int, fields: list[bytes], default: Array, empty: tuple[bytes, bytes]) -> Array:
    """The values of a column, as an array of the dtype of its default."""
    found = np.empty(len(fields), default.dtype)
    standing, dtype = default.reshape(-1), dtypes.of(default.dtype)
    for i, field in enumerate(fields):
        if field not in empty:
            found[i] = _value(field, dtype, index, i)
        elif standing.size:
            found[i] = standing[0]
        else:
            raise InvalidArgumentError(
                f"Field {index} is required but missing in record {i}! [Op:DecodeCSV]"
            )
    return found


def _value(field: bytes, dtype: dtypes.DType, index: int, record: int) -> float | bytes:
    if dtype == dtypes.string:
        return field
    try:
        return _integer(field, dtype) if dtype.is_integer else _float(field)
    except (ValueError, OverflowError):
        shown = field[:100].decode(errors="replace")
        raise InvalidArgumentError(
            f"Field {index} in record {record} is not a valid {dtype.kernel_name}: {shown} "
            "[Op:DecodeCSV]"
        ) from None


def _integer(field: bytes, dtype: dtypes.DType) -> int:
    value = int(_without_underscores(field))
    if not dtype.min <= value <= dtype.max:
        raise ValueError
    return value


def _float(field: bytes) -> float:
    digits = _without_underscores(field)
    return float.fromhex(digits.decode()) if b"x" in digits.lower() else float(digits)


def _without_underscores(field: bytes) -> bytes:
    """The field, unless Python alone would take it for a number."""
    if b"_" in field:
        raise ValueError
    return field


def _in_shape(array: Array, shape: ShapeLike) -> Array:
    array = array.reshape(shape)
    return array if array.dtype.hasobject else array[()]
