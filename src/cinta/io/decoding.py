"""Numbers out of strings of bytes, and bytes as text."""

from __future__ import annotations

import base64
import binascii
import csv
from typing import Any

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor
from ..engine.tensor import Tensor, seen, wrap
from ..errors import InvalidArgumentError
from ..ops.arguments import flag, integer, listed, text, whole_numbers
from ..ops.strings.converting import elementwise, text_of


def decode_raw(
    input_bytes: Any,
    out_type: Any,
    little_endian: bool = True,
    fixed_length: Any = None,
    name: str | None = None,
) -> Tensor:
    """The numbers whose bytes strings of one length hold, along a new last axis.

    >>> import cinta as tf
    >>> tf.io.decode_raw(b"\\x01\\x00\\x02\\x00", tf.int16).numpy()
    array([1, 2], dtype=int16)

    With ``fixed_length``, strings are cut to it, or filled up with zeros.
    """
    strings, dtype = text_of(input_bytes), dtypes.as_dtype(out_type).dtype
    values = list(strings.reshape(-1))
    if fixed_length is not None:
        length = integer(fixed_length, "fixed_length")
        if length < 1:
            raise InvalidArgumentError(
                f"fixed_length must be greater than 0, got {length} [Op:DecodePaddedRaw]"
            )
        values = [value[:length].ljust(length, b"\0") for value in values]
    sizes = [len(value) for value in values] or [0]
    for i, size in enumerate(sizes):
        if size != sizes[0]:
            raise InvalidArgumentError(
                "DecodeRaw requires input strings to all be the same size, but element "
                f"{i} has size {size} != {sizes[0]} [Op:DecodeRaw]"
            )
    if dtype.hasobject or sizes[0] % dtype.itemsize:
        raise InvalidArgumentError(
            f"Input to DecodeRaw has length {sizes[0]} that is not a multiple of "
            f"{dtype.itemsize}, the size of {dtypes.of(dtype).name} [Op:DecodeRaw]"
        )
    stored = dtype.newbyteorder("<" if flag(little_endian, "little_endian") else ">")
    numbers = np.frombuffer(b"".join(values), stored).astype(dtype)
    return wrap(numbers.reshape(*strings.shape, sizes[0] // dtype.itemsize))


def decode_csv(
    records: Any,
    record_defaults: Any,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    select_cols: Any = None,
    name: str | None = None,
) -> list[Tensor]:
    """The columns of lines of text, a tensor for each, of the dtypes of the defaults.

    An empty field is the default of its column; an empty default means that there must be one.

    >>> import cinta as tf
    >>> a, b = tf.io.decode_csv(["1,x", ",y"], [7, ""])
    >>> a.numpy(), b.numpy()
    (array([1, 7], dtype=int32), array([b'x', b'y'], dtype=object))
    """
    lines = text_of(records)
    defaults = [as_tensor(default) for default in listed(record_defaults, "record_defaults")]
    rows = _fields(lines.reshape(-1), text(field_delim, "field_delim"), use_quote_delim)
    if select_cols is not None:
        chosen = whole_numbers(select_cols, "select_cols")
        rows = [[row[i] for i in chosen if 0 <= i < len(row)] for row in rows]
    for i, row in enumerate(rows):
        if len(row) != len(defaults):
            raise InvalidArgumentError(
                f"Expect {len(defaults)} fields but have {len(row)} in record {i} [Op:DecodeCSV]"
            )
    empty = ("", text(na_value, "na_value"))
    return [
        wrap(_in_shape(_column(i, [row[i] for row in rows], default, empty), lines.shape))
        for i, default in enumerate(defaults)
    ]


def _fields(lines: Any, delimiter: str, quotes: Any) -> list[list[str]]:
    """The fields of lines of text."""
    if len(delimiter) != 1:
        raise InvalidArgumentError(
            f"field_delim should be only 1 char, got {delimiter!r} [Op:DecodeCSV]"
        )
    quoted = flag(quotes, "use_quote_delim")

    class Form(csv.excel):
        quoting = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE

    texts = [line.decode(errors="surrogateescape") for line in lines]
    return list(csv.reader(texts, Form, delimiter=delimiter))


def _column(index: int, fields: Any, default: Tensor, empty: tuple[str, str]) -> Any:
    """The values of a column, as an array of the dtype of its default."""
    found = np.empty(len(fields), default.dtype.dtype)
    standing = np.asarray(seen(default)).reshape(-1)
    for i, field in enumerate(fields):
        if field not in empty:
            found[i] = _value(field, default.dtype, index, i)
        elif standing.size:
            found[i] = standing[0]
        else:
            raise InvalidArgumentError(
                f"Field {index} is required but missing in record {i}! [Op:DecodeCSV]"
            )
    return found


def _value(field: str, dtype: dtypes.DType, index: int, record: int) -> Any:
    if dtype == dtypes.string:
        return field.encode(errors="surrogateescape")
    try:
        return int(field) if dtype.is_integer else float(field)
    except ValueError:
        raise InvalidArgumentError(
            f"Field {index} in record {record} is not a valid {dtype.kernel_name}: {field} "
            "[Op:DecodeCSV]"
        ) from None


def _in_shape(array: Any, shape: Any) -> Any:
    array = array.reshape(shape)
    return array if array.dtype.hasobject else array[()]


def encode_base64(input: Any, pad: bool = False, name: str | None = None) -> Tensor:
    """Bytes as text of letters, digits, ``-`` and ``_``, filled up with ``=`` if ``pad``.

    >>> import cinta as tf
    >>> tf.io.encode_base64("tape").numpy()
    b'dGFwZQ'
    """
    filled = flag(pad, "pad")

    def encoded(value: bytes) -> bytes:
        whole = base64.urlsafe_b64encode(value)
        return whole if filled else whole.rstrip(b"=")

    return elementwise(encoded, text_of(input))


def decode_base64(input: Any, name: str | None = None) -> Tensor:
    """What ``encode_base64`` has encoded, with or without ``=``.

    >>> import cinta as tf
    >>> tf.io.decode_base64(tf.io.encode_base64("hello")).numpy()
    b'hello'
    """
    return elementwise(_from_base64, text_of(input))


def _from_base64(value: bytes) -> bytes:
    whole = value.rstrip(b"=") + b"=" * (-len(value.rstrip(b"=")) % 4)
    try:
        return base64.b64decode(whole, altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise InvalidArgumentError(
            f"Invalid character found in base64: {error} [Op:DecodeBase64]"
        ) from None
