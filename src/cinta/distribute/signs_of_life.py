"""The signs of life that processes give each other."""

from __future__ import annotations

import threading
from contextlib import suppress
from time import monotonic

BEAT = 1.0
"""Seconds between two signs of life, and between two looks at those of others."""


class Heart(threading.Thread):
    """Gives the signs of life of this process."""

    def __init__(self, number: int) -> None:
        super().__init__(daemon=True)
        self._process, self._enough = number, threading.Event()

    def run(self) -> None:
        """Beat until the process ends."""
        from . import byte_exchange

        count = 0
        with suppress(Exception):  # the first process is gone
            while not self._enough.wait(BEAT if count else 0.0):
                byte_exchange.set_key(f"cinta/beat/{self._process}", str(count))
                count += 1

    def stop(self) -> None:
        """Beat no more. If Python ended while a beat is in JAX, JAX would abort."""
        self._enough.set()
        self.join(3 * BEAT)


class Watch:
    """The signs of life of the other processes, and when each of them last came."""

    def __init__(self, processes: int, number: int) -> None:
        begun = monotonic()
        self._last: dict[int, tuple[str | None, float]] = {
            i: (None, begun) for i in range(processes) if i != number
        }

    def silent(self, limit: float) -> list[int]:
        """The processes from which nothing has come for so many seconds."""
        from . import byte_exchange

        now = monotonic()
        for i, (beat, _) in self._last.items():
            found = byte_exchange.key(f"cinta/beat/{i}")
            if found is not None and found != beat:
                self._last[i] = found, now
        return [i for i, (_, when) in self._last.items() if now - when > limit]
