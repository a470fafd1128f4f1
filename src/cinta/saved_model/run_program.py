"""Call the ops of a recording one by one, as Python would, so that recorders hear of each."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from ..engine.op import originate
from ..engine.tensor import Tensor, as_wrapped, look
from ..engine.transactions import all_or_nothing
from ..ops.random.state import NextRandomState, placed
from ..replay.loops.unfolding import Unfolding
from ..replay.numpy.engine import Changed
from ..replay.recording import Guard
from .found_sizes import with_found
from .repetition import plain_steps
from .sizes import filled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.annotations import NumericLike
    from ..replay.recording import Recording, Ref, Step
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
    run = _Run(recording, tensors)
    for step in recording.steps:
        if isinstance(step, Guard):
            found = run.looked(step)
            if sizes is not None:
                sizes = with_found(sizes, step.found, found)
                step = filled(step, sizes)
            run.check(step, found)
        else:
            run.call(step if sizes is None else filled(step, sizes))
    assigns, results = recording.assigns, recording.results
    if sizes is not None:
        assigns, results = filled((assigns, results), sizes)
    for variable, ref in assigns:
        variable.assign(as_wrapped(run.valued(ref)), read_value=False)
    return [as_wrapped(run.valued(ref)) for ref in results]


class _Run:
    """The values of a recording as its steps are called."""

    def __init__(self, recording: Recording, tensors: Sequence[Tensor]) -> None:
        self._rereads = recording.rereads
        self._values: dict[int, Any] = dict(zip(recording.inputs, tensors, strict=True))
        self._variables = {number: variable for variable, number in recording.reads}
        for number, variable in self._variables.items():
            self._values[number] = variable._read()
        self._unfolding = Unfolding()
        self._guards = count()

    def valued(self, ref: Ref) -> NumericLike:
        """The value that a reference stands for."""
        ref = self._unfolding.ref(ref)
        found: NumericLike = self._values[ref] if isinstance(ref, int) else ref.value
        return found

    def looked(self, guard: Guard) -> object:
        """Look at a value as a guard does."""
        return look(as_wrapped(self.valued(guard.value)), guard.look)

    def check(self, guard: Guard, found: object) -> None:
        """Raise ``Changed`` if a guard should have found something else."""
        position = next(self._guards)
        if not guard.holds(found):
            raise Changed(position, found)

    def call(self, step: Step) -> None:
        """Call the op of a step, or those of a loop."""
        for each in plain_steps(self._unfolding, step):
            if isinstance(each, Guard):
                self.check(each, self.looked(each))
                continue
            attrs = placed(each.attrs) if each.op is NextRandomState else each.attrs
            out = originate(each.op, *map(self.valued, each.inputs), **attrs)
            self._values.update(zip(each.outputs, each.results(out), strict=True))
        for number in step.outputs:
            if number in self._rereads:  # a variable is read that has just been assigned
                variable = self._variables[self._rereads[number]]
                variable.assign(self._values[number], read_value=False)
                self._values[number] = variable._read()
