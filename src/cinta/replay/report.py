"""Report: how often a function was called, in which ways, and what its recordings take."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..languages.counted import counted

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class CallReport:
    """Counts of the calls of a function so far."""

    name: str
    replays: int
    python_calls: int
    recordings: int
    compile_seconds: float
    bytes_kept: int
    refused: tuple[str, ...]
    measure: Callable[[], dict[str, float]] = field(repr=False, compare=False)

    @property
    def calls(self) -> int:
        """All calls, those that ran the Python and those that did not."""
        return self.replays + self.python_calls

    @property
    def parts(self) -> dict[str, float]:
        """The microseconds that each part of a call takes, measured now.

        They are those of calls like the last one that was replayed without a tape. The time of the
        program is missing if its loops end by a value, because all is measured with zeros.
        """
        return self.measure()

    def __str__(self) -> str:
        lines = [
            f"{self.name}: {counted(self.calls, 'call')}, {self.replays} of them replayed",
            f"  {counted(self.recordings, 'recording')}, compiled in {self.compile_seconds:.3f} s, "
            f"{self.bytes_kept} bytes kept",
        ]
        lines += [f"  not replayed: {why}" for why in self.refused]
        parts = self.parts
        if parts:
            beside = "" if "program" in parts else ", beside loops that end by values"
            lines.append(f"  a call takes about {sum(parts.values()):.1f} µs{beside}:")
            lines += [f"    {name:<10}{time:10.1f} µs" for name, time in parts.items()]
        return "\n".join(lines)
