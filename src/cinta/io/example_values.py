"""The features of serialized examples, taken from their bytes without objects between."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from .. import dtypes
from ..errors import InvalidArgumentError
from ..protobuf.scalars import BYTES, FLOAT, INT64
from ..protobuf.wire import fields, message, tagged_fields

if TYPE_CHECKING:
    from ..engine.tensor import Array

    Features: TypeAlias = dict[bytes, bytes]
    """The bytes of features by their names."""

KINDS = {dtypes.string: 1, dtypes.float32: 2, dtypes.int64: 3}
"""The dtypes of features, and the number of each in a message `Feature`."""
_SCALARS = {1: BYTES, 2: FLOAT, 3: INT64}
_DTYPES = {number: dtype for dtype, number in KINDS.items()}


class ValueOrigin(NamedTuple):
    """Where values come from, for messages: the example, its number in the batch, and the name."""

    key: str
    number: int | None = None
    name: str = "<unknown>"
    step: int | None = None

    def __str__(self) -> str:
        name = f"Name: {self.name}, "
        if self.step is not None:
            return f"{name}Feature list: {self.key}, Index: {self.step}."
        if self.number is None:
            return f"Key: {self.key}."
        return f"{name}Key: {self.key}, Index: {self.number}."

    def required(self, dtype: dtypes.DType) -> InvalidArgumentError:
        """The error where there are no values and no default."""
        name = "" if self.number is None else f"Name: {self.name}, "
        return InvalidArgumentError(
            f"{name}Feature: {self.key} (data type: {dtype.kernel_name}) is required but could "
            "not be found."
        )


def example(serialized: bytes) -> Features:
    """The features of an `Example`."""
    try:
        return features(b"".join([message(v) for n, v in fields(serialized) if n == 1]))
    except ValueError as error:
        raise _unreadable(serialized, error) from None


def sequence_example(serialized: bytes) -> tuple[Features, dict[bytes, list[bytes]]]:
    """The features of a `SequenceExample`: those of the whole, and lists of them."""
    try:
        parts: tuple[list[bytes], list[bytes]] = ([], [])
        for number, value in fields(serialized):
            if number in (1, 2):
                parts[number - 1].append(message(value))
        context, lists = map(features, map(b"".join, parts))
        steps = {
            key: [message(v) for n, v in fields(each) if n == 1] for key, each in lists.items()
        }
    except ValueError as error:
        raise _unreadable(serialized, error) from None
    return context, steps


def _unreadable(serialized: bytes, error: ValueError) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"Could not parse example input, value: {serialized[:100]!r}: {error}"
    )


def features(map_of_them: bytes) -> Features:
    """The entries of a map from names to messages; the last one of a name counts."""
    found = {}
    for number, entry in fields(map_of_them):
        if number == 1:
            pair = dict(fields(message(entry)))
            found[message(pair.get(1, b""))] = message(pair.get(2, b""))
    return found


def _mismatch(place: ValueOrigin, found: dtypes.DType, expected: dtypes.DType) -> str:
    """Two types, as TensorFlow says it of steps and of other features."""
    if place.step is not None:
        return f"Expected type: {expected.kernel_name}, found type: {found.kernel_name}"
    return f"Data type: {found.kernel_name} but expected type: {expected.kernel_name}"


def values(feature: bytes | None, dtype: dtypes.DType, place: ValueOrigin) -> Array | None:
    """The values of a feature, or None if it has none."""
    if feature is None:
        return None
    try:
        lists = [(number, value) for number, value in fields(feature) if number in _SCALARS]
        if not lists:
            return None
        kind = lists[-1][0]
        if kind != KINDS[dtype]:
            raise InvalidArgumentError(
                f"{place}  Data types don't match. {_mismatch(place, _DTYPES[kind], dtype)}"
            )
        found = []
        for _, content in lists:
            for number, way, value in tagged_fields(message(content)):
                if number == 1:
                    found += _SCALARS[kind].read(way, value)
    except ValueError as error:
        raise InvalidArgumentError(f"{place}  Can't parse serialized Example: {error}") from None
    array = np.empty(len(found), dtype.dtype)
    array[:] = found
    return array
