"""Which strategy runs on a thread, and for which of its replicas."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Place(NamedTuple):
    """A strategy, and the context of the replica that runs; None between the replicas."""

    strategy: object
    replica: object


class _Places(threading.local):
    """The places that a thread has entered, the innermost one last."""

    def __init__(self) -> None:
        self.entered: list[Place] = []


_places = _Places()


def place() -> Place | None:
    """Where this thread is; None outside of all strategies."""
    return _places.entered[-1] if _places.entered else None


def is_between_replicas() -> bool:
    """Whether this thread is in the scope of a strategy, and in no replica of it."""
    here = place()
    return here is not None and here.replica is None


@contextmanager
def entered(strategy: object, replica: object) -> Iterator[None]:
    """Be there in the block."""
    _places.entered.append(Place(strategy, replica))
    try:
        yield
    finally:
        _places.entered.pop()
