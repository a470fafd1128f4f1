"""Loops whose turns Python counted by looking at a value: they may take any number of turns.

A ``Course`` is what Python saw from one place, again and again, until it saw something else. If all
that it knew there was made in the turn before from what it knew in that turn, then the turns are
those of a loop that runs for as long as the same is seen.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.primitives import Identity
from ...engine.recorders import next_number
from ..recording import Constant, Guard, Spec, Step, uses
from .bodies import Body
from .numbers import alike
from .references import Carried, Fixed, NoLoop, Turns
from .repeats import Stretch
from .signatures import signatures
from .steps import While

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..recording import Recording, Ref
    from .code_positions import CodePosition
    from .references import Template


_FEWEST = 2
"""Turns from which it can be told what each makes of what the turn before has left."""


class Course(NamedTuple):
    """The positions of such guards, and what Python knew at each: first what it looked at."""

    guards: tuple[int, ...]
    known: tuple[tuple[Ref, ...], ...]


def courses(looks: Iterable[tuple[int, Guard, CodePosition]]) -> list[Course]:
    """The courses in what Python looked at: positions, guards, and where it stood."""
    by_place: dict[Any, list[Any]] = {}
    for each in looks:
        by_place.setdefault((id(each[2].frame), each[2].place), []).append(each)
    found = []
    for many in by_place.values():
        start = 0
        for i, (one, other) in enumerate(pairwise(many), 1):
            if not _goes_on(one, other):
                start = i
            elif one[1].found != other[1].found:
                if i - start >= _FEWEST:
                    found.append(_course(many[start : i + 1]))
                start = i + 1
    return found


def _goes_on(one: Any, other: Any) -> bool:
    return alike(one[2].marks, other[2].marks) and len(one[2].refs) == len(other[2].refs)


def _course(looks: Sequence[Any]) -> Course:
    known = [(guard.value, *standing.refs) for _, guard, standing in looks]
    return Course(tuple([position for position, *_ in looks]), tuple(known))


def with_whiles(made: Recording, found: Sequence[Course]) -> Recording | None:
    """The recording with such loops for those courses that are loops; None if none is."""
    general, after = made, len(made.steps)
    for course in sorted(found, key=lambda course: -course.guards[0]):  # the last one first
        if course.guards[-1] >= after:
            continue  # there is another one in it
        after = course.guards[0]
        try:
            general = _with_while(general, course)
        except NoLoop:
            continue
    return None if general is made else general


def has_gradients(general: Recording) -> bool:
    """Whether its loops have the gradients of their turns.

    They do not know which values in them are those of variables that were read again, nor can they
    call the gradient functions that people wrote.
    """
    outside = {n for step in general.calls for n in step.outputs}
    bodies = [step.attrs["body"] for step in general.calls if step.op is While]
    has_user_rule = any([step.op.has_user_rule for body in bodies for step in body.calls])
    return outside.issuperset(general.rereads) and not has_user_rule


def _with_while(made: Recording, course: Course) -> Recording:
    """The recording with the turns between these guards as a loop."""
    first, last = course.guards[0], course.guards[-1]
    turns, templates = _turns(made, course)
    before, *rest = templates
    body = Body(turns, rest, made, first=1)
    inner = {n for step in _steps(made.steps[first:last]) for n in step.outputs}
    after = made.steps[last + 1 :]
    wanted = {n for step in after for n in uses(step)} | {*made.ends}
    for slot, final in zip(before.slots, course.known[-1], strict=True):
        _check(slot, final, turns, made)
        if isinstance(slot, Carried):
            body.take(slot)
    watched = before.slots[0]
    if body.differs or not isinstance(watched, Carried):
        raise NoLoop
    loop, results = _loop(body, watched, _found(made, course), wanted & inner)
    steps = (*made.steps[:first], loop, *after)
    return replace(made, steps=steps, specs=made.specs | results)


def _steps(steps: Sequence[Step | Guard]) -> list[Step]:
    return [step for step in steps if isinstance(step, Step)]


def _turns(made: Recording, course: Course) -> tuple[Turns, list[Template]]:
    """The turns, each with a step at its begin that takes all that Python knew, and their steps."""
    pairs = [*pairwise(course.guards)]
    codes = signatures(made, lambda step: True)
    outlines = {tuple(codes[one + 1 : other]) for one, other in pairs}
    if len(outlines) > 1 or any([code < 0 for outline in outlines for code in outline]):
        raise NoLoop
    begin = course.guards[0]
    steps: list[Any] = [*made.steps[:begin]]
    for known, (one, other) in zip(course.known, pairs, strict=False):
        steps += [Step(Identity, known, {}, (), True), *made.steps[one + 1 : other]]
    maker = {
        n: (position, result)
        for position, step in enumerate(steps)
        if isinstance(step, Step)
        for result, n in enumerate(step.outputs)
    }
    period = len(steps[begin:]) // len(pairs)
    turns = Turns(steps, Stretch(begin, period, len(pairs)), maker)
    return turns, turns.templates()


def _loop(
    body: Body, watched: Carried, found: bool, wanted: set[int]
) -> tuple[Step, dict[int, Spec]]:
    """The loop as a step, which gives the wanted values, and what its results are."""
    finals = body.finals()
    if not wanted <= {*finals}:
        raise NoLoop
    outputs = [
        n if n in wanted and finals.index(n) == i else next_number() for i, n in enumerate(finals)
    ]
    recording, inputs = body.carrying()
    attrs = {
        "body": recording,
        "carried": len(finals),
        "watched": body.place_of(watched),
        "found": found,
    }
    outputs.append(next_number())
    specs = [recording.specs[n] for n in recording.inputs[: len(finals)]]
    specs.append(Spec(np.dtype(np.int64), ()))
    step = Step(While, tuple(inputs), attrs, tuple(outputs), True)
    return step, dict(zip(outputs, specs, strict=True))


def _found(made: Recording, course: Course) -> bool:
    guard = made.steps[course.guards[0]]
    assert isinstance(guard, Guard)
    return bool(guard.found)


def _check(slot: Any, final: Ref, turns: Turns, made: Recording) -> None:
    """Python's state at the end must be its state before each turn, one turn later."""
    if isinstance(slot, Fixed):
        if not _is(slot.ref, final):
            raise NoLoop
        return
    if not isinstance(slot, Carried) or turns.made(slot.source)[-slot.lag] != final:
        raise NoLoop
    spec = made.specs[turns.made(slot.source)[0]]
    for ref in slot.initial:
        if _spec(ref, made) != spec:
            raise NoLoop


def _spec(ref: Ref, made: Recording) -> Spec | None:
    if isinstance(ref, Constant):
        return Spec.of(ref.value) if hasattr(ref.value, "dtype") else None
    return made.specs[ref]


def _is(one: Ref, other: Ref) -> bool:
    if isinstance(one, Constant) and isinstance(other, Constant):
        return alike(one.value, other.value)
    return one == other
