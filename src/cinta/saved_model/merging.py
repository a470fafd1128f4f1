"""One recording for all sizes, made of recordings for some sizes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ops.nn.sliding_windows import PlacedWindow
from ..replay.recording import Constant, Guard, Recording, Step
from .custom_gradients import RecordedGradient, SavedGradient
from .found_sizes import found_at, looking
from .looks import key_of
from .renumbering import renumbered
from .size_formulas import NeedsPoints, NoPattern, fitted
from .sizes import VARYING, filled
from .tracing import Traced
from .windows import window_for_any_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..replay.recording import Ref
    from .plain_structures import Argument
    from .size_formulas import Points

_FEW = 16
"""Constants of more elements are none of the sizes."""


def merged_traces(made: Sequence[Traced], points: Points) -> Traced:
    """The recording of a function for all sizes, inferred from those for some."""
    recording, points = _merged([each.recording for each in made], points)
    returned = fitted([each.returned for each in made], points)
    outputs = zip(*[each.outputs for each in made], strict=True)
    return Traced(recording, returned, tuple([_output(each) for each in outputs]))


def _output(outputs: Sequence[Argument]) -> Argument:
    """The spec of a result for all sizes."""
    if len({len(each.shape) for each in outputs}) > 1:
        raise NoPattern("a result does not always have as many dimensions")
    lengths = [{*each} for each in zip(*[each.shape for each in outputs], strict=True)]
    shape = [each.pop() if len(each) == 1 else None for each in lengths]
    return outputs[0]._replace(shape=tuple(shape))


def merged(recordings: Sequence[Recording], points: Points) -> Recording:
    """The recording that these are for some sizes, with what depends on sizes in it as such."""
    return _merged(recordings, points)[0]


def _merged(recordings: Sequence[Recording], points: Points) -> tuple[Recording, Points]:
    """The recording for all sizes, and the points with the sizes that calls find."""
    made = [renumbered(each) for each in recordings]
    first = made[0]
    for i, each in enumerate(made):
        if len(each.steps) != len(first.steps):
            raise NoPattern(
                f"it takes {len(first.steps)} steps at {points.written(0)}, and "
                f"{len(each.steps)} at {points.written(i)}"
            )
        if _surroundings(each) != _surroundings(first):
            raise NoPattern("it reads or assigns other variables at other sizes")
    steps: list[Step | Guard] = []
    for each in zip(*[r.steps for r in made], strict=True):
        if isinstance(each[0], Guard):
            guard, points = _guard(each, points, steps)
            steps.append(guard)
        else:
            steps.append(_step(each, points))
    steps, known = _without_known(steps)
    results = [_ref(each, points) for each in zip(*[r.results for r in made], strict=True)]
    assigned = [[ref for _, ref in r.assigns] for r in made]
    values = [_ref(each, points) for each in zip(*assigned, strict=True)]
    assigns = zip([variable for variable, _ in first.assigns], values, strict=True)
    whole = replace(
        first,
        steps=tuple(steps),
        results=tuple([known.get(ref, ref) for ref in results]),
        assigns=tuple([(variable, known.get(ref, ref)) for variable, ref in assigns]),
        specs={},
    )
    return whole, points


def _without_known(steps: Sequence[Step | Guard]) -> tuple[list[Step | Guard], dict[Ref, Ref]]:
    """The steps without those on sizes that are always the same; and what these give.

    Checks of arguments are such: that an image, say, is as wide as a filter.
    """
    known: dict[Ref, Ref] = {}
    left: list[Step | Guard] = []
    for step in steps:
        if isinstance(step, Guard):
            value = known.get(step.value)
            if isinstance(value, Constant) and step.holds(step.look(value.value)):
                continue
        else:
            step = step.taking([known.get(ref, ref) for ref in step.inputs])
            found = _result(step)
            if found is not None:
                known[step.outputs[0]] = found
                continue
        left.append(step)
    return left, known


def _result(step: Step) -> Constant | None:
    """The values that a step gives, if they are known and few."""
    given = [ref for ref in step.inputs if isinstance(ref, Constant)]
    if step.several or step.op.effects or len(given) < len(step.inputs) or not given:
        return None
    if any(isinstance(ref.value, VARYING) or np.size(ref.value) > _FEW for ref in given):
        return None
    try:
        known = filled(step, ())
        return Constant(step.op.run(*[ref.value for ref in known.inputs], **known.attrs))
    except Exception:  # it depends on sizes, or the call is to say what is wrong
        return None


def _surroundings(made: Recording) -> tuple[object, ...]:
    """The inputs and assignments of a recording, which must be the same for all sizes."""
    reads = [(id(variable), number) for variable, number in made.reads]
    return made.inputs, reads, [id(variable) for variable, _ in made.assigns], made.rereads


def _step(steps: Sequence[Step | Guard], points: Points) -> Step:
    _check_alike(steps, points)
    calls: Any = steps
    first = calls[0]
    try:
        inputs = zip(*[step.inputs for step in calls], strict=True)
        made: Step = first._replace(
            inputs=tuple([_ref(each, points) for each in inputs]),
            attrs={name: _attr([s.attrs[name] for s in calls], points) for name in first.attrs},
        )
        return made
    except NoPattern as error:
        raise _said_of(first, error) from None


def _guard(
    guards: Sequence[Step | Guard], points: Points, before: Sequence[Step | Guard]
) -> tuple[Guard, Points]:
    """The guard for all sizes; and the points, with what it finds if that is a size of its own."""
    _check_alike(guards, points)
    alike: Any = guards
    first, values = alike[0], [guard.found for guard in alike]
    try:
        found, points = found_at(values, points, looking(first, before))
        return first._replace(found=found), points
    except NoPattern as error:
        raise _said_of(first, error) from None


def _said_of(step: Step | Guard, error: NoPattern) -> NoPattern:
    if isinstance(error, NeedsPoints):
        return error
    return NoPattern(f"{_named(step)} takes {error}")


def _check_alike(steps: Sequence[Step | Guard], points: Points) -> None:
    outlines = [_outline(step) for step in steps]
    for i, outline in enumerate(outlines):
        if outline != outlines[0]:
            raise NoPattern(
                f"it does {_named(steps[0])} at {points.written(0)}, and {_named(steps[i])} at "
                f"{points.written(i)}"
            )


def _outline(step: Step | Guard) -> tuple[object, ...]:
    """The parts that must be the same for all sizes."""
    if isinstance(step, Guard):
        return step.value, key_of(step.look)
    refs = [ref if isinstance(ref, int) else None for ref in step.inputs]
    return step.op, refs, list(step.attrs), step.outputs, step.several


def _named(step: Step | Guard) -> str:
    return "a look at a value" if isinstance(step, Guard) else step.op.name


def _ref(refs: Sequence[Ref], points: Points) -> Ref:
    if isinstance(refs[0], int) or any(isinstance(ref, int) for ref in refs):
        if any(ref != refs[0] for ref in refs):
            raise NoPattern("one value at one size, and another at another")
        return refs[0]
    constants: Sequence[Any] = refs
    return Constant(fitted([ref.value for ref in constants], points))


def _attr(values: Sequence[Any], points: Points) -> Any:
    if type(values[0]) is Recording:
        return merged(values, points)
    if isinstance(values[0], PlacedWindow):
        return window_for_any_size(values, points)
    if not isinstance(values[0], SavedGradient):
        return fitted(values, points)
    if len({len(value.ways) for value in values}) > 1:
        raise NoPattern("a gradient that goes more ways at some sizes than at others")
    ways = [
        RecordedGradient(
            merged([way.recording for way in each], points),
            fitted([way.returned for way in each], points),
        )
        for each in zip(*[value.ways for value in values], strict=True)
    ]
    return SavedGradient(tuple(ways), values[0].enclosed)
