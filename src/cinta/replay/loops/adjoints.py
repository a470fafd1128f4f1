"""The gradient of a loop of any number of turns: sweeps through its turns, there and back."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ...dtypes import is_differentiable
from ...engine import recorders
from ...engine.primitives import Identity
from ...engine.recorders import Recorder, active
from ...engine.sweep import sweep as swept
from ...engine.tensor import Tensor, as_wrapped
from ..gradient_steps import gradient_steps
from ..recording import Constant, Recording, Spec
from .flows import TRUTH, Flows
from .into_sides import with_steps_in_sides
from .one_sided import telling, with_flags, with_zeros
from .references import NoLoop
from .sweeps import Program, Sweep, SweepResult, Sweeps
from .way import without_exits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.tensor import Array
    from ..recording import Ref

_programs: WeakKeyDictionary[Recording, Program] = WeakKeyDictionary()
_derivatives: WeakKeyDictionary[Program, dict[Any, Derivative | None]] = WeakKeyDictionary()


class GradientPart(NamedTuple):
    """A result that is a part of a gradient, if the truth of another one says so."""

    result: int
    flag: int | None


class Derivative(NamedTuple):
    """The sweeps that give the gradients of a program's inputs.

    They take the inputs, the gradients that have arrived, and arrays of zeros. For each input,
    ``parts`` are the results whose sum is its gradient; there is none without any. All this is so
    from some number of turns on.
    """

    program: Program
    zeros: tuple[Spec, ...]
    parts: tuple[tuple[GradientPart, ...], ...]
    turns: int


def as_program(body: Recording, carried: int) -> Program:
    """A loop with this body as a program that gives all that it carries."""
    found = _programs.get(body)
    if found is None:
        begin, fixed = range(carried), range(carried, len(body.inputs))
        turn = with_steps_in_sides(without_exits(body))
        sweep = Sweep(turn, tuple(begin), (), tuple(fixed), backwards=False)
        found = _programs[body] = Program((sweep,), tuple([SweepResult(0, k) for k in begin]))
    return found


def gradients(
    program: Program, g: Sequence[Any], wanted: Sequence[bool], count: Any, values: Sequence[Any]
) -> list[Any]:
    """The gradients of a program's values, for those of its results that have one."""
    arrived = {k: each for k, each in enumerate(g) if each is not None}
    arrays = [_array(x) for x in values]
    derivative = None
    if bool(count):  # which is a guard, as are those below
        like = {k: _array(x) for k, x in arrived.items()}
        derivative = _derivative(program, arrays, like, wanted)
    if derivative is None or not bool(count >= derivative.turns):
        turns = int(count)
        return as_if_by_python(partial(program.played, turns), arrived, wanted, values)
    if not derivative.program.results:
        return [None] * len(values)
    zeros = [np.zeros(spec.shape, spec.dtype) for spec in derivative.zeros]
    found = Sweeps(count, *values, *arrived.values(), *zeros, program=derivative.program)
    return [_sum(parts, found) for parts in derivative.parts]


def _sum(parts: Sequence[GradientPart], found: Any) -> object:
    total = None
    for result, flag in parts:
        if flag is None or bool(found[flag]):  # which is a guard
            total = found[result] if total is None else total + found[result]
    return total


def _array(value: object) -> Any:
    return as_wrapped(value)._array


def _derivative(
    program: Program, values: Sequence[Array], arrived: dict[int, Array], wanted: Sequence[bool]
) -> Derivative | None:
    """The derivative for gradients of this kind; None if it depends on the number of turns."""
    kind = tuple(wanted), *[(k, g.dtype, g.shape) for k, g in arrived.items()]
    known = _derivatives.setdefault(program, {})
    if kind not in known:
        try:
            known[kind] = _Builder(program, values, arrived, wanted).derivative()
        except NoLoop:
            known[kind] = None
    return known[kind]


