"""The bodies of loops and branches: what they may be in a file, and the specs of their values.

A file has no specs. Programs need them, and find them by running each body once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..replay.examples import KINDS, example
from ..replay.loops.loop_ops import Branch, Expected, Loop, While
from ..replay.numpy.engine import interpret
from ..replay.recording import Guard, Recording, Spec, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.operation import Op
    from ..engine.tensor import Array


def check_bodies(step: Step) -> None:
    """``ValueError`` if the bodies of a step from a file are not such as Python makes."""
    attrs, taken, given = step.attrs, len(step.inputs), len(step.outputs)
    given -= any([body.guards for body in step.bodies])  # it tells of exits
    if step.op is While:
        carried = attrs["carried"]
        suits = attrs["watched"] < carried <= taken and given == carried + 1
        taken, given = taken, carried
    elif step.op is Branch:
        suits = taken > 0
        taken -= 1
    elif step.op is Loop:
        suits = attrs["carried"] + attrs["sliced"] <= taken and attrs["carried"] <= given
        suits &= attrs["carried"] + attrs["last"] <= given
    else:
        suits = not step.bodies
    for body in step.bodies:
        suits &= (len(body.inputs), len(body.results)) == (taken, given)
        suits &= _is_plain(body, {Expected} if step.op is Loop else set())
    if not suits or (step.bodies and not step.several):
        raise ValueError(f"{step.op.name} cannot have such bodies")


def _is_plain(body: Recording, others: set[Op]) -> bool:
    """Whether it only computes, and values of shapes that are known before.

    It may have these other ops too.
    """
    if body.reads or body.assigns or body.rereads:
        return False
    if any([not guard.exit for guard in body.guards]):
        return False
    ops = {step.op for step in body.calls} - others
    return not any([op.effects or op.sized_by_values or op.has_user_rule for op in ops])


def with_specs(recording: Recording, values: dict[int, Any], made_up: bool) -> Recording:
    """The recording with the dtypes and shapes that its values have for these inputs.

    For inputs that are made up, loops may not end: a single turn is run.
    """
    return _run(recording, values, made_up)[0]


def _run(
    recording: Recording, values: dict[int, Any], made_up: bool
) -> tuple[Recording, list[Any]]:
    """The recording with specs, and its results."""
    steps, done = [*recording.steps], 0
    for place, step in enumerate(steps):
        if isinstance(step, Guard) or not step.bodies:
            continue
        before = replace(recording, steps=tuple(steps[done:place]))
        values, done = interpret(before, values, again=True), place
        given = [values[ref] if isinstance(ref, int) else ref.value for ref in step.inputs]
        steps[place], results = _run_bodies(step, [np.asarray(x) for x in given])
        if made_up:
            values.update(zip(step.outputs, results, strict=True))
            done += 1
    values = interpret(replace(recording, steps=tuple(steps[done:])), values, again=True)
    specs = {n: Spec.of(value) for n, value in values.items()}
    made = replace(recording, steps=tuple(steps), specs=specs)
    return made, [values[ref] if isinstance(ref, int) else ref.value for ref in recording.results]


def _run_bodies(step: Step, given: Sequence[Array]) -> tuple[Step, list[Any]]:
    """The step with specs in its bodies, and results of the first of these.

    A side of a branch that cannot be run for values of these shapes stays without.
    """
    given = given[1:] if step.op is Branch else given
    bodies, runs = [*step.bodies], []
    failure: Exception | None = None
    for place, body in enumerate(bodies):
        try:
            runs.append(_run_body(body, given))
            bodies[place] = runs[-1][0]
        except Exception as error:
            failure = failure or error
    if failure is not None and (step.op is not Branch or not runs):
        raise failure
    found = [[body.spec_of(ref) for ref in body.results] for body, _ in runs]
    expected, results = found[0], runs[0][1]
    if step.op is While:
        expected = [Spec.of(x) for x in given[: len(expected)]]
        results = [*results, np.int64(1)]
    if any([body.guards for body, _ in runs]):
        results = [*results, np.int64(0)]
    if any([each != expected for each in found]):
        raise ValueError(f"{step.op.name} does not give what is carried on")
    return step.with_bodies(bodies), results


def _run_body(body: Recording, given: Sequence[Array]) -> tuple[Recording, list[Any]]:
    """Run a body on these values, or on others like them: it may not be for these."""
    failure: Exception | None = None
    for kind in (None, *KINDS):
        arrays = [x if kind is None else example(Spec.of(x), kind)._array for x in given]
        try:
            with np.errstate(all="ignore"):
                return _run(body, dict(zip(body.inputs, arrays, strict=True)), made_up=True)
        except Exception as error:
            failure = failure or error
    assert failure is not None
    raise failure
