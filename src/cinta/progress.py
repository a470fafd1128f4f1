"""Lines that tell how far long work is, written over on terminals."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, TextIO, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

T = TypeVar("T")

_SECONDS_BETWEEN = 0.1
_SECONDS_UNTIL_SHOWN = 0.5  # of bars: most files take less
_WIDTH = 30


class ProgressLine:
    """A line of text that changes at most ten times a second."""

    def __init__(self, shown: bool | None, after: float, stream: TextIO | None) -> None:
        self.stream = stream or sys.stderr
        self.shown = self.stream.isatty() if shown is None else shown
        self.began = time.monotonic()
        self.last = self.began + after - _SECONDS_BETWEEN

    def is_due(self) -> bool:
        """Whether the line is to be written again now."""
        now = time.monotonic()
        due = self.shown and now - self.last >= _SECONDS_BETWEEN
        if due:
            self.last = now
        return due

    def seconds(self) -> float:
        """The time since the work began."""
        return time.monotonic() - self.began

    def write(self, text: str, end: str) -> None:
        """Write the line; ``end`` is what the next one begins behind."""
        self.stream.write(f"{text}{end}")
        self.stream.flush()


class Bar(ProgressLine):
    """Shows how many parts are done and to do.

    It appears when the work has taken half a second; on terminals only, unless ``shown`` is given.
    """

    def __init__(
        self, what: str, total: int, shown: bool | None, stream: TextIO | None = None
    ) -> None:
        super().__init__(shown, _SECONDS_UNTIL_SHOWN, stream)
        self.what, self.total, self.done = what, total, 0
        self.drawn = False

    def add(self, count: int) -> None:
        """Tell of more parts that are done."""
        self.done += count
        if self.is_due():
            self.drawn = True
            self._draw("\r")

    def close(self) -> None:
        """Leave the line."""
        if self.drawn:
            self._draw("\n")

    def _draw(self, end: str) -> None:
        share = self.done / self.total if self.total else 1.0
        bar = ("#" * int(_WIDTH * share)).ljust(_WIDTH, ".")
        self.write(f"{self.what} [{bar}] {self._told()}", end)

    def _told(self) -> str:
        return f"{self.done} of {self.total}"


class BarOfBytes(Bar):
    """Shows bytes done and to do, and how fast they go."""

    def _told(self) -> str:
        speed = self.done / 1e6 / max(self.seconds(), 1e-9)
        return f"{self.done / 1e6:.0f} of {self.total / 1e6:.0f} MB, {speed:.0f} MB/s"


def followed(parts: Sequence[T], what: str) -> Iterator[T]:
    """The parts of long work, one after the other, with a bar on terminals."""
    if len(parts) < 2:
        yield from parts
        return
    bar = Bar(what, len(parts), None)
    try:
        for part in parts:
            yield part
            bar.add(1)
    finally:
        bar.close()


@contextmanager
def timed(what: str, shown: bool | None = None, stream: TextIO | None = None) -> Iterator[None]:
    """Show the seconds that the block takes, which cannot tell how far it is; on terminals only."""
    line = ProgressLine(shown, 0.0, stream)
    if not line.shown:
        yield
        return
    ended = Event()
    clock = Thread(target=_run_clock, args=(line, what, ended), daemon=True)
    clock.start()
    try:
        yield
    finally:
        ended.set()
        clock.join()


def _run_clock(line: ProgressLine, what: str, ended: Event) -> None:
    if ended.wait(_SECONDS_UNTIL_SHOWN):
        return
    while True:
        over = ended.wait(_SECONDS_BETWEEN)
        line.write(f"{what}: {line.seconds():.1f} s", "\n" if over else "\r")
        if over:
            return


class OptimizerProgress(ProgressLine):
    """Shows the steps of an optimizer, with the value, the slope and the time."""

    def __init__(self, shown: bool, what: str, stream: TextIO | None = None) -> None:
        super().__init__(shown, 0.0, stream)
        self.what, self.steps = what, 0

    def step(self, value: float, steepness: float | None = None) -> None:
        """Tell of one more step: the value there and the length of the gradient."""
        self.steps += 1
        if self.is_due():
            self._tell(value, steepness, "\r" if self.stream.isatty() else "\n")

    def done(self, value: float, steepness: float | None = None) -> None:
        """Tell of the end."""
        if self.shown:
            self._tell(value, steepness, "\n")

    def _tell(self, value: float, steepness: float | None, end: str) -> None:
        slope = "" if steepness is None else f"  |gradient| {steepness:.3e}"
        text = f"{self.what}: step {self.steps}  value {value:.9g}{slope}  {self.seconds():.1f} s"
        self.write(f"{text:<78}", end)
