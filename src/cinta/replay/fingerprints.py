"""Short texts that differ where recordings do, by which processes see that theirs are alike."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from ..content import digest_of
from ..engine.device_values import on_host
from .recording import Constant, Recording, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .recording import Ref


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
            return digest_of(on_host(ref.value))
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
                is_body = isinstance(value, Recording)
                yield name.encode() + (_digest(value) if is_body else digest_of(value))
    yield from map(told, recording.results)
    for variable, ref in recording.assigns:
        yield variable.name.encode() + told(ref)
