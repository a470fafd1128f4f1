"""Recordings as StableHLO, through the kernels that XLA compiles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jax
from jax import export

from ..engine.recorders import next_number
from ..replay.loops.folding import folded
from ..replay.xla.lowering import Unsuited, our_rules, played
from ..saved_model.renumbering import renumbered
from .described import for_sizes

if TYPE_CHECKING:
    from ..engine.tensor import Array
    from .described import Exported

_WORTH = 256
"""So many steps are saved by a loop at least."""


def serialized(what: Exported) -> bytes:
    """The program in the form of ``jax.export``."""
    for name, argument in what.inputs.items():
        if not all(isinstance(n, int) for n in argument.shape):
            raise ValueError(
                f"{name} has unknown dimensions ({argument.spec}), and StableHLO is written for "
                "known ones: give specs or tensors with the sizes that are to be served."
            )
    made = renumbered(what.recording, next_number)
    made = for_sizes(made, what.inputs.values(), ())
    made = folded(replace(made, steps=tuple(made.calls)), _WORTH)
    steps, specs = [*made.calls], made.specs

    def run(*given: Array) -> dict[str, Any]:
        values = dict(zip(made.inputs, given, strict=True))
        values.update((number, variable._array) for variable, number in made.reads)
        found = played(steps, values, specs)
        results = [found[ref] if isinstance(ref, int) else ref.value for ref in made.results]
        return dict(zip(what.outputs, results, strict=True))

    shape_of: Any = jax.ShapeDtypeStruct  # JAX leaves it untyped
    try:
        with our_rules():
            shapes = [shape_of(each.shape, each.dtype) for each in what.inputs.values()]
            data: bytearray = export.export(jax.jit(run))(*shapes).serialize()
    except Unsuited as unsuited:
        raise ValueError(
            f"the op {unsuited.op.name} cannot be written in StableHLO: XLA does not have it."
        ) from None
    return bytes(data)
