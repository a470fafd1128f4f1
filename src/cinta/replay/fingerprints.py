"""Short texts that differ where recordings do, by which processes see that theirs are alike."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from .recording import Constant, Recording, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .recording import Ref

_PLAIN = (bool, int, float, complex, str, bytes, type(None), np.dtype, np.generic)
"""Attributes whose text is the same in all processes."""


def fingerprint(recording: Recording) -> str:
    """A text that is the same in all processes that have recorded the same."""
    return _digest(recording).hex()[:16]


def _digest(recording: Recording) -> bytes:
    found = sha256()
    for part in _parts(recording):
        found.update(part)
    return found.digest()


def _parts(recording: Recording) -> Iterator[bytes]:
    places: dict[int, int] = {}  # of values in their order: numbers are not the same everywhere

    def place(n: int) -> int:
        return places.setdefault(n, len(places))

    def told(ref: Ref) -> bytes:
        if isinstance(ref, Constant):
            return _of_constant(ref.value)
        return f"{place(ref)} {recording.specs[ref]};".encode()

    for n in recording.inputs:
        yield told(n)
    for variable, n in recording.reads:
        yield variable.name.encode() + told(n)
    for step in recording.steps:
        if isinstance(step, Step):
            yield step.op.name.encode()
            yield from map(told, (*step.inputs, *step.outputs))
            for name, value in step.attrs.items():
                yield name.encode() + _of_attribute(value)
    yield from map(told, recording.results)
    for variable, ref in recording.assigns:
        yield variable.name.encode() + told(ref)


def _of_constant(value: object) -> bytes:
    array = np.asarray(value)
    content = repr(array.tolist()).encode() if array.dtype.hasobject else array.tobytes()
    return f"{array.dtype} {array.shape}".encode() + sha256(content).digest()


def _of_attribute(value: object) -> bytes:
    if isinstance(value, Recording):
        return _digest(value)
    if isinstance(value, (tuple, list)):
        return b"(" + b",".join(map(_of_attribute, value)) + b")"
    if isinstance(value, np.ndarray):
        return _of_constant(value)
    return (repr(value) if isinstance(value, _PLAIN) else type(value).__name__).encode()
