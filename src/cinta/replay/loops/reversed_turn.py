"""The steps of a turn that goes backwards: what the rules of a body's ops do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...dtypes import is_differentiable
from ..gradient_steps import gradient_steps
from ..recording import Constant
from .references import NoLoop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..recording import Recording, Ref, Spec


class Reversed:
    """Run the rules of a body's ops in a turn, for gradients that arrive at these values."""

    def __init__(
        self, body: Recording, values: dict[int, Any], at: Sequence[Ref], specs: Sequence[Spec]
    ) -> None:
        upstream = [
            (ref if isinstance(ref, int) else 0, np.zeros(spec.shape, spec.dtype))
            for ref, spec in zip(at, specs, strict=True)
        ]
        sources = [n for n in body.inputs if is_differentiable(body.specs[n].dtype)]
        found = gradient_steps(body, body.inputs, values, sources, upstream, dense=True)
        made = self._made = found.made
        happens = any([step.op.effects for step in made.calls])
        if found.refused or made.reads or made.assigns or made.guards or happens:
            raise NoLoop
        self.arriving, self.kept = made.inputs, found.kept
        results = iter(made.results)
        self._gradients = {
            n: None if g is None else next(results)
            for n, g in zip(sources, found.gradients, strict=True)
        }

    def gradient_of(self, n: int) -> Ref | None:
        """The gradient of an input; None without one."""
        return self._gradients[n]

    def recording(
        self, inputs: Sequence[int], of: Sequence[int], specs: Sequence[Spec]
    ) -> Recording:
        """These steps as a body that takes these values and gives the gradients of those."""
        results = []
        for n, spec in zip(of, specs, strict=True):
            ref = self._gradients[n]
            ref = Constant(np.zeros(spec.shape, spec.dtype)) if ref is None else ref
            if self._made.spec_of(ref) != spec:
                raise NoLoop
            results.append(ref)
        return replace(self._made, inputs=tuple(inputs), results=tuple(results))
