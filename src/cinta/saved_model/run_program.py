"""Call the ops of a recording one by one, as Python would, so that recorders hear of each."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from ..engine.op import originate
from ..engine.tensor import Tensor, as_wrapped, look
from ..engine.transactions import all_or_nothing
from ..ops.random.state import NextRandomState, placed
from ..replay.numpy.engine import Changed
from ..replay.recording import Guard
from .found_sizes import with_found
from .sizes import filled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.annotations import NumericLike
    from ..replay.recording import Recording, Ref
    from .sizes import Sizes


def play(
    recording: Recording, tensors: Sequence[Tensor], sizes: Sizes | None = None
) -> list[Tensor]:
    """The results for these tensors, and the variables assigned.

    If ``sizes`` are given, the recording is for any sizes, and finds others as it goes.

    Raises ``Changed`` at the first guard that does not hold, with the variables as they were.
    """
    return all_or_nothing(lambda: _played(recording, tensors, sizes))


def _played(recording: Recording, tensors: Sequence[Tensor], sizes: Sizes | None) -> list[Tensor]:
    values: dict[int, Any] = dict(zip(recording.inputs, tensors, strict=True))
    variables = {number: variable for variable, number in recording.reads}
    values.update((number, variable.__tf_tensor__()) for number, variable in variables.items())

    def valued(ref: Ref) -> NumericLike:
        found: NumericLike = values[ref] if isinstance(ref, int) else ref.value
        return found

    guards = count()
    for step in recording.steps:
        if isinstance(step, Guard):
            found, position = look(values[step.value], step.look), next(guards)
            if sizes is not None:
                sizes = with_found(sizes, step.found, found)
                step = filled(step, sizes)
            if not step.holds(found):
                raise Changed(position, found)
            continue
        if sizes is not None:
            step = filled(step, sizes)
        attrs = placed(step.attrs) if step.op is NextRandomState else step.attrs
        out = originate(step.op, *map(valued, step.inputs), **attrs)
        values.update(zip(step.outputs, step.results(out), strict=True))
        for number in step.outputs:
            if number in recording.rereads:  # a variable is read that has just been assigned
                variable = variables[recording.rereads[number]]
                variable.assign(values[number], read_value=False)
                values[number] = variable.__tf_tensor__()
    assigns, results = recording.assigns, recording.results
    if sizes is not None:
        assigns, results = filled((assigns, results), sizes)
    for variable, ref in assigns:
        variable.assign(as_wrapped(valued(ref)), read_value=False)
    return [as_wrapped(valued(ref)) for ref in results]
