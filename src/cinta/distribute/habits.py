"""The expectations of processes, which need not ask each other each time.

All come to the same places in the same order, so all expect the same: what came after this place
the last time. Only a program is expected, which tells whether all processes gave it something to
do. A process that comes to something else runs the program with nothing to do, and then all know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..engine.replicas import Trial


class Expected(NamedTuple):
    """A program, and the place at which it runs."""

    event: str
    what: str
    trial: Trial


class Habits:
    """The programs that came after what, as all processes have seen it."""

    def __init__(self) -> None:
        self._after: dict[str, Expected] = {}
        self._last = ""

    @property
    def next(self) -> Expected | None:
        """The program that is expected now."""
        return self._after.get(self._last)

    def forget(self) -> None:
        """Expect nothing any more after what came last."""
        self._after.pop(self._last, None)

    def came(self, event: str, program: Expected | None = None) -> None:
        """Something came, of which all processes know; it is a program or something else."""
        if program is None:
            self.forget()
        else:
            self._after[self._last] = program
        self._last = event
