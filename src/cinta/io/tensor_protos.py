"""Tensors as bytes, in TensorFlow's form: the protocol buffer message `TensorProto`."""

from __future__ import annotations

import math
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor
from ..engine.shapes import Shape, written
from ..engine.tensor import Tensor, seen, wrap
from ..errors import InvalidArgumentError
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..engine.annotations import DTypeLike, TensorLike
    from ..engine.tensor import Array

_DTYPE, _SHAPE, _CONTENT, _STRINGS = 1, 2, 4, 8
_NUMBERS = {
    5: "<f4", 6: "<f8", 7: "varint", 9: "<f4", 10: "varint", 11: "varint", 12: "<f8",
    13: "varint", 16: "varint", 17: "varint",
}  # fmt: skip
"""How the other fields that hold values write each of them."""
_VARINT, _EIGHT_BYTES, _COUNTED, _FOUR_BYTES = 0, 1, 2, 5
"""The ways in which a message writes the value of a field."""


@public("io.serialize_tensor")
def serialize_tensor(tensor: TensorLike, name: str | None = None) -> Tensor:
    """A tensor as a string of bytes, which ``parse_tensor`` reads, here and in TensorFlow.

    >>> import cinta as tf
    >>> stored = tf.io.serialize_tensor([1.0, 2.0])
    >>> tf.io.parse_tensor(stored, tf.float32).numpy()
    array([1., 2.], dtype=float32)
    """
    return wrap(np.array(written_tensor(seen(as_tensor(tensor))), object))


@public("io.parse_tensor")
def parse_tensor(serialized: TensorLike, out_type: DTypeLike, name: str | None = None) -> Tensor:
    """The tensor that a string of bytes stands for; it must have this dtype.

    >>> import cinta as tf
    >>> tf.io.parse_tensor(tf.io.serialize_tensor([1.0, 2.0]), tf.float32).numpy()
    array([1., 2.], dtype=float32)
    """
    wanted = dtypes.as_dtype(out_type)
    message = np.asarray(seen(as_tensor(serialized, np.dtype(object))))
    if message.ndim:
        raise InvalidArgumentError(
            f"Expected `serialized` to be a scalar, got shape: {written(message.shape)}"
        )
    array = read_tensor(message.item())
    found = dtypes.of(array.dtype)
    if found is not wanted:
        raise InvalidArgumentError(
            f"Type mismatch between parsed tensor ({found.kernel_name}) and dtype "
            f"({wanted.kernel_name})"
        )
    return wrap(array)


def written_tensor(array: Array) -> bytes:
    """An array as a message."""
    sizes = b"".join(_counted(2, _number(1, n) if n else b"") for n in np.shape(array))
    head = _number(_DTYPE, dtypes.of(array.dtype).as_datatype_enum) + _counted(_SHAPE, sizes)
    if array.dtype == object:
        return head + b"".join(_counted(_STRINGS, value) for value in array.reshape(-1))
    little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
    return head + (_counted(_CONTENT, little.tobytes()) if array.size else b"")


def read_tensor(message: bytes) -> Array:
    """The array that a message holds."""
    try:
        return _assembled(list(_fields(message)))
    except (LookupError, ValueError, TypeError, OverflowError, MemoryError) as error:
        raise InvalidArgumentError(
            f"Could not parse `serialized` as TensorProto: {len(message)} bytes, beginning with "
            f"{message[:16]!r}: {error}"
        ) from None


def _assembled(fields: list[tuple[int, Any]]) -> Array:
    parts: dict[int, list[Any]] = {}
    for number, value in fields:
        parts.setdefault(number, []).append(value)
    dtype = dtypes.as_dtype(index(parts[_DTYPE][-1])).dtype
    shape = _shape(parts.get(_SHAPE, [b""])[-1])
    if dtype.hasobject:
        strings = [bytes(memoryview(each)) for each in parts.get(_STRINGS, [])]  # no numbers
        return _filled(np.array(strings, object), shape)
    if _CONTENT in parts:
        content = np.frombuffer(parts[_CONTENT][-1], np.uint8)
        if dtype.kind == "b" and content.max(initial=0) > 1:
            raise ValueError("a bool is neither 0 nor 1")
        return content.view(dtype).reshape(shape)[()]
    number = next((n for n in parts if n in _NUMBERS), 7)
    return _filled(_values(number, parts.get(number, []), dtype), shape)


def _shape(message: bytes) -> Shape:
    sizes = [dict(_fields(dim)).get(1, 0) for number, dim in _fields(message) if number == 2]
    return tuple(sizes)


def _values(number: int, given: list[Any], dtype: np.dtype[Any]) -> Array:
    """The values of a field of numbers, which may stand one by one or in one piece."""
    form = _NUMBERS[number]
    if form != "varint":
        array = np.frombuffer(b"".join(given), form)
        return array.view(dtype) if dtype.kind == "c" else array.astype(dtype)
    numbers: list[int] = []
    for each in given:
        numbers += [each] if isinstance(each, int) else _varints(each)
    if number == 13:  # the bits of numbers of 16 bits
        return np.array(numbers, np.uint16).view(dtype)
    return np.array([n - 2**64 if n >= 2**63 and dtype.kind == "i" else n for n in numbers], dtype)


def _filled(values: Array, shape: Shape) -> Array:
    """Values in a shape; the last one is repeated if there are too few."""
    size = math.prod(shape)
    if len(values) > size:
        raise ValueError(f"{len(values)} values do not fit the shape {written(shape)}")
    if not len(values):
        values = np.array([b"" if values.dtype == object else 0], values.dtype)
    if len(values) == 1:  # of which a message may say that there are very many
        array = np.broadcast_to(values[0], shape)
        return array if array.dtype == object else array[()]
    if len(values) < size:
        values = np.concatenate([values, np.repeat(values[-1:], size - len(values))])
    array = values.reshape(shape)
    return array if array.dtype == object else array[()]


# -- the wire format -----------------------------------------------------------------------------


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3 | _VARINT) + _varint(value)


def _counted(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | _COUNTED) + _varint(len(value)) + value


def _read_varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("a number of more than 64 bits")


def _varints(message: bytes) -> list[int]:
    found, at = [], 0
    while at < len(message):
        value, at = _read_varint(message, at)
        found.append(value)
    return found


def _fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a message: ints, or bytes."""
    at = 0
    while at < len(message):
        key, at = _read_varint(message, at)
        kind = key & 7
        if kind == _VARINT:
            value: Any
            value, at = _read_varint(message, at)
        else:
            if kind == _COUNTED:
                size, at = _read_varint(message, at)
            else:
                size = {_EIGHT_BYTES: 8, _FOUR_BYTES: 4}[kind]
            value = message[at : at + size]
            at += size
            if len(value) < size:
                raise ValueError(f"it ends within a field of {size} bytes")
        yield key >> 3, value