class _Builder:
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
        self._old, self._wanted = [*program.sweeps], wanted
        self._turns = program.first_turns(values)
        self._stacks: list[list[int]] = [[] for _ in program.sweeps]  # of further values
        self._new: list[Sweep] = []
        self._cotangents: dict[
            SweepResult, list[SweepResult]
        ] = {}  # the stacks of gradients of a stack
        self._results: list[SweepResult] = []
        self._parts: list[list[GradientPart]] = [[] for _ in values]
        self._zeros: list[Spec] = []
        self._fewest = 1
        self._given = len(values) + len(arrived)
        self._seeds = {  # the gradients that arrive, as inputs of the op
            program.results[k]: len(values) + i for i, k in enumerate(arrived)
        }
        self._lead = _leading(program, arrived)

    def derivative(self) -> Derivative:
        for i in reversed(range(len(self._old))):
            self._reverse(i)
        forward = [s.stacking(more) for s, more in zip(self._old, self._stacks, strict=True)]
        program = Program((*forward, *self._new), tuple(self._results))
        parts = tuple(map(tuple, self._parts))
        return Derivative(program, tuple(self._zeros), parts, self._fewest)

    def _reverse(self, i: int) -> None:
        """Add the sweep that goes through the turns of this one the other way."""
        old = self._old[i]
        pieces = self._pieces(i)
        ends = {k for k in range(len(old.begin)) if SweepResult(i, k) in self._seeds}
        wanted = {n for x, n in zip(old.fixed, old.same, strict=True) if self._is_wanted(x)}
        flows = Flows(old, ends, [ref for ref, _ in pieces], wanted)
        self._fewest = max(self._fewest, flows.turns)
        carried = sorted(flows.live)
        fixed = [x for x, n in enumerate(old.same) if n in wanted and flows.has(n)]
        rows = [r for r, n in enumerate(old.sliced) if flows.has(n)]
        if not (fixed or rows or any([flows.has(old.carried[k]) for k in carried])):
            return
        handed = [*[old.carried[k] for k in carried], *[old.same[x] for x in fixed]]
        arriving = [*[old.handed_on[k] for k in carried], *[old.same[x] for x in fixed]]
        arriving += [ref for ref, _ in pieces]
        like = [old.body.spec_of(n) for n in (*handed, *[ref for ref, _ in pieces])]
        body = with_zeros(old.body, old.same)
        turn = Reversed(body, self._turns[i], arriving, self._led(like))
        flagged = [n for n in handed if n in flows.sometimes]
        told, truths = telling(old.body, [flows.sometimes[n] for n in flagged])
        self._old[i] = old._replace(body=told)
        taken = sorted({*turn.kept, *truths})
        kept = [n for n in taken if n not in old.same]
        same = [n for n in taken if n in old.same]
        stacked = [r for r in rows if turn.gradient_of(old.sliced[r]) is not None]
        results = [*handed, *[old.sliced[r] for r in stacked]]
        specs = [old.body.specs[n] for n in results]
        seeds = [self._seeds.get(SweepResult(i, k)) for k in carried] + [None] * len(fixed)
        begin = [
            self._zero(spec) if n is None else n
            for n, spec in zip(seeds, self._led(like), strict=False)
        ]
        begin += [self._zero(TRUTH) for _ in flagged]
        place = len(self._old) + len(self._new)
        reversed_turn = turn.recording([*turn.arriving, *kept, *same], results, self._led(specs))
        self._new.append(
            Sweep(
                with_flags(reversed_turn, truths, len(handed)),
                tuple(begin),
                (*[piece for _, piece in pieces], *[self._kept(i, n) for n in kept]),
                tuple([old.fixed[old.same.index(n)] for n in same]),
                not old.backwards,
            )
        )
        for k, r in enumerate(stacked):
            self._cotangents.setdefault(old.rows[r], []).append(SweepResult(place, k))
        sources = [*[old.begin[k] for k in carried], *[old.fixed[x] for x in fixed]]
        flags = {n: len(handed) + j for j, n in enumerate(flagged)}
        for position, (source, n) in enumerate(zip(sources, handed, strict=True)):
            if flows.has(n) and self._is_wanted(source):
                flag = self._result(place, flags[n]) if n in flags else None
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

    def _zero(self, spec: Spec) -> int:
        """The input that is an array of zeros."""
        self._zeros.append(spec)
        return self._given + len(self._zeros) - 1

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


class Reversed:
    """Run the rules of a body's ops in a turn, for gradients that arrive at these values."""

    def __init__(
        self, body: Recording, values: dict[int, Any], at: Sequence[Ref], specs: Sequence[Spec]
    ) -> None:
        upstream = [
            (ref if isinstance(ref, int) else 0, np.zeros(spec.shape, spec.dtype))
            for ref, spec in zip(at, specs, strict=True)
        ]
        sources = [n for n in body.inputs if is_differentiable(body.specs[n].dtype)]
        found = gradient_steps(body, body.inputs, values, sources, upstream, dense=True)
        made = self._made = found.made
        happens = any([step.op.effects for step in made.calls])
        if found.refused or made.reads or made.assigns or made.guards or happens:
            raise NoLoop
        self.arriving, self.kept = made.inputs, found.kept
        results = iter(made.results)
        self._gradients = {
            n: None if g is None else next(results)
            for n, g in zip(sources, found.gradients, strict=True)
        }

    def gradient_of(self, n: int) -> Ref | None:
        """The gradient of an input; None without one."""
        return self._gradients[n]

    def recording(
        self, inputs: Sequence[int], of: Sequence[int], specs: Sequence[Spec]
    ) -> Recording:
        """These steps as a body that takes these values and gives the gradients of those."""
        results = []
        for n, spec in zip(of, specs, strict=True):
            ref = self._gradients[n]
            ref = Constant(np.zeros(spec.shape, spec.dtype)) if ref is None else ref
            if self._made.spec_of(ref) != spec:
                raise NoLoop
            results.append(ref)
        return replace(self._made, inputs=tuple(inputs), results=tuple(results))


def as_if_by_python(
    run: Callable[[Sequence[Tensor]], Sequence[Any]],
    arrived: dict[int, Any],
    wanted: Sequence[bool],
    values: Sequence[Any],
) -> list[Any]:
    """The gradients of a function's inputs on a tape that hears of each of its ops."""
    tape = Recorder(watch_accessed=False)
    tensors = [Identity(as_wrapped(x)) for x in values]
    with recorders.following(tape):
        for tensor, want in zip(tensors, wanted, strict=True):
            if want and is_differentiable(tensor._array.dtype):
                recorders.watch(tensor, tape)
        finals = run(tensors)
        seeds = [
            (finals[k]._number, g)
            for k, g in arrived.items()
            if isinstance(finals[k], Tensor) and tape in active(finals[k]._recorder)
        ]
    found = swept(tape, seeds, {*tape.leaves}, keep=False)
    return [found.get(getattr(tensor, "_number", 0)) for tensor in tensors]
