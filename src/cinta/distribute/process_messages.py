"""Messages between processes: a few words, and values that are arrays or plain."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import as_dtype

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.tensor import Array

_LENGTH = 8
"""Bytes for the length of the words, before the words and the arrays."""


def written(what: str, values: Sequence[Any]) -> bytes:
    """A message: where the process is, and what its replicas give there."""
    arrays: list[bytes] = []
    words = json.dumps([what, [_described(value, arrays) for value in values]]).encode()
    return b"".join([len(words).to_bytes(_LENGTH, "little"), words, *arrays])


def read(message: bytes) -> tuple[str, list[Any]]:
    """The words and the values of a message."""
    start = _LENGTH + int.from_bytes(message[:_LENGTH], "little")
    what, described = json.loads(message[_LENGTH:start])
    values = []
    for each in described:
        if isinstance(each, dict):
            array = _array(each, message, start)
            start += array.nbytes
            values.append(array)
        else:
            values.append(each)
    return what, values


def _described(value: object, arrays: list[bytes]) -> object:
    """The description of a value among the words; an array is added to the arrays."""
    if not isinstance(value, (np.ndarray, np.generic)):
        return value
    if value.dtype.hasobject or (value.dtype.kind in "SUV" and as_dtype(value.dtype).size == 0):
        raise TypeError(
            f"Values of dtype {as_dtype(value.dtype).name} cannot be sent to other processes: "
            "encode them as numbers."
        )
    arrays.append(value.tobytes())
    return {"dtype": as_dtype(value.dtype).name, "shape": value.shape}


def _array(described: dict[str, Any], message: bytes, start: int) -> Array:
    dtype = np.dtype(as_dtype(described["dtype"]).as_numpy_dtype)
    shape = tuple(described["shape"])
    count = int(np.prod(shape, dtype=np.int64))
    array: Array = np.frombuffer(message, dtype, count, start).reshape(shape).copy()
    return array if shape else array[()]
