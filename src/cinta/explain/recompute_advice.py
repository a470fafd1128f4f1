"""The lines around which `recompute_grad` would lower the peak of memory most.

A block of lines that is recomputed keeps what comes into it, in place of what it computes. Its
calls are *runs*: records that follow each other, all on these lines, in the order of the lines.
Going backwards, the peak is either what is kept when that begins, or what is kept before one of the
runs together with all that this run computes again.
"""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from .kept_memory import buffer_of, count_new

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import CodeType

    from .events import Event
    from .kept_memory import Kept
    from .ledger import Ledger

_MOST_WORK = 200_000
"""How many records are looked at in all; where there are more, fewer blocks are tried."""
_LEAST = 0.1
"""A block that lowers the peak by a smaller part than this is not worth a change."""

Lines = tuple["CodeType", int, int]
"""A function of the program, and the first and the last line of a block in it."""


class Saving(NamedTuple):
    """A block of lines, and how many bytes less the tape keeps if it is recomputed."""

    filename: str
    function: str
    first: int
    last: int
    bytes: int


def best_saving(kept: Sequence[Kept], ledger: Ledger) -> Saving | None:
    """The block of lines that lowers the peak most, if there is one that is worth a change.

    Where the peak cannot be lowered, because one block keeps all, it is the one that keeps most: it
    frees that until the gradient is asked for.
    """
    search = _Search(kept, ledger)
    total = search.reached[-1] if kept else 0
    tried = [(lines, *search.saved(lines)) for lines in search.blocks()]
    if not tried or not total:
        return None
    by_peak = max(tried, key=lambda found: (found[1], -_length(found[0])))
    by_size = max(tried, key=lambda found: (found[2], -_length(found[0])))
    lines, gain, freed = by_peak if by_peak[1] >= _LEAST * total else by_size
    if max(gain, freed) < _LEAST * total:
        return None
    code, first, last = lines
    return Saving(code.co_filename, code.co_name, first, last, freed)


def _length(lines: Lines) -> int:
    return lines[2] - lines[1]


class _Search:
    """The search through the blocks of lines of one tape."""

    def __init__(self, kept: Sequence[Kept], ledger: Ledger) -> None:
        self.kept = kept
        counted: set[int] = set()
        self.reached = list(accumulate(count_new(each.buffers, counted) for each in kept))
        self.holders = Counter(key for each in kept for key in each.buffers)
        self.buffers = _buffers_of_events(ledger)
        self.places = [_line_of(each.event) for each in kept]

    def blocks(self) -> Iterator[Lines]:
        """The blocks to try: all ranges of lines of each function, unless these are too many."""
        by_code: dict[CodeType, set[int]] = {}
        for place in filter(None, self.places):
            by_code.setdefault(place[0], set()).add(place[1])
        for code, numbers in by_code.items():
            lines = sorted(numbers)
            pairs = [(a, b) for i, a in enumerate(lines) for b in lines[i:]]
            if len(pairs) * len(self.kept) > _MOST_WORK:
                pairs = [(lines[0], lines[-1]), *((a, a) for a in lines[:50])]
            yield from ((code, a, b) for a, b in pairs)

    def saved(self, lines: Lines) -> tuple[int, int]:
        """By how much the peak is lower, and how much less is kept, if a block is recomputed."""
        freed_before, peak = 0, 0
        for run in self._runs(lines):
            freed = self._freed(run)
            freed_before += freed
            peak = max(peak, self.reached[run[-1]] - freed_before + freed)
        total = self.reached[-1]
        return total - max(peak, total - freed_before), freed_before

    def _runs(self, lines: Lines) -> Iterator[list[int]]:
        """The calls of a block, as positions of records."""
        code, first, last = lines
        run: list[int] = []
        before = 0
        for i, place in enumerate(self.places):
            inside = place is not None and place[0] is code and first <= place[1] <= last
            if run and (not inside or place is None or place[2] < before):  # another turn
                yield run
                run = []
            if inside and place is not None:
                run.append(i)
                before = place[2]
        if run:
            yield run

    def _freed(self, run: Sequence[int]) -> int:
        """How much less is kept if the records of a run keep what comes into them alone."""
        events = [event for i in run if (event := self.kept[i].event) is not None]
        inside = {id(event) for event in events}
        mine: Counter[int] = Counter(key for i in run for key in self.kept[i].buffers)
        sizes = {key: size for i in run for key, size in self.kept[i].buffers.items()}
        freed = {key: sizes[key] for key, count in mine.items() if count == self.holders[key]}
        cost = 0
        taken: set[int] = set()
        for parent in (p for event in events for p in event.parents):
            origin = getattr(parent, "call", parent)
            if id(origin) in inside or id(parent) in taken:
                continue
            taken.add(id(parent))
            buffer = self.buffers.get(id(parent))
            if buffer is not None and buffer in self.holders:
                freed.pop(buffer, None)
            elif parent.kind in ("op", "part") and parent.out is not None:
                cost += parent.out.dtype.itemsize * _count(parent.out.shape)
        return sum(freed.values()) - cost


def _count(shape: Sequence[int]) -> int:
    count = 1
    for length in shape:
        count *= length
    return count


def _line_of(event: Event | None) -> tuple[CodeType, int, int] | None:
    """The code, the line and the offset of an event."""
    if event is None or event.code is None or event.line is None:
        return None
    return event.code, event.line.lineno, event.offset


def _buffers_of_events(ledger: Ledger) -> dict[int, int]:
    """The buffers that events made, by identity of both, of arrays that are alive."""
    return {id(event): id(buffer_of(array)) for array, event in ledger.alive()}
