"""Where several ways of Python through a function take the same steps: these as one.

A value has a number on each way, and these numbers together, in the order of the ways, tell which
value of the common steps it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...engine.recorders import next_number
from ...engine.tensor import truth
from ...ops.elementwise.comparison import Equal
from ..recording import PASSED_ON, Constant, Guard, Recording, Spec, Step, uses
from .loop_ops import Branch, While
from .numbers import alike
from .references import NoLoop

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ..recording import Ref
    from .exits import Exits


_EITHER = 0
"""In place of a number: there are several values of which it cannot be told which one it is."""


_NUMBER, _TRUTH = Spec(np.dtype(np.int64), ()), Spec(np.dtype(bool), ())


class Cursor(NamedTuple):
    """A part of a way: from one position to another, where these values are known.

    The same way may have several, which are turns of a loop.
    """

    way: int
    start: int
    stop: int
    ends: tuple[Ref, ...]


class Carrying(NamedTuple):
    """The values that a loop carries: which of those that Python knows, and their numbers in it."""

    slots: tuple[int, ...]
    numbers: tuple[int, ...]
    initial: tuple[Ref, ...]
    places: dict[int, int]
    """Where among these the values of all slots are, of which several may hold one value."""


class Meeting:
    """The steps that these parts of ways have in common."""

    def __init__(
        self,
        cursors: Sequence[Cursor],
        specs: Sequence[dict[int, Spec]],
        around: Meeting | None = None,
        owners: Sequence[int] = (),
    ) -> None:
        """``owners`` tells of which parts, in the steps around, these are parts themselves."""
        self.cursors, self._of = cursors, specs
        self.around, self.owners = around, owners
        self.leaving: set[int] = set()  # the places of parts that leave the loop around all this
        self.exits: Exits | None = None  # of that loop
        self.steps: list[Step | Guard] = []
        self.specs: dict[int, Spec] = {}
        self.taken: dict[int, int] = {}  # values from around, by their numbers there
        self.lasting: set[tuple[object, ...]] = set()  # the first values of variables
        self._known: dict[tuple[object, ...], int] = {}
        self._made: set[int] = set()  # here, so that nothing around has the numbers of these
        self._closed = False  # whether Python knows nothing else but the first values of variables
        self._by_value: dict[int, dict[object, list[tuple[object, ...]]]] = {}

    def within(
        self, cursors: Sequence[Cursor], owners: Sequence[int], closed: bool = False
    ) -> Meeting:
        """The meeting of parts of these parts; a closed one knows nothing that it is not told."""
        found = Meeting(cursors, self._of, self, owners)
        found._closed = closed
        found.exits = self.exits
        found.leaving = {i for i, owner in enumerate(owners) if owner in self.leaving}
        return found

    def without(self, gone: Collection[int]) -> list[int]:
        """Go on without the parts at these places; the places of the others, as they were."""
        kept = [i for i in range(len(self.cursors)) if i not in gone]
        if len(kept) < len(self.cursors):
            known, self._known = self._known, {}
            self._by_value.clear()
            self.cursors = [self.cursors[i] for i in kept]
            self.owners = [self.owners[i] for i in kept]
            self.leaving = {new for new, old in enumerate(kept) if old in self.leaving}
            self.lasting = {tuple([key[i] for i in kept]) for key in self.lasting}
            for key, number in known.items():
                self._know(tuple([key[i] for i in kept]), number)
        return kept

    # -- values ----------------------------------------------------------------------------------

    def enter(self, refs: Sequence[int]) -> int:
        """Know a value from outside by a number of its own."""
        specs = [self._of[x.way].get(n) for x, n in zip(self.cursors, refs, strict=True)]
        spec = next(each for each in specs if each is not None)
        number = self.new(spec)
        self.know(refs, number)
        return number

    def know(self, refs: Sequence[Ref], number: int) -> None:
        """Know the value with these numbers by this one; ``_EITHER`` if it could be another too."""
        self._know(tuple(map(_key, refs)), number)

    def _know(self, key: tuple[object, ...], number: int) -> None:
        if key in self._known:
            self._known[key] = number if self._known[key] == number else _EITHER
            return
        self._known[key] = number
        for i, index in self._by_value.items():
            index.setdefault(key[i], []).append(key)

    def find(self, refs: Sequence[Ref], places: Sequence[int] | None = None) -> Ref:
        """The value with these numbers, of all parts or of those at these places."""
        found = self._found([*range(len(refs))] if places is None else places, refs)
        if found is not None:
            return found
        first = refs[0]
        if isinstance(first, Constant) and all([is_same(first, ref) for ref in refs]):
            return first
        raise NoLoop

    def _found(
        self, places: Sequence[int], refs: Sequence[Ref], lasting: bool = False
    ) -> int | None:
        """A value with these numbers on the ways at these places; None if there is none.

        Two values, here or around, may have one number on some ways though they differ on others.
        """
        keys, (first, *_) = [*map(_key, refs)], places
        if first not in self._by_value:
            index = self._by_value[first] = {}
            for key in self._known:
                index.setdefault(key[first], []).append(key)
        found = {
            self._known[key]
            for key in self._by_value[first].get(keys[0], ())
            if all([key[i] == mine for i, mine in zip(places, keys, strict=True)])
            and (not lasting or key in self.lasting)
        }
        if self.around is not None and not found & self._made:
            owners = [self.owners[i] for i in places]
            outer = self.around._found(owners, refs, lasting or self._closed)
            found.update(() if outer is None else [self.inherit(outer)])
        if len(found) > 1 or _EITHER in found:
            raise NoLoop
        return next(iter(found), None)

    def inherit(self, outer: int) -> int:
        """The number here of a value from around."""
        assert self.around is not None
        if outer not in self.taken:
            self.taken[outer] = self.new(self.around.specs[outer])
        return self.taken[outer]

    def know_only(self, values: Sequence[tuple[Sequence[Ref], Ref]], whole: bool) -> None:
        """Know these values by their numbers, and nothing else if they are all that Python knows,
        but for what variables hold."""
        if whole:
            self._known = {key: n for key, n in self._known.items() if key in self.lasting}
            self._by_value.clear()
            self._closed = True
        for refs, ref in values:
            if isinstance(ref, int):
                self.know(refs, ref)

    def new(self, spec: Spec) -> int:
        """The number of a new value."""
        number = next_number()
        self.specs[number] = spec
        return number

    def make(self, spec: Spec) -> int:
        """The number of a value that a step makes here."""
        number = self.new(spec)
        self._made.add(number)
        return number

    def spec_of(self, ref: Ref) -> Spec:
        """The spec of a value."""
        return self.specs[ref] if isinstance(ref, int) else Spec.of(np.asarray(ref.value))

    # -- steps -----------------------------------------------------------------------------------

    def take(self, steps: Sequence[Step]) -> tuple[int, ...]:
        """Take a step that is the same on all ways; the numbers of its results."""
        first, *others = steps
        if first.op.effects and self.around is not None:
            raise NoLoop
        if not all([does_the_same(first, other) for other in others]):
            raise NoLoop
        inputs = [self.find(refs) for refs in zip(*[each.inputs for each in steps], strict=True)]
        outputs = []
        for refs in zip(*[each.outputs for each in steps], strict=True):
            specs = [self._of[x.way][n] for x, n in zip(self.cursors, refs, strict=True)]
            if len({*specs}) > 1:
                raise NoLoop
            outputs.append(self.make(specs[0]))
            self.know(refs, outputs[-1])
        self.steps.append(first._replace(inputs=tuple(inputs), outputs=tuple(outputs)))
        return tuple(outputs)

    def equal(self, value: int, number: int) -> int:
        """Take a step that tells whether a value is this number."""
        found = self.make(_TRUTH)
        inputs = value, Constant(np.int64(number))
        self.steps.append(Step(Equal, inputs, {}, (found,), False))
        return found

    def recording(self, inputs: Sequence[int], results: Sequence[Ref]) -> Recording:
        """The steps as the body of a loop or of one side of a branch."""
        steps = tuple(self.steps)
        return Recording("turn", tuple(inputs), (), steps, tuple(results), (), {}, self.specs)

    # -- loops and branches ------------------------------------------------------------------------

    def carry(
        self,
        entries: Sequence[tuple[Ref, ...]],
        begins: Sequence[tuple[Ref, ...]],
        changing: set[int],
    ) -> Carrying:
        """Take what the turns of a loop hand on, of what is known as they begin.

        ``changing`` are the slots whose value is not the same in all turns.
        """
        assert self.around is not None
        slots, numbers, places = list[int](), list[int](), dict[int, int]()
        initial: list[Ref] = []
        met: dict[tuple[object, ...], int] = {}
        for k in range(len(begins[0])):
            before = [refs[k] for refs in begins]
            after = [x.ends[k] for i, x in enumerate(self.cursors) if i not in self.leaving]
            entry = [refs[k] for refs in entries]
            if k not in changing:
                fixed = self.around.find(entry)
                if isinstance(fixed, int):
                    self.know(before, self.inherit(fixed))
                continue
            key = tuple(map(_key, (*entry, *before, *after)))
            if key not in met:
                met[key] = len(slots)
                initial.append(self.around.find(entry))
                numbers.append(self.new(self.around.spec_of(initial[-1])))
                self.know(before, numbers[-1])
                slots.append(k)
            places[k] = met[key]
        return Carrying(tuple(slots), tuple(numbers), tuple(initial), places)

    def loop(self, body: Meeting, carrying: Carrying, found: bool) -> list[int]:
        """Take a loop with this body; the numbers of what it carries, as it ends, of the number of
        turns, and of how it is left, if it can be within a turn."""
        if 0 not in carrying.places:
            raise NoLoop  # it always looks at the same value
        handed = [body.find([each.ends[k] for each in body.cursors]) for k in carrying.slots]
        specs = [body.specs[n] for n in carrying.numbers]
        if specs != [body.spec_of(ref) for ref in handed]:
            raise NoLoop
        taken = body.taken_for(handed)
        attrs = {
            "body": body.recording([*carrying.numbers, *taken.values()], handed),
            "carried": len(handed),
            "watched": carrying.places[0],
            "found": found,
        }
        outputs = [*map(self.new, (*specs, _NUMBER, *([_NUMBER] if body.may_be_left else [])))]
        inputs = (*carrying.initial, *taken)
        self.steps.append(Step(While, inputs, attrs, tuple(outputs), True))
        return outputs

    def branch(self, watched: Ref, then: Meeting, otherwise: Meeting) -> list[Ref]:
        """Take a branch with these sides; the values that are known as they meet."""
        pairs = [
            (then.find(mine), otherwise.find(theirs))
            for mine, theirs in zip(then.columns, otherwise.columns, strict=True)
        ]
        numbers: dict[tuple[object, ...], int] = {}
        results: list[tuple[Ref, Ref]] = []
        made: list[Ref] = []
        for one, other in pairs:
            before = then.from_around(one)
            if before is not None and before == otherwise.from_around(other):
                made.append(before)
                continue
            if is_same(one, other):
                made.append(one)
                continue
            key = _key(one), _key(other)
            if key not in numbers:
                spec = then.spec_of(one)
                if spec != otherwise.spec_of(other):
                    raise NoLoop
                numbers[key] = self.new(spec)
                results.append((one, other))
            made.append(numbers[key])
        may_be_left = then.may_be_left or otherwise.may_be_left
        if not results and not may_be_left:
            return made
        inputs = [*dict.fromkeys((*then.taken, *otherwise.taken))]
        sides = [
            side.recording(
                [side.taken.get(n) or side.new(self.specs[n]) for n in inputs],
                [pair[i] for pair in results],
            )
            for i, side in enumerate((then, otherwise))
        ]
        attrs = {"then": sides[0], "otherwise": sides[1]}
        outputs = (*numbers.values(), *([self.new(_NUMBER)] if may_be_left else []))
        self.steps.append(Step(Branch, (watched, *inputs), attrs, outputs, True))
        if may_be_left:
            exit = 0 if self.around is None else PASSED_ON
            self.steps.append(Guard(outputs[-1], truth, False, exit))
        return made

    @property
    def may_be_left(self) -> bool:
        """Whether there are guards in it, where a loop or a branch would be left."""
        return any([type(step) is Guard for step in self.steps])

    @property
    def columns(self) -> list[tuple[Ref, ...]]:
        """The values that are known at the end, each by its numbers on the ways."""
        return [*zip(*[each.ends for each in self.cursors], strict=True)]

    def taken_for(self, results: Sequence[Ref]) -> dict[int, int]:
        """The values from around that the steps and these results use."""
        used = {n for step in self.steps for n in uses(step)}.union(results)
        return {outer: n for outer, n in self.taken.items() if n in used}

    def from_around(self, ref: Ref) -> int | None:
        """The number around it of a value that it has taken from there."""
        return next((outer for outer, n in self.taken.items() if n == ref), None)


def _key(ref: Ref) -> object:
    return ref if isinstance(ref, int) else ("constant", id(ref.value))


def is_same(one: Ref, other: Ref) -> bool:
    """Whether these are one value."""
    if isinstance(one, Constant) and isinstance(other, Constant):
        return alike(one.value, other.value)
    return one == other


def does_the_same(one: Step, other: Step) -> bool:
    """Whether two steps are the same but for the values that they take and make."""
    return (
        one.op is other.op
        and one.several == other.several
        and len(one.inputs) == len(other.inputs)
        and len(one.outputs) == len(other.outputs)
        and one.attrs.keys() == other.attrs.keys()
        and alike((*one.attrs.values(),), tuple([other.attrs[k] for k in one.attrs]))
    )
