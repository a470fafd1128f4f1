"""The sweeps that give the gradients of sweeps."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.gradient_plan import without_rows
from ...engine.recorders import next_number
from ..recording import Spec
from .arrival_flags import with_flags, with_truths
from .by_python import as_if_by_python
from .flows import TRUTH, Flows
from .one_sided import only_adds_zeros, with_zeros
from .references import NoLoop
from .reversed_turn import Reversed
from .sweeps import Program, Sweep, SweepResult

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ...engine.tensor import Array
    from ..recording import Ref


class GradientPart(NamedTuple):
    """A result that is a part of a gradient, if the truth of another one says so."""

    result: int
    flag: int | None


class Derivative(NamedTuple):
    """The sweeps that give the gradients of a program's inputs.

    They take the inputs, the gradients that have arrived, and arrays of one number. For each input,
    ``parts`` are the results whose sum is its gradient; there is none without any. All this is so
    from some number of turns on.

    Where a value has no gradient in some turn, there are zeros. If rules multiply them by what may
    be infinite or no number, this ``must_be_finite``.
    """

    program: Program
    constants: tuple[tuple[Spec, bool], ...]
    parts: tuple[tuple[GradientPart, ...], ...]
    turns: int
    must_be_finite: bool


class _Handed(NamedTuple):
    """A gradient that is handed from turn to turn: that of a carried value, or the sum of those of
    an input that all turns share.

    ``number`` is the input of the body, ``value`` that by which the gradient comes in a turn,
    ``source`` and ``seed`` are inputs of the op: the one that has the gradient in the end, and the
    gradient that has arrived, if one has.
    """

    number: int
    value: Ref
    source: int
    seed: int | None


def _handed(
    old: Sweep, carried: Sequence[int], fixed: Sequence[int], seeds: dict[int, int]
) -> list[_Handed]:
    return [
        *[_Handed(old.carried[k], old.handed_on[k], old.begin[k], seeds.get(k)) for k in carried],
        *[_Handed(old.same[x], old.same[x], old.fixed[x], None) for x in fixed],
    ]


class DerivativeBuilder:
    """Builds the derivative of a program by the rules of the ops in its bodies.

    The rules do the same in every turn. They run on the values of a first
    turn; if they look at them, there is no derivative for all numbers of turns.
    """

    def __init__(
        self,
        program: Program,
        values: Sequence[Array],
        arrived: dict[int, Array],
        wanted: Sequence[bool],
    ) -> None:
        if program.in_python is not None:
            raise NoLoop
        self._program, self._arrived = program, (*arrived,)
        self._old, self._wanted = [*program.sweeps], wanted
        self._turns = program.first_turns(values)
        self._stacks: list[list[int]] = [[] for _ in program.sweeps]  # of further values
        self._new: list[Sweep] = []
        self._cotangents: dict[
            SweepResult, list[SweepResult]
        ] = {}  # the stacks of gradients of a stack
        self._results: list[SweepResult] = []
        self._parts: list[list[GradientPart]] = [[] for _ in values]
        self._constants: list[tuple[Spec, bool]] = []
        self._fewest = 1
        self._must_be_finite = self._is_inexact = False
        self._given = len(values) + len(arrived)
        self._seeds = {  # the gradients that arrive, as inputs of the op
            program.results[k]: len(values) + i for i, k in enumerate(arrived)
        }
        self._lead = _leading(program, arrived)

    def derivative(self) -> Derivative:
        for i in reversed(range(len(self._old))):
            self._reverse(i)
        forward = [s.stacking(more) for s, more in zip(self._old, self._stacks, strict=True)]
        parts = tuple(map(tuple, self._parts))
        in_python = None
        if self._is_inexact:
            if max(map(len, parts)) > 1:
                raise NoLoop
            in_python = partial(_in_python, self._program, self._arrived, self._wanted, parts)
        program = Program((*forward, *self._new), tuple(self._results), in_python)
        constants = tuple(self._constants)
        return Derivative(program, constants, parts, self._fewest, self._must_be_finite)

    def _reverse(self, i: int) -> None:
        """Add the sweep that goes through the turns of this one the other way."""
        old, pieces = self._old[i], self._pieces(i)
        ends = {k for k in range(len(old.begin)) if SweepResult(i, k) in self._seeds}
        wanted = {n for x, n in zip(old.fixed, old.same, strict=True) if self._is_wanted(x)}
        flows = Flows(old, ends, [ref for ref, _ in pieces], wanted)
        self._fewest = max(self._fewest, flows.turns)
        self._is_inexact |= not (flows.settled and only_adds_zeros(old.body, old.same))
        self._must_be_finite |= self._is_inexact or not flows.live <= ends
        fixed = [x for x, n in enumerate(old.same) if n in wanted and flows.has(n)]
        handed = _handed(old, sorted(flows.live), fixed, self._seeds_of(i))
        if any([flows.has(n) for n in (*[each.number for each in handed], *old.sliced)]):
            self._add_sweep(i, flows, handed, pieces)

    def _seeds_of(self, i: int) -> dict[int, int]:
        """The inputs of the op that are gradients of what a sweep carries, by its place."""
        return {place.position: x for place, x in self._seeds.items() if place.sweep == i}

    def _add_sweep(
        self,
        i: int,
        flows: Flows,
        handed: Sequence[_Handed],
        pieces: Sequence[tuple[Ref, SweepResult]],
    ) -> None:
        """Add the sweep that hands these gradients from turn to turn."""
        old = self._old[i]
        numbers = [each.number for each in handed]
        arriving = [*[each.value for each in handed], *[ref for ref, _ in pieces]]
        like = [old.body.spec_of(n) for n in (*numbers, *[ref for ref, _ in pieces])]
        turn = Reversed(with_zeros(old.body), self._turns[i], arriving, self._led(like))
        flags = {n: next_number() for n in numbers if flows.may_lack(n)}
        self._old[i], whens = with_truths(old, flows, flags)
        truths = {x.value for when in whens for way in when for x in way}
        taken = sorted({*turn.kept, *truths} - {*flags.values()})
        kept = [n for n in taken if n not in old.same]
        same = [n for n in taken if n in old.same]
        stacked = [n for n in old.sliced if flows.has(n) and turn.gradient_of(n) is not None]
        results = [*numbers, *stacked]
        specs = self._led([old.body.specs[n] for n in results])
        body = turn.recording([*turn.arriving, *kept, *same], results, specs)
        new = Sweep(
            with_flags(body, [*flags.values()], whens, len(handed)),
            self._begin(handed, specs, flags),
            (*[piece for _, piece in pieces], *[self._kept(i, n) for n in kept]),
            tuple([old.fixed[old.same.index(n)] for n in same]),
            not old.backwards,
        )
        self._note(new, old, stacked)
        self._note_parts(flows, handed, [*flags])

    def _begin(
        self, handed: Sequence[_Handed], specs: Sequence[Spec], flags: Collection[int]
    ) -> tuple[int, ...]:
        """The inputs with which a sweep begins: gradients, and whether these have arrived."""
        given = [
            self._full(spec, False) if each.seed is None else each.seed
            for each, spec in zip(handed, specs, strict=False)
        ]
        has = [each.seed is not None for each in handed if each.number in flags]
        return (*given, *[self._full(TRUTH, arrived) for arrived in has])

    def _note(self, new: Sweep, old: Sweep, stacked: Sequence[int]) -> None:
        """Know a new sweep, which stacks the gradients of these inputs of an old one."""
        place = len(self._old) + len(self._new)
        self._new.append(new)
        for k, n in enumerate(stacked):
            stack = old.rows[old.sliced.index(n)]
            self._cotangents.setdefault(stack, []).append(SweepResult(place, k))

    def _note_parts(self, flows: Flows, handed: Sequence[_Handed], flagged: list[int]) -> None:
        """Know the gradients that the last new sweep gives, and by which flags."""
        place = len(self._old) + len(self._new) - 1
        for position, (n, _, source, _) in enumerate(handed):
            if flows.has(n) and self._is_wanted(source):
                flag = None
                if n in flagged:
                    flag = self._result(place, len(handed) + flagged.index(n))
                self._parts[source].append(GradientPart(self._result(place, position), flag))

    def _pieces(self, i: int) -> list[tuple[Ref, SweepResult]]:
        """The values that a sweep stacks and that have gradients, with the stacks of these."""
        return [
            (ref, place)
            for k, ref in enumerate(self._old[i].stacked)
            for place in self._cotangents.get(SweepResult(i, k), ())
        ]

    def _result(self, sweep: int, position: int) -> int:
        """A further result of the program."""
        self._results.append(SweepResult(sweep, position))
        return len(self._results) - 1

    def _led(self, specs: Sequence[Spec]) -> list[Spec]:
        """The gradients of such values."""
        return [Spec(spec.dtype, (*self._lead, *spec.shape)) for spec in specs]

    def _is_wanted(self, i: int) -> bool:
        """Whether the gradient of an input is wanted."""
        return i < len(self._wanted) and self._wanted[i]

    def _full(self, spec: Spec, number: bool) -> int:
        """The input that is an array of zeros or ones."""
        self._constants.append((spec, number))
        return self._given + len(self._constants) - 1

    def _kept(self, i: int, n: int) -> SweepResult:
        """Where the values of all turns stand that this sweep makes or takes."""
        old, more = self._old[i], self._stacks[i]
        if n in old.sliced:
            return old.rows[old.sliced.index(n)]
        if n in old.stacked:
            return SweepResult(i, old.stacked.index(n))
        if n not in more:
            more.append(n)
        return SweepResult(i, len(old.stacked) + more.index(n))


def _in_python(
    program: Program,
    arrived: Sequence[int],
    wanted: Sequence[bool],
    parts: Sequence[Sequence[GradientPart]],
    turns: int,
    values: Sequence[Any],
) -> list[Any]:
    """The results of the derivative of a program by the ops that Python would call."""
    given, more = values[: len(parts)], values[len(parts) :]
    upstream = dict(zip(arrived, more, strict=False))
    found = without_rows(as_if_by_python(partial(program.played, turns), upstream, wanted, given))
    results: dict[int, Any] = {}
    for gradient, own in zip(found, parts, strict=True):
        for result, flag in own:
            results[result] = gradient
            if flag is not None:
                results[flag] = np.bool_(gradient is not None)
    return [results[i] for i in range(len(results))]


def _leading(program: Program, arrived: dict[int, Array]) -> tuple[int, ...]:
    """The axes that gradients have in front of those of the values."""
    for k, g in arrived.items():
        sweep, position = program.results[k]
        old = program.sweeps[sweep]
        rank = len(old.body.specs[old.carried[position]].shape)
        if g.ndim > rank:
            lead: tuple[int, ...] = g.shape[: g.ndim - rank]
            return lead
    return ()
