"""Tensors as bytes, in TensorFlow's form: the protocol buffer message `TensorProto`."""

from __future__ import annotations

import math
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..engine.arrays import stored_bytes
from ..engine.convert import as_tensor
from ..engine.dtype_kinds import kind_of
from ..engine.shapes import Shape, written
from ..engine.tensor import Tensor, seen, wrap
from ..errors import InvalidArgumentError
from ..protobuf.wire import (
    fields,
    varints,
    whole,
    written_bytes,
    written_number,
)
from ..protobuf.wire import (
    message as content,
)
from ..public import public

if TYPE_CHECKING:
    from ..engine.annotations import DTypeLike, TensorLike
    from ..engine.tensor import Array

_DTYPE, _SHAPE, _CONTENT, _STRINGS, _FLOAT8 = 1, 2, 4, 8, 18
_NUMBERS = {
    5: "<f4", 6: "<f8", 7: "varint", 9: "<f4", 10: "varint", 11: "varint", 12: "<f8",
    13: "varint", 16: "varint", 17: "varint",
}  # fmt: skip
"""How the other fields that hold values write each of them."""


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
    """The tensor that ``tf.io.serialize_tensor`` made a string of bytes of.

    >>> import cinta as tf
    >>> tf.io.parse_tensor(tf.io.serialize_tensor([1.0, 2.0]), tf.float32).numpy()
    array([1., 2.], dtype=float32)

    Args:
        serialized: The bytes.
        out_type: The dtype of the tensor.

    Raises:
        InvalidArgumentError: If the bytes are damaged, or the tensor has another dtype.
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
    sizes = b"".join(written_bytes(2, written_number(1, n) if n else b"") for n in np.shape(array))
    head = written_number(_DTYPE, dtypes.of(array.dtype).as_datatype_enum) + written_bytes(
        _SHAPE, sizes
    )
    if array.dtype == object:
        return head + b"".join(written_bytes(_STRINGS, value) for value in array.reshape(-1))
    return head + (written_bytes(_CONTENT, stored_bytes(array)) if array.size else b"")


def read_tensor(message: bytes) -> Array:
    """The array that a message holds."""
    try:
        return _assembled(list(fields(message)))
    except (LookupError, ValueError, TypeError, OverflowError, MemoryError) as error:
        raise InvalidArgumentError(
            f"Could not parse `serialized` as TensorProto: {len(message)} bytes, beginning with "
            f"{message[:16]!r}: {error}"
        ) from None


def _assembled(given: list[tuple[int, Any]]) -> Array:
    parts: dict[int, list[Any]] = {}
    for number, value in given:
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
    if _FLOAT8 in parts:
        return _filled(np.frombuffer(parts[_FLOAT8][-1], np.uint8).view(dtype), shape)
    number = next((n for n in parts if n in _NUMBERS), 7)
    return _filled(_values(number, parts.get(number, []), dtype), shape)


def _shape(message: bytes) -> Shape:
    sizes = [dict(fields(content(dim))).get(1, 0) for n, dim in fields(message) if n == 2]
    return tuple(map(whole, sizes))


def _values(number: int, given: list[Any], dtype: np.dtype[Any]) -> Array:
    """The values of a field of numbers, which may stand one by one or in one piece."""
    form = _NUMBERS[number]
    if form != "varint":
        size = np.dtype(form).itemsize
        pieces = [x if isinstance(x, bytes) else x.to_bytes(size, "little") for x in given]
        array = np.frombuffer(b"".join(pieces), form)
        return array.view(dtype) if dtype.kind == "c" else array.astype(dtype)
    numbers: list[int] = []
    for each in given:
        numbers += [each] if isinstance(each, int) else varints(each)
    if number == 13:  # the bits of numbers of 16 bits
        return np.array(numbers, np.uint16).view(dtype)
    signed = kind_of(dtype) == "i"
    return np.array([n - 2**64 if n >= 2**63 and signed else n for n in numbers], dtype)


def _filled(values: Array, shape: Shape) -> Array:
    """Values in a shape; the last one is repeated if there are too few."""
    size = math.prod(shape)
    if len(values) > size:
        raise ValueError(f"{len(values)} values do not fit the shape {written(shape)}")
    if not len(values):
        values = np.array([b"" if values.dtype == object else 0], values.dtype)
    if len(values) == 1:  # of which a message may say that there are very many
        array = np.broadcast_to(values.reshape(()), shape)
        return array if array.dtype == object else array[()]
    if len(values) < size:
        values = np.concatenate([values, np.repeat(values[-1:], size - len(values))])
    array = values.reshape(shape)
    return array if array.dtype == object else array[()]
