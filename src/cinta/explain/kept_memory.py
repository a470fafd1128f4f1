"""The buffers that the records of a tape hold, and the steps of the program that need them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..derivatives.closures import tensors_in
from ..engine.tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .events import Event


class Kept(NamedTuple):
    """The memory of one record: the op's name, its event if that is known, and bytes by buffer."""

    name: str
    event: Event | None
    buffers: dict[int, int]


def kept_by(records: Iterable[Any], events: Mapping[int, Event]) -> list[Kept]:
    """The memory of the records of a tape, in their order; ``events`` are by numbers of results."""
    return [
        Kept(getattr(getattr(plan, "op", None), "name", "Part"), events.get(output), buffers(saved))
        for plan, _, output, saved in records
    ]


def buffers(saved: object) -> dict[int, int]:
    """The sizes of the buffers behind what is saved, by identity."""
    bases = map(buffer_of, _arrays(saved))
    return {id(base): base.nbytes for base in bases}


def buffer_of(array: object) -> Any:
    """The array that owns the memory of an array."""
    while isinstance(array, np.ndarray) and isinstance(array.base, np.ndarray):
        array = array.base
    return array


def new_bytes(saved: object, counted: set[int]) -> int:
    """The bytes of those buffers that are not counted yet."""
    return count_new(buffers(saved), counted)


def count_new(found: dict[int, int], counted: set[int]) -> int:
    """The bytes of those of these buffers that are not counted yet, which they are then."""
    size = sum(found[key] for key in found.keys() - counted)
    counted.update(found)
    return size


def _arrays(saved: object) -> Iterator[Any]:
    waiting = [saved]
    while waiting:
        x = waiting.pop()
        if type(x) in (tuple, list):
            waiting.extend(x)  # type: ignore[arg-type]
        elif isinstance(x, Tensor):
            waiting.append(x._array)
        elif isinstance(x, np.ndarray):
            yield x
        elif callable(x) and hasattr(function := getattr(x, "function", x), "__closure__"):
            waiting.extend(tensors_in(function))  # those that a gradient function encloses
