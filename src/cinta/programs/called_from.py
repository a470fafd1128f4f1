"""Where ops were called, remembered by the arrays that went in and came out while these live."""

from __future__ import annotations

import os
import sys
import weakref
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import FrameType

_CINTA = os.path.dirname(os.path.dirname(__file__)) + os.sep
_MOST_SCALARS = 10_000
"""How many scalars are remembered: they have no weak references, so they are kept."""
_MOST_LINES = 3
"""How many lines are told of an op that was called with the same array on several."""


class CallerLine(NamedTuple):
    """A line of the program, and the function that it stands in."""

    filename: str
    lineno: int
    function: str


def program_frames() -> Iterator[FrameType]:
    """The frames of the program, the innermost first, without those of cinta."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_CINTA):
            yield frame
        frame = frame.f_back


class Calls:
    """The lines that called ops, by array and op."""

    def __init__(self) -> None:
        self._lines: dict[int, dict[str, dict[CallerLine, None]]] = {}
        self._refs: dict[int, weakref.ref[Any]] = {}
        self._scalars: deque[np.generic] = deque()

    def note(self, op: str, arrays: Iterable[object]) -> None:
        """Note the line of the program that calls an op now, for these arrays."""
        frame = next(program_frames(), None)
        if frame is None:
            return
        line = CallerLine(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
        for array in arrays:
            if isinstance(array, (np.ndarray, np.generic)):
                self._of(array).setdefault(op, {})[line] = None

    def _of(self, array: object) -> dict[str, dict[CallerLine, None]]:
        """The lines known of an array, as long as it lives."""
        key = id(array)
        found = self._lines.get(key)
        if found is not None:
            return found
        if isinstance(array, np.generic):
            self._scalars.append(array)
            if len(self._scalars) > _MOST_SCALARS:
                self._lines.pop(id(self._scalars.popleft()), None)
        else:
            self._refs[key] = weakref.ref(array, lambda _: self._forget(key))
        return self._lines.setdefault(key, {})

    def _forget(self, key: int) -> None:
        self._refs.pop(key, None)
        self._lines.pop(key, None)

    def of(self, op: str, arrays: Iterable[object]) -> list[CallerLine]:
        """The lines that called an op with one of these arrays, or got it from the op."""
        known = (self._lines.get(id(array), {}).get(op, {}) for array in arrays)
        return list(dict.fromkeys(line for lines in known for line in lines))[:_MOST_LINES]
