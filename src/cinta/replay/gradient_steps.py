"""The gradient of a recording as steps: what the rules of its ops do, under a trace."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..dtypes import is_differentiable
from ..engine import recorders
from ..engine.gradient_plan import without_rows
from ..engine.indexed_slices import GradientRows
from ..engine.recorders import Recorder
from ..engine.sweep import sweep
from ..engine.tensor import Tensor, as_wrapped, wrap
from .on_tape import Values, played
from .passes import simplified
from .recording import Recording, uses
from .trace import Trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..engine.tensor import Array


class GradientSteps(NamedTuple):
    """A recording of upstream gradients and values of the forward recording.

    ``kept`` are the latter, by their numbers there. ``gradients`` are those of the sources, as the
    sweep gives them; the recording's results are the tensors that they are made of. ``refused``
    says why it may not stand for the rules.
    """

    made: Recording
    kept: tuple[int, ...]
    gradients: list[Any]
    refused: str | None


def gradient_steps(
    forward: Recording,
    inputs: Sequence[int],
    values: Values,
    sources: Sequence[int],
    upstream: Iterable[tuple[int, Array]],
    *,
    dense: bool = False,
) -> GradientSteps:
    """The gradients of some values of a recording of which all values are known."""
    with recorders.paused():
        trace, tape = Trace(), Recorder(watch_accessed=False)
        with recorders.following(trace):
            tensors = played(forward, inputs, values, sources, trace, tape)
            # a variable that was read again is known to the tape by its own number
            seeds = [(forward.rereads.get(n, n), trace.argument(wrap(g))) for n, g in [*upstream]]
            found = sweep(tape, seeds, set(sources), keep=False)
            del tensors
            gradients = [found.get(n) for n in sources]
            if dense:
                gradients = without_rows(gradients)
            flat = [x for g in gradients for x in parts_of(g)]
            made = trace.finisher(f"gradient of {forward.name}", flat)()
    made = simplified(replace(made, specs=forward.specs | made.specs))
    needed = {n for step in made.steps for n in uses(step)} | {*made.ends}
    kept = tuple(sorted(needed & forward.specs.keys() - {*made.inputs}))
    return GradientSteps(made, kept, gradients, trace.refused)


def parts_of(gradient: object) -> list[Tensor]:
    """The tensors that a gradient is made of."""
    if gradient is None:
        return []
    if type(gradient) is GradientRows:
        return [as_wrapped(x) for piece in gradient.pieces for x in piece]
    return [as_wrapped(gradient)]


def reached(made: Recording, sources: set[int]) -> tuple[set[int], set[int]]:
    """The values through which a gradient can flow to the sources, and all that depend on them."""
    sources = sources | {n for n, first in made.rereads.items() if first in sources}
    flows = {n for n in sources if is_differentiable(made.specs[n].dtype)}
    depends = set(sources)
    for step in made.calls:
        used = uses(step)
        floating = [n for n in step.outputs if is_differentiable(made.specs[n].dtype)]
        if not depends.isdisjoint(used):
            depends.update(floating)
        tracked = [i for i, ref in enumerate(step.inputs) if ref in flows]
        if tracked and step.op.passes_gradients(tracked):
            flows.update(floating)
    return flows, depends
