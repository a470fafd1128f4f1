"""The header of a safetensors file, which says what stands where behind it.

    8 bytes         the length of the header, little-endian
    the header      JSON: {name: {"dtype", "shape", "data_offsets": [begin, end]}, ...}
    the data        the elements, without gaps

Nothing of a header is believed before it is checked: dtypes must be known, shapes and offsets must
agree, and the arrays must cover the data from its begin to its end, each byte once.
"""

from __future__ import annotations

import json
from math import prod
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from . import strict_json

LONGEST_HEADER = 100_000_000
METADATA = "__metadata__"

DTYPES: dict[str, np.dtype[Any]] = {
    "BOOL": np.dtype(np.bool_),
    "U8": np.dtype(np.uint8),
    "I8": np.dtype(np.int8),
    "F8_E5M2": np.dtype(ml_dtypes.float8_e5m2),
    "F8_E4M3": np.dtype(ml_dtypes.float8_e4m3fn),
    "U16": np.dtype(np.uint16),
    "I16": np.dtype(np.int16),
    "F16": np.dtype(np.float16),
    "BF16": np.dtype(ml_dtypes.bfloat16),
    "U32": np.dtype(np.uint32),
    "I32": np.dtype(np.int32),
    "F32": np.dtype(np.float32),
    "U64": np.dtype(np.uint64),
    "I64": np.dtype(np.int64),
    "F64": np.dtype(np.float64),
    "C64": np.dtype(np.complex64),
}
CODES = {dtype: code for code, dtype in DTYPES.items()}


class Slot(NamedTuple):
    """Where an array stands in the data, and what it is."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    begin: int
    end: int


def header(metadata: dict[str, str], arrays: dict[str, Any]) -> bytes:
    """The header of a file with these arrays, which stand in it in this order."""
    fields: dict[str, Any] = {METADATA: metadata}
    begin = 0
    for name, array in arrays.items():
        offsets = [begin, begin + array.nbytes]
        fields[name] = {
            "dtype": CODES[array.dtype],
            "shape": array.shape,
            "data_offsets": offsets,
        }
        begin = offsets[1]
    text = json.dumps(fields, separators=(",", ":")).encode()
    return text + b" " * (-len(text) % 8)  # so that the data are aligned


def parse(text: bytes, data_size: int) -> tuple[dict[str, str], dict[str, Slot]]:
    """The metadata and the arrays; ``ValueError`` if anything is not as it must be."""
    fields = strict_json.parse(text)
    if not isinstance(fields, dict):
        raise ValueError("the header is not a JSON object")
    metadata = fields.pop(METADATA, {})
    if not isinstance(metadata, dict) or not all(isinstance(v, str) for v in metadata.values()):
        raise ValueError("the metadata are not a table of strings")
    slots = {name: _slot(name, field) for name, field in fields.items()}
    _check_cover(slots, data_size)
    return metadata, dict(sorted(slots.items(), key=lambda item: item[1].begin))


def is_count(value: object) -> bool:
    """Whether JSON gave a whole number that is not negative (``True`` is none)."""
    return type(value) is int and value >= 0


def is_shape(value: object) -> bool:
    """Whether JSON gave lengths, as many as NumPy has axes for."""
    return isinstance(value, list) and len(value) <= 64 and all(map(is_count, value))


def _slot(name: str, field: dict[str, Any]) -> Slot:
    if not isinstance(field, dict) or field.keys() != {"dtype", "shape", "data_offsets"}:
        raise ValueError(f"{name!r} must have a dtype, a shape and data_offsets, and nothing else")
    dtype, shape, offsets = field["dtype"], field["shape"], field["data_offsets"]
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise ValueError(f"{name!r} has the dtype {dtype!r}, which is not known")
    if not is_shape(shape):
        raise ValueError(f"{name!r} has the shape {str(shape)[:100]}, which is not one")
    if not (isinstance(offsets, list) and len(offsets) == 2 and all(map(is_count, offsets))):
        raise ValueError(f"{name!r} has data_offsets that are not two whole numbers")
    begin, end = offsets
    if end - begin != prod(shape) * DTYPES[dtype].itemsize:
        raise ValueError(
            f"{name!r} has {end - begin} bytes, which do not fit its shape {shape} of {dtype}"
        )
    return Slot(DTYPES[dtype], tuple(shape), begin, end)


def _check_cover(slots: dict[str, Slot], data_size: int) -> None:
    reached = 0
    for name, slot in sorted(slots.items(), key=lambda item: item[1][2:]):
        if slot.begin != reached:
            raise ValueError(f"{name!r} begins at byte {slot.begin} of the data, not at {reached}")
        reached = slot.end
    if reached != data_size:
        raise ValueError(f"there are {data_size} bytes of data where there should be {reached}")
