"""Powers that another op computes as well."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...engine.primitives import Square
from ..recording import Constant, Guard

if TYPE_CHECKING:
    from ..recording import Recording, Step


def with_squares(recording: Recording) -> Recording:
    """With squares in place of second powers of arrays, for which NumPy takes squares itself."""
    steps: list[Step | Guard] = []
    for step in recording.steps:
        if not isinstance(step, Guard) and step.op.name in ("Pow", "Raised"):
            x, y = step.inputs
            spec = recording.specs[step.outputs[0]]
            plain = isinstance(y, Constant) and type(y.value) in (int, float) and y.value == 2
            if plain and spec.shape and spec.dtype.char in "fd":
                step = step._replace(op=Square, inputs=(x,))
        steps.append(step)
    return replace(recording, steps=tuple(steps))
