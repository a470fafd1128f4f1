"""Powers that another op computes as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.primitives import Square
from ..recording import Constant
from .rewriting import Rule

if TYPE_CHECKING:
    from ..recording import Recording, Step
    from .rewriting import Makers


def squares(recording: Recording) -> Rule:
    """The rule for second powers of arrays, in whose place NumPy takes squares itself."""

    def find(step: Step, makers: Makers) -> Step | None:
        x, y = step.inputs
        spec = recording.specs[step.outputs[0]]
        plain = isinstance(y, Constant) and type(y.value) in (int, float) and y.value == 2
        if plain and spec.shape and spec.dtype.char in "fd":
            return step._replace(op=Square, inputs=(x,))
        return None

    return Rule(find, ("Pow", "Raised"))
