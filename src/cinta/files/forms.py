"""How arrays that safetensors has no dtype for are stored as arrays that it has.

Double-precision complex numbers become pairs of float64. Strings become one vector of bytes: their
lengths, 8 bytes each, and behind them the strings.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .safetensors_header import CODES, Slot, is_shape

_LENGTH = np.dtype("<u8")


def plain(array: np.ndarray[Any, Any]) -> tuple[Any, dict[str, Any] | None]:
    """The array to store, and what must be known to get the original back, if anything."""
    array = np.asarray(array)
    if array.dtype in CODES:
        return array, None
    shape = list(array.shape)
    if array.dtype == np.complex128:
        pairs = np.ascontiguousarray(array).reshape(-1).view(np.float64)
        return pairs.reshape(*shape, 2), {"dtype": "complex128"}
    if array.dtype == object:
        return _packed(array), {"dtype": "string", "shape": shape}
    raise TypeError(f"arrays of {array.dtype} cannot be stored in files.")


def original(stored: np.ndarray[Any, Any], form: dict[str, Any] | None) -> np.ndarray[Any, Any]:
    """The array that was stored in this form; ``ValueError`` if it cannot have been."""
    if form is None:
        return stored
    if form["dtype"] == "complex128":
        return stored.reshape(-1).view(np.complex128).reshape(stored.shape[:-1])
    return _unpacked(stored, tuple(form["shape"]))


def spec(slot: Slot, form: dict[str, Any] | None) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """The dtype and shape of the original."""
    if form is None:
        return slot.dtype, slot.shape
    if form["dtype"] == "complex128":
        return np.dtype(np.complex128), slot.shape[:-1]
    return np.dtype(object), tuple(form["shape"])


def check(name: str, form: Any, slot: Slot) -> None:
    """Refuse a form that makes no sense, or not for this array."""
    kind = form.get("dtype") if isinstance(form, dict) else None
    pairs = slot.dtype == np.float64 and slot.shape[-1:] == (2,)
    if kind == "complex128" and pairs and form.keys() == {"dtype"}:
        return
    if kind == "string" and slot.dtype == np.uint8 and len(slot.shape) == 1:
        shape = form.get("shape")
        if is_shape(shape) and prod(shape) * _LENGTH.itemsize <= slot.shape[0]:
            return
    raise ValueError(f"{name!r} cannot be stored as {str(form)[:100]}")


def _packed(strings: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    parts = [s.encode() if isinstance(s, str) else bytes(s) for s in strings.reshape(-1)]
    lengths = np.array([len(part) for part in parts], _LENGTH)
    return np.frombuffer(lengths.tobytes() + b"".join(parts), np.uint8)


def _unpacked(stored: np.ndarray[Any, Any], shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    count = prod(shape)
    data = stored.tobytes()
    begin = count * _LENGTH.itemsize
    strings = np.empty(count, object)
    for i, length in enumerate(np.frombuffer(data, _LENGTH, count).tolist()):
        strings[i] = data[begin : begin + length]
        begin += length
    if begin != len(data):
        raise ValueError(f"the lengths of strings reach to byte {begin} of {len(data)}")
    return strings.reshape(shape)
