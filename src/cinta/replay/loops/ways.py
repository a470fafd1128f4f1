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

from bisect import bisect_left
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ...engine.tensor import truth
from ..recording import Guard, Recording, Step
from .exits import UNKNOWN, Exits, Part, knowing
from .meeting import Cursor, Meeting, is_same
from .references import NoLoop
from .way import Unseen, bodies, first_values, last_values

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from ...engine.variable import Variable
    from ..recording import Ref
    from .exits import Begin, Rename
    from .way import Look, Way


_ENOUGH = 3
"""Turns of one kind from which it can be told what each makes of what the turn before has left."""


def in_one(ways: Sequence[Way], unseen: list[Unseen] | None = None) -> Recording | None:
    """A recording that goes all these ways; None if there is none, or if it is the only way.

    The positions at which a way is missing are added to ``unseen``.
    """
    if len({way.returned for way in ways}) > 1 or not any([way.looks for way in ways]):
        return None
    if any([way.made.spread for way in ways]):
        return None  # values lie on a mesh, which they do by their numbers
    joined = _Ways([way.counting for way in ways] if any([way.draws for way in ways]) else ways)
    try:
        return joined.recording()
    except NoLoop:
        return None
    finally:
        if unseen is not None:
            unseen += joined.unseen


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
            Cursor(
                i, 0, len(way.made.steps), (*way.made.results, *last_values(way.made, variables))
            )
            for i, way in enumerate(self._ways)
        ]
        top = Meeting(cursors, [way.made.specs for way in self._ways])
        inputs = [
            top.enter(refs) for refs in zip(*[w.made.inputs for w in self._ways], strict=True)
        ]
        numbers = [first_values(way.made, variables) for way in self._ways]
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

    def _go(self, meeting: Meeting, begin: Begin | None = None) -> None:
        """Take all steps of a meeting of ways, from where they start to where they stop."""
        at = [each.start for each in meeting.cursors]
        if begin is not None:
            at = begin(meeting, meeting.inherit)
        while at[0] < meeting.cursors[0].stop:
            cursors = meeting.cursors
            if any([p >= each.stop for p, each in zip(at, cursors, strict=True)]):
                raise NoLoop
            items = [self._item(each, p) for p, each in zip(at, cursors, strict=True)]
            if isinstance(items[0], Step):
                self._take(meeting, items)
                at = [p + 1 for p in at]
            else:
                at = self._look(meeting, at, items)
        if at != [each.stop for each in meeting.cursors]:
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
        if not isinstance(watched, int):
            raise NoLoop
        if all([guards[0].holds(each) for each in found]):
            self.unseen.append(Unseen(cursors[0].way, at[0]))
            _require(meeting, watched, guards[0].look, guards[0].found)
            return [p + 1 for p in at]
        if guards[0].look is not truth:
            raise NoLoop
        sides = {
            side: _side(at, looks, [i for i, each in enumerate(found) if bool(each) is side])
            for side in (True, False)
        }
        return self._part(meeting, watched, sides)

    # -- loops -----------------------------------------------------------------------------------

    def _loop(self, meeting: Meeting, at: list[int], state: Hashable) -> list[int] | None:
        """Take a loop that begins in this state, if there is one; the positions behind it."""
        if state in self._no_loops:
            return None
        cursors = meeting.cursors
        stops = [
            [q for q in self._places[each.way][state] if p <= q < each.stop]
            for p, each in zip(at, cursors, strict=True)
        ]
        turns: list[Cursor] = []
        owners, stays = list[int](), set[bool]()
        for i, (each, qs) in enumerate(zip(cursors, stops, strict=True)):
            turns += [Cursor(each.way, q + 1, p, self._refs(each, p)) for q, p in pairwise(qs)]
            owners += [i] * (len(qs) - 1)
            stays.update(self._found(each, q) for q in qs[:-1])
        if len(stays) != 1:
            return None
        behind = [qs[-1] + 1 for qs in stops]
        within = [  # these leave it in a turn, which does not end
            i for i, each in enumerate(cursors) if self._found(each, behind[i] - 1) in stays
        ]
        whole = all([self._looks[each.way][p].whole for each, p in zip(cursors, at, strict=True)])
        if within and not whole:
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
        parts = [turns[i] for i in kept] + [cursors[i]._replace(start=behind[i]) for i in within]
        body = meeting.within(parts, [*[owners[i] for i in kept], *within], whole)
        body.leaving = {*range(len(kept), len(parts))}
        body.exits = exits = Exits(body, self._rereads)
        begins = [self._refs(each, each.start - 1) for each in parts]
        try:
            carrying = body.carry(entries, begins, changing)
            self._go(body)
            outputs = meeting.loop(body, carrying, *stays)
        except NoLoop:
            self._no_loops.add(state)
            return None
        exits.handed = dict(zip(carrying.numbers, outputs, strict=False))
        values = [
            outputs[carrying.places[k]] if k in carrying.places else meeting.find(refs)
            for k, refs in enumerate(zip(*entries, strict=True))
        ]
        through = [i for i in range(len(cursors)) if i not in within]
        leaving = zip(*[self._refs(cursors[i], behind[i] - 1) for i in through], strict=True)
        known = [*zip(leaving, values, strict=False)]
        if not within:
            if body.may_be_left:
                _require(meeting, outputs[-1], truth, False)
            meeting.know_only(known, whole)
            return behind
        if not through:
            self.unseen.append(Unseen(cursors[0].way, behind[0] - 1))
        places = tuple([behind[i] for i in through])
        head = Part(tuple(through), places, None, knowing(known, places))
        return self._behind(meeting, exits, head, outputs[-1])

    def _behind(self, meeting: Meeting, exits: Exits, head: Part, left: int) -> list[int]:
        """Go on behind a loop that is left in several ways; the positions where they meet."""
        parts = {each.number: each.part for each in exits.seen}
        if exits.has_unknown:
            _require(meeting, meeting.equal(left, UNKNOWN), truth, False)
        if head.owners:
            parts[0] = head
        else:
            _require(meeting, left, truth, True)
        return self._parts(meeting, left, parts, lambda n: n)

    def _parts(
        self, meeting: Meeting, left: int, parts: dict[int, Part], rename: Rename
    ) -> list[int]:
        """Take all these ways, of which a number tells which one it is."""
        numbers = [*parts]
        one = _renamed(parts[numbers[0]], rename)
        if len(numbers) == 1:
            assert one.begin is not None
            return one.begin(meeting, lambda n: n)
        owners = tuple(sorted([i for k in numbers[1:] for i in parts[k].owners]))
        at = {i: p for k in numbers[1:] for i, p in zip(parts[k].owners, parts[k].at, strict=True)}

        def begin(target: Meeting, inner: Rename) -> list[int]:
            others = {k: parts[k].among(owners) for k in numbers[1:]}
            return self._parts(target, inner(left), others, lambda n: inner(rename(n)))

        others = Part(owners, tuple([at[i] for i in owners]), None, begin)
        return self._part(meeting, meeting.equal(left, numbers[0]), {True: one, False: others})

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

    def _part(self, meeting: Meeting, watched: int, parts: dict[bool, Part]) -> list[int]:
        """Take both ways behind a look, up to where they meet; the positions of that.

        If all on one of them leave the loop around it, it is left there.
        """
        for answer, part in parts.items():
            others = parts[not answer]
            if meeting.leaving.issuperset(part.owners) and meeting.exits is not None:
                if meeting.leaving.issuperset(others.owners):
                    raise NoLoop
                exit = meeting.exits.leave(meeting, part)
                meeting.steps.append(Guard(watched, truth, not answer, exit))
                others = others.among(meeting.without(part.owners))
                return others.begin(meeting, lambda n: n) if others.begin else [*others.at]
        at = {i: p for x in parts.values() for i, p in zip(x.owners, x.at, strict=True)}
        meets = self._meets(meeting, at)
        ends = {}
        sides = []
        for side in (True, False):
            part, cursors = parts[side], []
            for i in part.owners:
                each = meeting.cursors[i]._replace(start=at[i])
                if i in meets:
                    q = meets[i]
                    ends[i] = self._refs(each, q) if q < each.stop else each.ends
                    each = each._replace(stop=q, ends=ends[i])
                cursors.append(each)
            sides.append(meeting.within(cursors, part.owners))
            self._go(sides[-1], part.begin)
        values = meeting.branch(watched, *sides)
        met = [meets[i] for i in meeting.without(meeting.leaving) if i in meets]
        whole = all(
            [
                p == each.stop or self._looks[each.way][p].whole
                for each, p in zip(meeting.cursors, met, strict=True)
            ]
        )
        refs = zip(*[ends[i] for i in sorted(ends)], strict=True)
        meeting.know_only([*zip(refs, values, strict=True)], whole)
        return met

    def _meets(self, meeting: Meeting, at: dict[int, int]) -> dict[int, int]:
        """The first positions at which all ways stand in one state; else where they stop.

        Those that leave the loop around are not asked.
        """
        lead, *others = staying = [i for i in sorted(at) if i not in meeting.leaving]
        cursors = meeting.cursors
        looks = self._ways[cursors[lead].way].looks
        for look in looks[bisect_left(looks, at[lead], key=lambda x: x.position) :]:
            if look.position >= cursors[lead].stop:
                break
            met = {lead: look.position}
            for i in others:
                places = self._places[cursors[i].way].get(look.state, [])
                j = bisect_left(places, at[i])
                if j < len(places) and places[j] < cursors[i].stop:
                    met[i] = places[j]
            if len(met) == len(staying):
                return met
        return {i: cursors[i].stop for i in staying}


def _side(at: Sequence[int], looks: Sequence[Look | None], owners: Sequence[int]) -> Part:
    """The part of a meeting that finds one thing at a look."""
    known = [each.refs for i in owners if (each := looks[i]) is not None and each.whole]
    refs = tuple(zip(*known, strict=True)) if len(known) == len(owners) else None
    return Part(tuple(owners), tuple([at[i] + 1 for i in owners]), refs)


def _renamed(part: Part, rename: Rename) -> Part:
    """The same in a meeting where values have other numbers."""
    begin = part.begin
    assert begin is not None
    return part._replace(begin=lambda target, inner: begin(target, lambda n: inner(rename(n))))


def _require(meeting: Meeting, watched: int, look: Callable[[Any], Any], found: object) -> None:
    """Require this answer of a look: nobody has seen what Python does for another one."""
    if meeting.exits is not None:
        meeting.exits.has_unknown = True
    exit = 0 if meeting.around is None else UNKNOWN
    meeting.steps.append(Guard(watched, look, found, exit))
