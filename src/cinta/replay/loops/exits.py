"""How a loop is left within a turn, by ``break`` or ``return``, and what goes on from there.

A loop whose turn is left hands on the values with which the turn began, and tells by a number where
it was left. The steps behind the loop compute those of that turn once more, up to there. So the
loop need not hand on what is known in the middle of a turn, and its gradient is that of its whole
turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..recording import Guard
from .references import NoLoop

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..recording import Ref
    from .meeting import Meeting

Rename: TypeAlias = "Callable[[int], int]"
"""From the number of a value, where it was known, to its number elsewhere."""

Begin: TypeAlias = "Callable[[Meeting, Rename], list[int]]"
"""Takes steps into a meeting before others go on there; gives the positions behind them."""

UNKNOWN = 1
"""The number of all exits behind which nobody knows the way."""


class Part(NamedTuple):
    """Some parts of a meeting that go one way: their places in it, and where they are then.

    ``refs`` are all values that Python knows there, each by its numbers on these parts; None if
    that could not be told. ``begin`` takes what must be done before the next step into a meeting of
    these parts alone, if there is something.
    """

    owners: tuple[int, ...]
    at: tuple[int, ...]
    refs: tuple[tuple[Ref, ...], ...] | None = None
    begin: Begin | None = None

    def among(self, kept: Sequence[int]) -> Part:
        """The same in a meeting in which these of its places are left, in this order."""
        places = {old: new for new, old in enumerate(kept)}
        return self._replace(owners=tuple([places[i] for i in self.owners]))


class Exit(NamedTuple):
    """A way out of a loop: its number, and the parts of what is around that go on there."""

    number: int
    part: Part


class Exits:
    """The exits of a loop, as far as they were seen; numbers of others are ``UNKNOWN``."""

    def __init__(self, body: Meeting, rereads: dict[int, int]) -> None:
        self._body, self._rereads = body, rereads
        self.seen: list[Exit] = []
        self.has_unknown = False
        self.handed: Mapping[int, int] = {}  # from what a turn begins with to the loop's results

    def leave(self, meeting: Meeting, part: Part) -> int:
        """Know one more, by which parts of a meeting in the turn leave; the number of that exit."""
        chain = [(meeting, len(meeting.steps))]
        owners = part.owners
        while chain[-1][0] is not self._body:
            inner, _ = chain[-1]
            assert inner.around is not None
            owners = tuple([inner.owners[i] for i in owners])
            chain.append((inner.around, len(inner.around.steps)))
        owners = tuple([self._body.owners[i] for i in owners])
        known = None
        if part.begin is None:
            if part.refs is None:
                raise NoLoop
            known = [(refs, meeting.find(refs, part.owners)) for refs in part.refs]

        def begin(target: Meeting, rename: Rename) -> list[int]:
            names = self._played(chain[::-1], target, rename)
            if part.begin is not None:
                return part.begin(target, names.__getitem__)
            assert known is not None
            return knowing(known, part.at)(target, names.__getitem__)

        number = UNKNOWN + 1 + len(self.seen)
        self.seen.append(Exit(number, Part(owners, part.at, None, begin)))
        return number

    def _played(
        self, chain: Sequence[tuple[Meeting, int]], target: Meeting, rename: Rename
    ) -> dict[int, int]:
        """Take the first steps of these meetings, each of which is in the one before; the new
        numbers of their values. On the way that is taken, nothing was left before."""
        names = _Names({n: rename(outer) for n, outer in self.handed.items()})
        for meeting, count in chain:
            inside = meeting is not self._body
            for outer, n in meeting.taken.items():
                names[n] = names[outer] if inside else rename(outer)
            for step in meeting.steps[:count]:
                if isinstance(step, Guard):
                    continue
                inputs = [names[x] if isinstance(x, int) else x for x in step.inputs]
                for n in step.outputs:
                    names[n] = target.make(meeting.specs[n])
                    if n in self._rereads:
                        self._rereads[names[n]] = self._rereads[n]
                outputs = tuple([names[n] for n in step.outputs])
                target.steps.append(step._replace(inputs=tuple(inputs), outputs=outputs))
        return names


class _Names(dict[int, int]):
    """The new numbers of values; there is no loop if another one is asked for."""

    def __missing__(self, n: int) -> int:
        raise NoLoop


def knowing(values: Sequence[tuple[tuple[Ref, ...], Ref]], at: Sequence[int]) -> Begin:
    """The beginning of a part in which just these values are known."""

    def begin(target: Meeting, rename: Rename) -> list[int]:
        pairs = [(refs, rename(x) if isinstance(x, int) else x) for refs, x in values]
        target.know_only(pairs, True)
        return [*at]

    return begin
