"""A recording recorded on a tape: its steps, as if they ran now, with the values that they had."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..dtypes import is_differentiable
from ..engine.record_calls import enter_results, enter_shared
from ..engine.recorders import RecorderGroup, join, next_number
from ..engine.tensor import Tensor, tracked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.recorders import Recorder
    from .recording import Recording, Ref, Step
    from .trace import Trace

Values = dict[int, Any]
"""Arrays by the numbers of the values that they are."""


def played(
    made: Recording,
    inputs: Sequence[int],
    values: Values,
    sources: Sequence[int],
    trace: Trace,
    tape: Recorder,
) -> dict[int, Tensor]:
    """Let a tape hear a recording of which all values are known, as if its ops were called now.

    The trace knows the values, but is not told of the ops: for it they are given.
    """
    tape.leaves.update(sources)
    tensors = {
        n: tracked(values[n], join([tape, trace] if n in sources else [trace]), n) for n in inputs
    }
    for step in made.calls:
        output = step.outputs[0] if step.outputs else 0
        variable = made.rereads.get(output, 0)
        if variable in sources:
            trace.known(variable, variable, values[variable])
            trace.known(output, variable, values[output])
            tensors[output] = tracked(values[output], join([tape, trace]), variable)
        else:
            parts = tuple([tracked(values[n], join([trace]), n) for n in step.outputs])
            tensors |= zip(step.outputs, parts, strict=True)
            _hear(step, [_given(ref, tensors) for ref in step.inputs], parts, trace, tape)
    return tensors


def _given(ref: Ref, tensors: dict[int, Tensor]) -> object:
    return tensors[ref] if isinstance(ref, int) else ref.value


def _hear(
    step: Step, given: Sequence[Any], parts: tuple[Tensor, ...], trace: Trace, tape: Recorder
) -> None:
    """Let a tape hear a step with these inputs and results."""
    tracked = [i for i, x in enumerate(given) if type(x) is Tensor and _knows(tape, x)]
    arrays = [x._array if type(x) is Tensor else x for x in given]
    outs = tuple([part._array for part in parts])
    plan = step.op.plan_for(tracked, arrays, outs if step.several else outs[0]) if tracked else None
    if plan is None:
        return
    number = next_number() if step.several else step.outputs[0]
    result = parts if step.several else parts[0]
    enter_shared(tape, plan, given, given, step.attrs, result, number)
    flowing = [(k, part) for k, part in enumerate(parts) if is_differentiable(part._array.dtype)]
    for _, part in flowing:
        part._recorder = join([tape, trace])
    if step.several:
        enter_results([tape], number, flowing)


def _knows(recorder: Recorder, tensor: Tensor) -> bool:
    return isinstance(tensor._recorder, RecorderGroup) and recorder in tensor._recorder.members
