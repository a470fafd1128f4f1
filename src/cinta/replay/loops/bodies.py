"""One turn of a loop as a recording, and the loop as a step."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.recorders import next_number
from ..recording import Constant, Recording, Spec, Step
from .loop_ops import Loop, Numbered
from .numbers import alike
from .references import Carried, Fixed, OfTurn, Sliced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..recording import Ref
    from .references import Slot, Template, Turns
    from .stacks import Stacks

_LARGE = 1024
"""Constants of more elements are given to the body from outside."""


class Body:
    """A loop that was found."""

    def __init__(
        self, turns: Turns, templates: Sequence[Template], of: Recording, first: int = 0
    ) -> None:
        """``first`` is the place in the turn at which the templates begin."""
        self.stretch = turns.stretch
        self._turns, self._of = turns, of
        self._specs: dict[int, Spec] = {}
        self._number: dict[OfTurn, int] = {}
        self._fixed: dict[Any, tuple[int, Ref]] = {}
        self._sliced: dict[Any, tuple[int, tuple[Ref, ...]]] = {}
        self._chains: dict[Any, tuple[list[int], Carried]] = {}
        self._count: int | None = None  # the number of the turn, if it is wanted
        self._steps = [self._step(j, template) for j, template in enumerate(templates, first)]

    @property
    def taken(self) -> list[int]:
        """The values from before the loop that it takes."""
        refs = [ref for _, ref in self._fixed.values()]
        refs += [ref for _, many in self._sliced.values() for ref in many]
        refs += [ref for _, carried in self._chains.values() for ref in carried.initial]
        return [ref for ref in refs if isinstance(ref, int)]

    def emit(
        self, stacks: Stacks, wanted: set[int], simpler: Callable[[Recording], Recording]
    ) -> None:
        """Write the loop, with the values that are wanted outside."""
        last, stacked = self._leaving(wanted)
        chains = [*self._chains.values()]
        initial = [ref for _, each in chains for ref in reversed(each.initial)]
        rows = [stacks.stack(refs) for _, refs in self._sliced.values()]
        rows += [Constant(np.arange(self.stretch.turns))] if self._count is not None else []
        inputs = [*initial, *[ref for _, ref in self._fixed.values()]]
        values = [stacks.value(ref) for ref in inputs]
        body = simpler(self._recording(last, stacked))
        body, shared = _each_once(body, len(stacked))
        attrs = {
            "body": body,
            "turns": self.stretch.turns,
            "carried": len(initial),
            "sliced": len(rows),
            "last": len(last),
        }
        made = [self._turns.made(source) for source in stacked]
        carried_out = [next_number() for _ in initial]
        stack_numbers = [next_number() for _ in {*shared}]
        last_numbers = [self._turns.made(source)[-1] for source in last]
        outputs = (*carried_out, *last_numbers, *stack_numbers)
        specs = [body.specs[n] for n in body.inputs[: len(initial)]]
        specs += [stacks.specs[n] for n in last_numbers]
        each = [stacks.specs[made[shared.index(i)][0]] for i, _ in enumerate(stack_numbers)]
        specs += [Spec(one.dtype, (self.stretch.turns, *one.shape)) for one in each]
        given = (*values[: len(initial)], *rows, *values[len(initial) :])
        stacks.add(Step(Loop, given, attrs, outputs, True), specs)
        for i, values_of_turns in zip(shared, made, strict=True):
            stacks.made(stack_numbers[i], values_of_turns)

    # -- for loops of any number of turns --------------------------------------------------------

    @property
    def differs(self) -> bool:
        """Whether it takes something else in each turn."""
        return bool(self._sliced) or self._count is not None

    def take(self, slot: Slot) -> None:
        """Carry what is in this slot, though no step may take it."""
        self._ref(slot)

    def finals(self) -> list[int]:
        """The carried values, as the last turn leaves them."""
        return [
            self._turns.made(each.source)[-1 - i]
            for numbers, each in self._chains.values()
            for i in range(len(numbers))
        ]

    def place_of(self, slot: Carried) -> int:
        """The place of what is in this slot among all that is carried."""
        carried = [n for numbers, _ in self._chains.values() for n in numbers]
        return carried.index(self._carried(slot))

    def carrying(self) -> tuple[Recording, list[Ref]]:
        """The body as a recording that gives what is carried, and what the loop takes."""
        initial = [ref for _, each in self._chains.values() for ref in reversed(each.initial)]
        return self._recording([], []), [*initial, *[ref for _, ref in self._fixed.values()]]

    def _leaving(self, wanted: set[int]) -> tuple[list[OfTurn], list[OfTurn]]:
        """Results used outside of the loop: of its last turn alone, and of other turns too."""
        last, stacked = [], []
        for source in self._number:
            *before, final = self._turns.made(source)
            if not wanted.isdisjoint(before):
                stacked.append(source)
            elif final in wanted:
                last.append(source)
        return last, stacked

    def _recording(self, last: Sequence[OfTurn], stacked: Sequence[OfTurn]) -> Recording:
        chains = [*self._chains.values()]
        inputs = [n for numbers, _ in chains for n in numbers]
        inputs += [n for n, _ in self._sliced.values()]
        inputs += [] if self._count is None else [self._count]
        inputs += [n for n, _ in self._fixed.values()]
        results = [
            n for numbers, each in chains for n in (self._number[each.source], *numbers[:-1])
        ]
        results += [self._number[source] for source in (*last, *stacked)]
        return Recording(
            f"turn of {self._of.name}",
            tuple(inputs),
            (),
            tuple(self._steps),
            tuple(results),
            (),
            {},
            self._specs,
        )

    # -- the steps of a turn ---------------------------------------------------------------------

    def _step(self, place: int, template: Template) -> Step:
        step, slots, attrs = template
        inputs = [self._ref(slot) for slot in slots]
        outputs = tuple([self._new(self._of.specs[n]) for n in step.outputs])
        self._number.update((OfTurn(place, i), n) for i, n in enumerate(outputs))
        if alike((*attrs.values(),), (*step.attrs.values(),)):
            return step._replace(inputs=tuple(inputs), outputs=outputs)
        if self._count is None:
            self._count = self._new(Spec(np.dtype(np.int64), ()))
        named = {"name": step.op.name, "attributes": attrs}
        return Step(Numbered, (self._count, *inputs), named, outputs, step.several, step.place)

    def _ref(self, slot: Slot) -> Ref:
        """How the body names what is in a slot."""
        if isinstance(slot, OfTurn):
            return self._number[slot]
        if isinstance(slot, Carried):
            return self._carried(slot)
        if isinstance(slot, Sliced):
            key = tuple(map(_key, slot.refs))
            if key not in self._sliced:
                self._sliced[key] = self._new(self._spec(slot.refs[0])), slot.refs
            return self._sliced[key][0]
        return self._invariant(slot)

    def _invariant(self, slot: Fixed) -> Ref:
        ref = slot.ref
        if isinstance(ref, Constant) and np.size(ref.value) <= _LARGE:
            return ref
        if _key(ref) not in self._fixed:
            self._fixed[_key(ref)] = self._new(self._spec(ref)), ref
        return self._fixed[_key(ref)][0]

    def _carried(self, slot: Carried) -> int:
        """A value that was made so many turns before is handed on from turn to turn."""
        key = slot.source, tuple(map(_key, slot.initial))
        if key not in self._chains:
            spec = self._spec(slot.initial[0])
            self._chains[key] = [self._new(spec) for _ in slot.initial], slot
        return self._chains[key][0][-1]

    def _spec(self, ref: Ref) -> Spec:
        return self._of.specs[ref] if isinstance(ref, int) else Spec.of(np.asarray(ref.value))

    def _new(self, spec: Spec) -> int:
        number = next_number()
        self._specs[number] = spec
        return number


def _each_once(body: Recording, stacked: int) -> tuple[Recording, list[int]]:
    """The body with no value twice among its last results; which of them each was."""
    middle = len(body.results) - stacked
    last = body.results[middle:]
    once = list(dict.fromkeys(last))
    return replace(body, results=(*body.results[:middle], *once)), [once.index(x) for x in last]


def _key(ref: Ref) -> object:
    """A key of a reference: equal for two only if both are one value."""
    return ref if isinstance(ref, int) else ("constant", id(ref.value))
