"""Several ways of Python through one function as one recording, with loops and branches.

A ``Way`` is the recording of one call, with the states in which Python stood when it looked at a
value. From one state Python goes on in one way for as long as it finds the same, whatever values
are recorded. So

- where a state comes back on a way, the steps between are a turn of a loop, which goes on for as
  long as the same is found there, if something else was found the last time;
- where something else was found on another way, there is a branch. It ends at the first state in
  which Python stands on both ways, or where the function returns.

Nothing is guessed: all ways must take the same steps wherever their states are the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ...engine.tensor import truth
from ..recording import Guard, Recording, Step
from .meeting import Cursor, Meeting, is_same
from .references import NoLoop

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from ...engine.variable import Variable
    from ..recording import Ref


_ENOUGH = 3
"""Turns of one kind from which it can be told what each makes of what the turn before has left."""


class Look(NamedTuple):
    """A guard by its position, the state in which Python looked, and the values that it knew there.

    The first one is what it looked at. They are all if its ``whole`` state could be told.
    """

    position: int
    state: Hashable
    refs: tuple[Ref, ...]
    whole: bool


class Way(NamedTuple):
    """One way through a function: its recording, and where Python looked.

    ``returned`` is equal for two ways if they return the same but for tensors.
    """

    made: Recording
    looks: tuple[Look, ...]
    returned: Hashable


class Unseen(NamedTuple):
    """A position on a way at which something else can be found, and nobody has seen what then."""

    way: int
    position: int


def in_one(ways: Sequence[Way], unseen: list[Unseen] | None = None) -> Recording | None:
    """A recording that goes all these ways; None if there is none, or if it is the only way.

    The positions at which a way is missing are added to ``unseen``.
    """
    if len({way.returned for way in ways}) > 1 or not any([way.looks for way in ways]):
        return None
    if any([way.made.spread for way in ways]):
        return None  # values lie on a mesh, which they do by their numbers
    joined = _Ways(ways)
    try:
        return joined.recording()
    except NoLoop:
        return None
    finally:
        if unseen is not None:
            unseen += joined.unseen


def bodies(made: Recording) -> list[Recording]:
    """The recordings within the loops and branches of a recording."""
    found = [body for step in made.calls for body in step.bodies]
    return [inner for body in found for inner in (body, *bodies(body))]


def has_gradients(general: Recording) -> bool:
    """Whether its loops and branches have the gradients of what is in them.

    They do not know which values in them are those of variables that were read again, nor can they
    call the gradient functions that people wrote.
    """
    outside = {n for step in general.calls for n in step.outputs}
    calls = [step for body in bodies(general) for step in body.calls]
    return outside.issuperset(general.rereads) and not any([x.op.has_user_rule for x in calls])


class _Ways:
    """The ways of a function, and where on them Python stood in which state."""

    def __init__(self, ways: Sequence[Way]) -> None:
        self._ways = ways
        self._looks = [{look.position: look for look in way.looks} for way in ways]
        self._places: list[dict[Hashable, list[int]]] = [{} for _ in ways]
        for way, places in zip(ways, self._places, strict=True):
            for look in way.looks:
                places.setdefault(look.state, []).append(look.position)
        self._rereads: dict[int, int] = {}
        self._first: dict[int, int] = {}
        self._no_loops: set[Hashable] = set()
        self.unseen: list[Unseen] = []

    def recording(self) -> Recording | None:
        """One recording of all ways; None if there is neither loop nor branch in it."""
        first = self._ways[0].made
        variables = self._variables()
        cursors = [
            Cursor(i, 0, len(way.made.steps), (*way.made.results, *_final(way.made, variables)))
            for i, way in enumerate(self._ways)
        ]
        top = Meeting(cursors, [way.made.specs for way in self._ways])
        inputs = [
            top.enter(refs) for refs in zip(*[w.made.inputs for w in self._ways], strict=True)
        ]
        numbers = [_numbers(way.made, variables) for way in self._ways]
        read = [top.enter(refs) for refs in zip(*numbers, strict=True)]
        top.lasting.update(zip(*numbers, strict=True))
        self._first = {v._number: n for (v, _), n in zip(variables, read, strict=True)}
        self._go(top)
        ends = [*map(top.find, top.columns)]
        results, values = ends[: len(first.results)], ends[len(first.results) :]
        made = replace(
            first,
            inputs=tuple(inputs),
            reads=tuple([(v, n) for (v, _), n in zip(variables, read, strict=True)]),
            steps=tuple(top.steps),
            results=tuple(results),
            assigns=tuple(
                [(v, ref) for (v, assigned), ref in zip(variables, values, strict=True) if assigned]
            ),
            rereads=self._rereads,
            specs=top.specs,
        )
        return made if bodies(made) else None

    def _variables(self) -> list[tuple[Variable, bool]]:
        """The variables that are read on any way, and whether they are assigned on any."""
        assigned = {id(v) for way in self._ways for v, _ in way.made.assigns}
        found = {id(v): v for way in self._ways for v, _ in way.made.reads}
        return [(v, each in assigned) for each, v in found.items()]

    # -- steps that are taken on all ways --------------------------------------------------------

    def _go(self, meeting: Meeting) -> None:
        """Take all steps of a meeting of ways, from where they start to where they stop."""
        cursors = meeting.cursors
        at = [each.start for each in cursors]
        while at[0] < cursors[0].stop:
            if any([p >= each.stop for p, each in zip(at, cursors, strict=True)]):
                raise NoLoop
            items = [self._item(each, p) for p, each in zip(at, cursors, strict=True)]
            if isinstance(items[0], Step):
                self._take(meeting, items)
                at = [p + 1 for p in at]
            else:
                at = self._look(meeting, at, items)
        if at != [each.stop for each in cursors]:
            raise NoLoop

    def _item(self, cursor: Cursor, position: int) -> Step | Guard:
        return self._ways[cursor.way].made.steps[position]

    def _take(self, meeting: Meeting, items: Sequence[Step | Guard]) -> None:
        steps = [each for each in items if isinstance(each, Step)]
        if len(steps) < len(items):
            raise NoLoop
        outputs = meeting.take(steps)
        rereads = self._ways[meeting.cursors[0].way].made
        for old, new in zip(steps[0].outputs, outputs, strict=True):
            if old in rereads.rereads:
                first = rereads.rereads[old]
                variable = next(v for v, n in rereads.reads if n == first)
                self._rereads[new] = self._first[variable._number]

    def _look(self, meeting: Meeting, at: list[int], items: Sequence[Step | Guard]) -> list[int]:
        """Take a look at a value, and all that depends on it; the positions behind that."""
        guards = [each for each in items if isinstance(each, Guard)]
        if len(guards) < len(items) or len({each.look for each in guards}) > 1:
            raise NoLoop
        cursors = meeting.cursors
        watched = meeting.find([each.value for each in guards])
        found = [each.found for each in guards]
        looks = [self._looks[each.way].get(p) for p, each in zip(at, cursors, strict=True)]
        stood = [look for look in looks if look is not None]
        if len(stood) == len(looks) and len({look.state for look in stood}) == 1:
            behind = self._loop(meeting, at, stood[0].state)
            if behind is not None:
                return behind
        if all([guards[0].holds(each) for each in found]):
            self.unseen.append(Unseen(cursors[0].way, at[0]))
            if meeting.around is not None or not isinstance(watched, int):
                raise NoLoop
            meeting.steps.append(Guard(watched, guards[0].look, guards[0].found))
            return [p + 1 for p in at]
        if guards[0].look is not truth:
            raise NoLoop
        return self._branch(meeting, at, [bool(each) for each in found], watched)

    # -- loops -----------------------------------------------------------------------------------

    def _loop(self, meeting: Meeting, at: list[int], state: Hashable) -> list[int] | None:
        """Take a loop that begins in this state, if there is one; the positions behind it."""
        cursors = meeting.cursors
        stops = [
            [q for q in self._places[each.way][state] if p <= q < each.stop]
            for p, each in zip(at, cursors, strict=True)
        ]
        turns: list[Cursor] = []
        leaving: list[tuple[Ref, ...]] = []
        owners, stays, leaves = list[int](), set[bool](), set[bool]()
        for i, (each, qs) in enumerate(zip(cursors, stops, strict=True)):
            turns += [Cursor(each.way, q + 1, p, self._refs(each, p)) for q, p in pairwise(qs)]
            owners += [i] * (len(qs) - 1)
            stays.update(self._found(each, q) for q in qs[:-1])
            leaves.add(self._found(each, qs[-1]))
            leaving.append(self._refs(each, qs[-1]))
        if len(stays) != 1 or stays & leaves or state in self._no_loops:
            return None
        entries = [self._refs(each, p) for p, each in zip(at, cursors, strict=True)]
        changing = {
            k
            for turn, owner in zip(turns, owners, strict=True)
            for k, entry in enumerate(entries[owner])
            if not is_same(entry, self._refs(turn, turn.start - 1)[k])
            or not is_same(entry, turn.ends[k])
        }
        kept = self._different(turns, owners)
        whole = all([self._looks[each.way][p].whole for each, p in zip(cursors, at, strict=True)])
        body = meeting.within([turns[i] for i in kept], [owners[i] for i in kept], whole)
        begins = [self._refs(each, each.start - 1) for each in body.cursors]
        try:
            carrying = body.carry(entries, begins, changing)
            self._go(body)
            outputs = meeting.loop(body, carrying, *stays)
        except NoLoop:
            self._no_loops.add(state)
            return None
        values = [
            outputs[carrying.places[k]] if k in carrying.places else meeting.find(refs)
            for k, refs in enumerate(zip(*entries, strict=True))
        ]
        meeting.know_only([*zip(zip(*leaving, strict=True), values, strict=True)], whole)
        return [qs[-1] + 1 for qs in stops]

    def _different(self, turns: Sequence[Cursor], owners: Sequence[int]) -> list[int]:
        """The places of turns of each kind, and of the first one on each way.

        Those that found the same are of one kind.
        """
        first = {owner: i for i, owner in reversed([*enumerate(owners)])}
        counts: Counter[tuple[object, ...]] = Counter()
        kept = []
        for i in reversed(range(len(turns))):
            steps = self._ways[turns[i].way].made.steps[turns[i].start : turns[i].stop]
            found = tuple([str(each.found) for each in steps if isinstance(each, Guard)])
            counts[found] += 1
            if counts[found] <= _ENOUGH or first[owners[i]] == i:
                kept.append(i)
        return kept

    def _found(self, cursor: Cursor, position: int) -> bool:
        guard = self._item(cursor, position)
        return isinstance(guard, Guard) and bool(guard.found)

    def _refs(self, cursor: Cursor, position: int) -> tuple[Ref, ...]:
        return self._looks[cursor.way][position].refs

    # -- branches --------------------------------------------------------------------------------

    def _branch(
        self, meeting: Meeting, at: list[int], found: list[bool], watched: Ref
    ) -> list[int]:
        """Take both ways behind a look, up to where they meet; the positions of that."""
        meets = self._meets(meeting, at)
        parts = [
            each._replace(
                start=p + 1, stop=q, ends=self._refs(each, q) if q < each.stop else each.ends
            )
            for each, p, q in zip(meeting.cursors, at, meets, strict=True)
        ]
        sides = []
        for side in (True, False):
            owners = [i for i, each in enumerate(found) if each is side]
            sides.append(meeting.within([parts[i] for i in owners], owners))
            self._go(sides[-1])
        values = meeting.branch(watched, *sides)
        whole = all(
            [
                p == each.stop or self._looks[each.way][p].whole
                for each, p in zip(meeting.cursors, meets, strict=True)
            ]
        )
        refs = zip(*[each.ends for each in parts], strict=True)
        meeting.know_only([*zip(refs, values, strict=True)], whole)
        return meets

    def _meets(self, meeting: Meeting, at: list[int]) -> list[int]:
        """The first positions at which all ways stand in one state; else where they stop."""
        lead, *others = zip(meeting.cursors, at, strict=True)
        for look in self._ways[lead[0].way].looks:
            if not lead[1] < look.position < lead[0].stop:
                continue
            met = [look.position]
            for cursor, p in others:
                places = self._places[cursor.way].get(look.state, [])
                i = bisect_right(places, p)
                if i < len(places) and places[i] < cursor.stop:
                    met.append(places[i])
            if len(met) == len(at):
                return met
        return [each.stop for each in meeting.cursors]


def _numbers(made: Recording, variables: Sequence[tuple[Variable, bool]]) -> list[int]:
    """The first values of these variables, by numbers of which those not read here have none."""
    read = {id(v): n for v, n in made.reads}
    return [read.get(id(v), -1 - i) for i, (v, _) in enumerate(variables)]


def _final(made: Recording, variables: Sequence[tuple[Variable, bool]]) -> list[Ref]:
    """The values that these variables have in the end."""
    assigned = {id(v): ref for v, ref in made.assigns}
    numbers = _numbers(made, variables)
    return [assigned.get(id(v), n) for (v, _), n in zip(variables, numbers, strict=True)]
