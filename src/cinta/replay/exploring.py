"""All ways of Python through a function: it is led where it has not gone by itself.

Where Python looks at the truth of a recorded value, it can be given the answer that is not true.
The values that it computes from there on make no sense, but its steps are those that it would
take. Such a way is of use until Python stands in a state that is known: from there it is led along
a way that comes to an end.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from ..engine.tensor import truth
from .loops.way import Unseen
from .loops.ways import in_one
from .recording import Guard
from .size_sums import is_size_sum
from .trace import Trace

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from ..engine.device_values import Held
    from ..engine.op import Op
    from ..user_frames import CodePlace
    from .loops.code_positions import CodePosition
    from .loops.way import Way
    from .recording import Recording, Ref

_TURNS = 3
"""So many turns of a loop show what a turn makes of what the turn before has left."""
_MOST_WAYS = 64
_MANY_WAYS = 24
"""With so many ways, a further one will hardly tell values from each other that seem the same."""
_MOST_LOOKS = 10_000
"""A way that looks more often is given up."""
_PATIENCE = 1000
"""Looks after which a loop does not seem to end, where only the kind of the result is asked for."""


class Endless(BaseException):
    """Python does not come to an end, as far as can be told; no program is to catch this."""


class LimitedTrace(Trace):
    """A trace of a run for made up values, for which a loop need not come to an end."""

    def __init__(self) -> None:
        super().__init__()
        self._count = 0

    def answer(self, stood: CodePosition | None, found: bool) -> bool:
        self._count += 1
        if self._count > _MOST_LOOKS:
            raise Endless
        return found

    def _call(
        self,
        op: Op,
        refs: list[Ref],
        attrs: dict[str, Any],
        outputs: int | tuple[int, ...],
        array: Held | None,
        place: CodePlace,
    ) -> None:
        super()._call(op, refs, attrs, outputs, array, place)
        if self.made_up is None or not isinstance(outputs, int):
            return
        if is_size_sum(op, refs, self.by_formula):
            self.by_formula.add(outputs)


class EndingTrace(LimitedTrace):
    """One that leads Python out of a loop that does not seem to end, by answers that are wrong."""

    def answer(self, stood: CodePosition | None, found: bool) -> bool:
        found = super().answer(stood, found)
        return found if self._count < _PATIENCE else not found


class LedTrace(LimitedTrace):
    """A trace that answers as it was on another way at first, and then something else.

    The first answers are ``begin``. In the state ``turned`` it is ``answer`` for some turns.
    ``onward`` has the answers that lead to the end, by states.
    """

    def __init__(
        self,
        begin: Sequence[bool],
        turned: Hashable,
        answer: bool,
        onward: Mapping[Hashable, bool],
    ) -> None:
        super().__init__()
        self._begin, self._turned, self._other, self._onward = begin, turned, answer, onward
        self._answered: Counter[Hashable] = Counter()

    def answer(self, stood: CodePosition | None, found: bool) -> bool:
        found = super().answer(stood, found)
        if self._count <= len(self._begin):
            return self._begin[self._count - 1]
        if stood is None:
            return found
        state = stood.state
        self._answered[state] += 1
        if state == self._turned and self._answered[state] <= _TURNS:
            return self._other
        if state in self._onward:
            return self._onward[state]
        return found if self._answered[state] <= _TURNS else not found


def on_all_ways(
    first: Sequence[Way], led: Callable[[Callable[[], Trace]], Way | None]
) -> Recording | None:
    """A recording of these ways of a function and of those that are found by other answers.

    ``led`` runs the function under such a trace; it gives None if that does not make a recording.
    """
    ways = _KnownWays()
    for way in first:
        ways.add(way)
    while True:
        for unseen in ways.missing():
            found = led(partial(ways.leading_to, unseen))
            if found is not None:
                ways.add(found)
                break
        else:
            return ways.made


class _KnownWays:
    """The ways that are known, and the answers that were given in each state."""

    def __init__(self) -> None:
        self.made: Recording | None = None
        self._ways: list[Way] = []
        self._tried: set[Unseen] = set()
        self._onward: dict[Hashable, bool] = {}

    def add(self, way: Way) -> None:
        """Know one more way."""
        self._ways.append(way)
        last = {each.state: _answer(way, each.position) for each in way.looks}
        self._onward = last | self._onward

    def missing(self) -> Iterator[Unseen]:
        """Where a way is missing in the recording of those that are known.

        If none is missing and there is no recording, any other way may tell values from each other
        that were the same on all ways by chance.
        """
        unseen: list[Unseen] = []
        self.made = in_one(self._ways, unseen)
        if self.made is None and len(self._ways) < _MANY_WAYS:
            looks = [[each.position for each in way.looks] for way in self._ways]
            unseen += [Unseen(i, p) for i, positions in enumerate(looks) for p in positions]
        for each in unseen if len(self._ways) < _MOST_WAYS else ():
            if each not in self._tried:
                self._tried.add(each)
                yield each

    def leading_to(self, unseen: Unseen) -> LedTrace:
        """A trace that gives the answer there that nobody has given."""
        way, position = self._ways[unseen.way], unseen.position
        guards = [step for step in way.made.steps[:position] if isinstance(step, Guard)]
        begin = [bool(guard.found) for guard in guards if guard.look is truth]
        state = next((each.state for each in way.looks if each.position == position), None)
        return LedTrace(begin, state, not _answer(way, position), self._onward)


def _answer(way: Way, position: int) -> bool:
    guard = way.made.steps[position]
    return isinstance(guard, Guard) and bool(guard.found)
