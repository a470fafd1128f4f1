"""Summary: which lines of the program a tape keeps memory for."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.tensor import Tensor
from .faces import life_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..replay.recording import Recording
    from .ledger import Event
    from .lines import Line

_UNITS = "B", "kB", "MB", "GB", "TB"
_WIDTH = 60


@dataclass
class Row:
    """The memory of a line of the program: the ops on it, their number, the bytes, the time."""

    line: Line | None
    names: tuple[str, ...]
    ops: int
    bytes: int
    share: float
    seconds: float


class Summary:
    """The memory that a tape keeps, a row for each line of the program; the largest comes first.

    >>> import cinta as tf
    >>> x = tf.Variable([1.0, 2.0])
    >>> with tf.GradientTape(persistent=True) as tape:
    ...     y = tf.exp(x)
    >>> print(tape.summary())
    1 op keeps 8 B
      8 B  100 %  1 op   Exp
    """

    def __init__(self, rows: list[Row]) -> None:
        self.lines = sorted(rows, key=lambda row: -row.bytes)

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
        if not self.lines or self.lines[0].share < 0.2:
            return ""
        row = self.lines[0]
        if row.line is None:
            return ""
        return (
            f"tf.recompute_grad around a function with {row.line} would free up to "
            f"{written_bytes(row.bytes)}."
        )

    def __str__(self) -> str:
        verb = "keeps" if self.ops == 1 else "keep"
        head = f"{_count(self.ops)} {verb} {written_bytes(self.bytes)}"
        sizes = [written_bytes(row.bytes) for row in self.lines]
        width = max(map(len, sizes), default=0)
        lines = [
            f"  {size:>{width}}  {row.share:>4.0%}".replace("%", " %")
            + f"  {_count(row.ops):<6} {_what(row)}"
            for size, row in zip(sizes, self.lines, strict=True)
        ]
        return "\n".join([head, *lines, *([self.advice] if self.advice else [])])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><td style='text-align:right'>{written_bytes(row.bytes)}</td>"
            f"<td><div style='background:#5dade2;height:.8em;width:{row.share * 10:.2f}em'></div>"
            f"</td><td style='text-align:right'>{row.ops}</td>"
            f"<td style='text-align:left'><code>{html.escape(_what(row))}</code></td></tr>"
            for row in self.lines
        )
        head = "<tr><th>bytes</th><th></th><th>ops</th><th style='text-align:left'>line</th></tr>"
        return f"<table>{head}{cells}</table><p>{html.escape(self.advice)}</p>"


def summary_of(tape: Any) -> Summary:
    """The memory of a tape, by line if it recorded while explanations were on, else by op."""
    life = life_of(tape)
    events = {} if life is None else life.records
    recorder = tape._recorder
    counted: set[int] = set()
    rows: dict[Any, list[tuple[str, int, Event | None]]] = {}
    for plan, _, output, saved in () if recorder is None else list(recorder.records):
        event = events.get(output)
        line = None if event is None else event.line
        name = getattr(getattr(plan, "op", None), "name", "Part")
        key = (line.filename, line.lineno) if line is not None else name
        rows.setdefault(key, []).append((name, new_bytes(saved, counted), event))
    total = sum(size for found in rows.values() for _, size, _ in found) or 1
    return Summary([_row(found, total) for found in rows.values()])


def summary_of_recording(recording: Recording) -> Summary:
    """The results of the steps of a function, by op, and their sizes."""
    rows: dict[Any, list[tuple[str, int, Event | None]]] = {}
    for step in recording.calls:
        size = sum(recording.specs[number].nbytes for number in step.outputs)
        rows.setdefault(step.op.name, []).append((step.op.name, size, None))
    total = sum(size for found in rows.values() for _, size, _ in found) or 1
    return Summary([_row(found, total) for found in rows.values()])


def _row(found: list[tuple[str, int, Event | None]], total: int) -> Row:
    event = found[0][2]
    names = tuple(dict.fromkeys(name for name, _, _ in found))
    size = sum(size for _, size, _ in found)
    seconds = sum(each.seconds for _, _, each in found if each is not None)
    return Row(
        None if event is None else event.line, names, len(found), size, size / total, seconds
    )


def new_bytes(saved: object, counted: set[int]) -> int:
    """The bytes of those buffers that are not counted yet."""
    size = 0
    for array in _arrays(saved):
        base = array
        while isinstance(base, np.ndarray) and isinstance(base.base, np.ndarray):
            base = base.base
        if id(base) not in counted:
            counted.add(id(base))
            size += base.nbytes
    return size


def _arrays(saved: object) -> Iterator[Any]:
    waiting = [saved]
    while waiting:
        x = waiting.pop()
        if type(x) is tuple:
            waiting.extend(x)
        elif isinstance(x, Tensor):
            waiting.append(x._array)
        elif isinstance(x, np.ndarray):
            yield x


def written_bytes(count: float) -> str:
    """A number of bytes with a unit."""
    for unit in _UNITS[:-1]:
        if count < 1000:
            return f"{count:.3g} {unit}" if unit != "B" else f"{count:.0f} B"
        count /= 1000
    return f"{count:.3g} {_UNITS[-1]}"


def _count(ops: int) -> str:
    return "1 op" if ops == 1 else f"{ops} ops"


def _what(row: Row) -> str:
    if row.line is None:
        return ", ".join(row.names)
    return f"{row.line}  {row.line.source[:_WIDTH]}"
