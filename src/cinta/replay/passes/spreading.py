"""Values broadcast for the sake of an op that broadcasts by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...engine.primitives import Reshape
from ...engine.recorders import next_number
from ...engine.shapes import with_ones
from ..recording import Guard, Spec, Step

if TYPE_CHECKING:
    from ..recording import Recording, Ref


def without_spreading(recording: Recording) -> Recording:
    """With what was broadcast given to elementwise ops as it is, if another input has the shape."""
    if _SPREADING.isdisjoint([step.op.name for step in recording.calls]):
        return recording
    specs = dict(recording.specs)
    small: dict[Ref, Ref] = {}
    steps: list[Step | Guard] = []

    def widest(step: Step) -> bool:
        """Whether an input that was not broadcast has the result's shape."""
        whole = [ref for ref in step.inputs if isinstance(ref, int) and ref not in small]
        return specs[step.outputs[0]].shape in [specs[n].shape for n in whole]

    for step in recording.steps:
        if isinstance(step, Step):
            if step.op.broadcasts and step.op.elementwise:
                if not small.keys().isdisjoint(step.inputs) and widest(step):
                    step = step.taking([small.get(x, x) for x in step.inputs])
            elif step.op.name in _SPREADING:
                before = _before(step, specs, steps)
                if before is not None:
                    small[step.outputs[0]] = before
        steps.append(step)
    return replace(recording, steps=tuple(steps), specs=specs)


_SPREADING = frozenset({"Spread", "BroadcastTo"})


def _before(step: Step, specs: dict[int, Spec], steps: list[Step | Guard]) -> Ref | None:
    """The value that the step broadcasts, in a shape that NumPy broadcasts to the same."""
    (x,) = step.inputs
    shape, rank = specs[step.outputs[0]].shape, len(step.attrs["shape"])
    if not isinstance(x, int) or len(shape) != rank:
        return None
    if step.op.name == "BroadcastTo" or step.attrs["keepdims"] or not specs[x].shape:
        return x
    number = next_number()
    specs[number] = Spec(specs[x].dtype, with_ones(shape, step.attrs["axis"]))
    attrs = {"shape": specs[number].shape}
    steps.append(Step(Reshape, (x,), attrs, (number,), False))
    return number
