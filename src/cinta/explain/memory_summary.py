"""The lines of the program that a tape keeps memory for, as a table."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..languages.counted import counted
from ..languages.phrases import said
from .kept_memory import count_new
from .lines import line_at
from .recompute_advice import best_saving
from .texts import saving_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..replay.recording import Recording
    from .kept_memory import Kept
    from .ledger import Ledger
    from .lines import Line
    from .recompute_advice import Saving

_UNITS = "B", "kB", "MB", "GB", "TB"
_WIDTH = 60


@dataclass
class MemoryRow:
    """The memory of a line of the program: the ops on it, their number, the bytes, the time."""

    line: Line | None
    names: tuple[str, ...]
    ops: int
    bytes: int
    share: float
    seconds: float


class MemorySummary:
    """The memory that a tape keeps, a row for each line of the program; the largest comes first.

    >>> import cinta as tf
    >>> x = tf.Variable([1.0, 2.0])
    >>> with tf.GradientTape(persistent=True) as tape:
    ...     y = tf.exp(x)
    >>> print(tape.summary())
    1 op keeps 8 B
      8 B  100 %  1 op   Exp
    """

    def __init__(self, rows: list[MemoryRow], saving: Saving | None = None) -> None:
        self.lines = sorted(rows, key=lambda row: -row.bytes)
        self.saving = saving

    @property
    def bytes(self) -> int:
        """All that is kept."""
        return sum(row.bytes for row in self.lines)

    @property
    def ops(self) -> int:
        """How many ops were recorded."""
        return sum(row.ops for row in self.lines)

    @property
    def advice(self) -> str:
        """Which single change would free most."""
        if self.saving is None:
            return ""
        where = lines_of(self.saving)
        return saving_of(where, self.saving.function, written_bytes(self.saving.bytes))

    def __str__(self) -> str:
        verb = "keeps" if self.ops == 1 else "keep"
        head = f"{counted(self.ops, 'op')} {verb} {written_bytes(self.bytes)}"
        sizes = [written_bytes(row.bytes) for row in self.lines]
        width = max(map(len, sizes), default=0)
        lines = [
            f"  {size:>{width}}  {row.share:>4.0%}".replace("%", " %")
            + f"  {counted(row.ops, 'op'):<6} {_time(row)}{_what(row)}"
            for size, row in zip(sizes, self.lines, strict=True)
        ]
        return "\n".join([head, *lines, *([self.advice] if self.advice else [])])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td style='text-align:right'>{written_bytes(row.bytes)}</td>"
            f"<td><div style='background:#5dade2;height:.8em;width:{row.share * 10:.2f}em'></div>"
            f"</td><td style='text-align:right'>{row.ops}</td>"
            f"<td style='text-align:right'>{_time(row)}</td>"
            f"<td style='text-align:left'><code>{html.escape(_what(row))}</code></td></tr>"
            for row in self.lines
        )
        names = "bytes", "", "ops", "time", "line"
        head = f"<tr>{''.join(f'<th>{name and said(name)}</th>' for name in names)}</tr>"
        return f"<table>{head}{cells}</table><p>{html.escape(self.advice)}</p>"


class OpMemory(NamedTuple):
    """The memory of one op, its line if that is known, and the time that it took."""

    name: str
    bytes: int
    line: Line | None
    seconds: float = 0.0


def summary_of_kept(kept: Sequence[Kept], ledger: Ledger | None) -> MemorySummary:
    """The memory that records keep, by line where lines are known."""
    counted: set[int] = set()
    ops = [_of_record(each, count_new(each.buffers, counted)) for each in kept]
    return MemorySummary(_rows(ops), None if ledger is None else best_saving(kept, ledger))


def summary_of_recording(recording: Recording) -> MemorySummary:
    """The results of the steps of a function, and their sizes."""
    specs = recording.specs
    return MemorySummary(
        _rows(
            OpMemory(step.op.name, sum(specs[n].nbytes for n in step.outputs), line_at(step.place))
            for step in recording.calls
        )
    )


def _of_record(kept: Kept, size: int) -> OpMemory:
    event = kept.event
    if event is None:
        return OpMemory(kept.name, size, None)
    return OpMemory(kept.name, size, event.line, event.seconds)


def _rows(ops: Iterable[OpMemory]) -> list[MemoryRow]:
    """A row for each line, and for each op without one."""
    rows: dict[Any, list[OpMemory]] = {}
    for each in ops:
        line = each.line
        key = each.name if line is None else (line.filename, line.lineno)
        rows.setdefault(key, []).append(each)
    total = sum(each.bytes for found in rows.values() for each in found) or 1
    return [_row(found, total) for found in rows.values()]


def _row(found: Sequence[OpMemory], total: int) -> MemoryRow:
    names = tuple(dict.fromkeys(each.name for each in found))
    size = sum(each.bytes for each in found)
    seconds = sum(each.seconds for each in found)
    return MemoryRow(found[0].line, names, len(found), size, size / total, seconds)


def written_bytes(count: float) -> str:
    """A number of bytes with a unit."""
    for unit in _UNITS[:-1]:
        if count < 1000:
            return f"{count:.3g} {unit}" if unit != "B" else f"{count:.0f} B"
        count /= 1000
    return f"{count:.3g} {_UNITS[-1]}"


def lines_of(saving: Saving) -> str:
    """The lines of a block, as `file.py:3-5`."""
    name = f"{os.path.basename(saving.filename)}:{saving.first}"
    return name if saving.first == saving.last else f"{name}-{saving.last}"


def _time(row: MemoryRow) -> str:
    """The time that the ops of a line took, if it was measured."""
    return f"{row.seconds * 1e3:8.3f} ms  " if row.seconds else ""


def _what(row: MemoryRow) -> str:
    if row.line is None:
        return ", ".join(row.names)
    return f"{row.line}  {row.line.source[:_WIDTH]}"
