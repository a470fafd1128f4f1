"""Loops over a size that is known only when a function is called, such as the rows of a batch.

Python takes the steps of each turn by itself. To be compared with recordings for other sizes, a
recording has them as a ``Loop``, whose number of turns is a formula like any other number. In a
call, the loop becomes its steps again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.recorders import next_number
from ..engine.tensor import itself, truth
from ..replay.loops.folding import with_loops
from ..replay.loops.loop_ops import Expected, Gathered, Loop
from ..replay.loops.unfolding import Unfolding, guard_of
from ..replay.recording import Constant, Guard, Spec, Step
from . import domains
from .found_sizes import with_found
from .sizes import filled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..engine.operation import Op
    from ..replay.recording import Recording, Ref
    from .sizes import Sizes

_WORTH = 1
_PROBED = (*range(1, 41), 64, 65, 100, 101, 257)
_SMALL = 7
"""The other sizes, while one is tried."""
_NOTHING = Spec(np.dtype(bool), ())


def with_loops_found(recording: Recording) -> Recording:
    """The recording with loops in place of steps that repeat themselves."""
    if recording.rereads:
        return recording  # a loop could not say which values in it are those of variables
    steps, specs = [*recording.steps], dict(recording.specs)
    of_sizes = _of_sizes(recording)
    for i, step in enumerate(steps):
        if isinstance(step, Guard) and step.value in of_sizes:
            attrs = _expecting(step)
            if attrs is not None:
                number = next_number()
                specs[number] = _NOTHING
                steps[i] = Step(Expected, (step.value,), attrs, (number,), False)
    repeated = _folded(replace(recording, steps=tuple(steps), specs=specs))
    return replace(repeated, steps=tuple(map(_as_guard, repeated.steps)))


def _expecting(guard: Guard) -> dict[str, Any] | None:
    """The attributes of ``Expected`` in place of a guard, if it looks at a truth or a number."""
    if guard.look is truth:
        return {"found": int(guard.found), "dtype": np.dtype(bool)}
    found = guard.found
    is_number = isinstance(found, (np.ndarray, np.generic)) and found.dtype.kind in "iu"
    if guard.look is not itself or not is_number or found.ndim:
        return None
    return {"found": int(found), "dtype": found.dtype}


def _folded(recording: Recording) -> Recording:
    return _with_stacks_of_constants(with_loops(recording, _WORTH, _may_fold, _folded))


def _may_fold(step: Step) -> bool:
    op = step.op
    if op is Expected:
        return True
    return not (op.effects or op.sized_by_values or op.has_user_rule or step.bodies)


def _as_guard(step: Step | Guard) -> Step | Guard:
    """A guard outside of loops as it was."""
    if isinstance(step, Guard) or step.op is not Expected:
        return step
    value = step.inputs[0]
    assert isinstance(value, int)
    return guard_of(step, value)


def _of_sizes(recording: Recording) -> set[Ref]:
    """The values that come of constants alone, among which sizes are by now."""
    found: set[Ref] = set()
    for step in recording.calls:
        op = step.op
        if op.effects or op.sized_by_values or step.several:
            continue
        if all([isinstance(ref, Constant) or ref in found for ref in step.inputs]):
            found.add(step.outputs[0])
    return found


def _with_stacks_of_constants(recording: Recording) -> Recording:
    """The recording with arrays in place of stacks of constants, as many as a loop has turns."""
    known: dict[Ref, Ref] = {}
    steps: list[Step | Guard] = []
    for step in recording.steps:
        if isinstance(step, Guard):
            steps.append(step)
            continue
        array = _stacked(step)
        if array is None:
            steps.append(step.taking([known.get(ref, ref) for ref in step.inputs]))
        else:
            known[step.outputs[0]] = Constant(array)
    return replace(recording, steps=tuple(steps))


def _stacked(step: Step) -> np.ndarray[Any, Any] | None:
    values = [ref.value for ref in step.inputs if isinstance(ref, Constant)]
    if step.op is not Gathered or len(values) < len(step.inputs):
        return None
    if any([where is not None for where in step.attrs["ranges"]]):
        return None
    kinds = {_kind(x) for x in values}
    return None if None in kinds or len(kinds) > 1 else np.stack(values)


def _kind(value: object) -> object:
    """The dtype and shape of a constant that can be an element of an array; else None."""
    return (value.dtype, value.shape) if isinstance(value, (np.ndarray, np.generic)) else None


def with_scalars_as_arrays(recording: Recording) -> Recording:
    """The recording with NumPy's scalars as arrays, which they are as elements of a stack."""

    def as_array(ref: Ref) -> Ref:
        if isinstance(ref, Constant) and isinstance(ref.value, np.generic):
            return Constant(np.asarray(ref.value))
        return ref

    steps = [
        x if isinstance(x, Guard) else x.taking(map(as_array, x.inputs)) for x in recording.steps
    ]
    return replace(recording, steps=tuple(steps))


def has_loops(recording: Recording) -> bool:
    """Whether there are such loops in it."""
    return any([step.op is Loop for step in recording.calls])


def unfolded(recording: Recording, sizes: Sizes = (), found: Iterable[Any] = ()) -> Recording:
    """The recording for these sizes with the steps of its loops one by one.

    ``found`` is what its guards find, of which some may be sizes of their own.
    """
    unfolding, finds = Unfolding(), iter(found)
    steps: list[Step | Guard] = []
    for step in recording.steps:
        if isinstance(step, Guard):
            sizes = with_found(sizes, step.found, next(finds, None))
            value = unfolding.ref(step.value)
            assert isinstance(value, int)  # a loop gives no constants for values
            steps.append(filled(step, sizes)._replace(value=value))
        else:
            steps += plain_steps(unfolding, filled(step, sizes))
    return replace(
        recording,
        steps=tuple(steps),
        results=tuple([unfolding.ref(ref) for ref in filled(recording.results, sizes)]),
        assigns=tuple([(v, unfolding.ref(x)) for v, x in filled(recording.assigns, sizes)]),
    )


def guards_hold(recording: Recording, count: int) -> bool:
    """Whether the guards in loops hold in all calls, as far as that is tried for so many sizes.

    A loop that goes on while a number is below a size has such guards.
    """
    if not any([step.op is Loop and Expected in _ops_in(step) for step in recording.calls]):
        return True
    others = [(_SMALL,) * k for k in range(count)]
    points = [(*x, n, *(_SMALL,) * (count - len(x) - 1)) for x in others for n in _PROBED]
    try:
        return all([_hold(unfolded(recording, point)) for point in points])
    except (IndexError, ValueError):  # there are other sizes in it, or it is not for these
        return False


def _ops_in(step: Step) -> set[Op]:
    return {step.op}.union(*[_ops_in(each) for body in step.bodies for each in body.calls])


def _hold(recording: Recording) -> bool:
    """Whether all guards on what is made of constants hold."""
    values: dict[Ref, Any] = {}
    of_sizes = _of_sizes(recording)
    for step in recording.steps:
        if isinstance(step, Guard):
            if step.value in values and not step.holds(step.look(values[step.value])):
                return False
        elif step.outputs[0] in of_sizes:
            given = [x.value if isinstance(x, Constant) else values[x] for x in step.inputs]
            with np.errstate(all="ignore"):
                values[step.outputs[0]] = step.op.run(*given, **step.attrs)
    return True


def plain_steps(unfolding: Unfolding, step: Step) -> Iterator[Step | Guard]:
    """The steps in place of one, whose attributes are such as these ops have."""
    for each in unfolding.plain(step):
        if each is not step and isinstance(each, Step):
            domains.check(each.op, each.attrs)
        yield each
