"""XLA's code for a recording, to be read: StableHLO, HLO, and HLO as it is compiled."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import jax

from ..recording import uses
from .lowering import Unsuited, our_rules, played

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.tensor import Array
    from ..recording import Recording


def compiler_ir(recording: Recording, stage: str) -> str | bytes:
    """A recording at a stage of its compilation."""
    if stage not in _STAGES:
        valid = ", ".join(map(repr, _STAGES))
        raise ValueError(f"Invalid stage selected: {stage!r}. Valid values are: {valid}")
    try:
        with our_rules():
            return _STAGES[stage](_lowered(recording))
    except Unsuited as unsuited:
        raise ValueError(
            f"the op {unsuited.op.name} has no IR: XLA lacks it, and it runs on the host."
        ) from None


def _lowered(recording: Recording) -> Any:
    """A recording in JAX's hands; what the host gives, such as random states, is an input."""
    steps = [step for step in recording.calls if not step.op.effects]
    of_host = [n for step in recording.calls if step.op.effects for n in step.outputs]
    numbers = [*recording.takes, *of_host]
    for step in steps:
        if any(recording.specs[n].dtype == object for n in (*uses(step), *step.outputs)):
            raise Unsuited(step.op)

    def run(*given: Array) -> list[Any]:
        values = played(steps, dict(zip(numbers, given, strict=True)), recording.specs)
        return [values[ref] if isinstance(ref, int) else ref.value for ref in recording.gives]

    run.__name__ = "".join([c if c.isalnum() else "_" for c in recording.name])
    shape_of: Any = jax.ShapeDtypeStruct  # JAX leaves it untyped
    specs = [recording.specs[n] for n in numbers]
    return jax.jit(run).lower(*[shape_of(spec.shape, spec.dtype) for spec in specs])


def _bytecode(lowered: Any) -> bytes:
    file = io.BytesIO()
    lowered.compiler_ir("stablehlo").operation.write_bytecode(file)
    return file.getvalue()


def _optimized(lowered: Any) -> Any:
    (module,) = lowered.compile().runtime_executable().hlo_modules()
    return module


def _optimized_as_graph(lowered: Any) -> str:
    text: str = type(lowered.compiler_ir("hlo"))(
        _optimized(lowered).as_serialized_hlo_module_proto()
    ).as_hlo_dot_graph()
    return text


_STAGES: dict[str, Callable[[Any], str | bytes]] = {
    "hlo": lambda lowered: lowered.compiler_ir("hlo").as_hlo_text(),
    "hlo_serialized": lambda x: x.compiler_ir("hlo").as_serialized_hlo_module_proto(),
    "optimized_hlo": lambda lowered: _optimized(lowered).to_string(),
    "optimized_hlo_serialized": lambda x: _optimized(x).as_serialized_hlo_module_proto(),
    "optimized_hlo_proto_serialized": lambda x: _optimized(x).as_serialized_hlo_module_proto(),
    "optimized_hlo_dot": _optimized_as_graph,
    "stablehlo": lambda lowered: str(lowered.compiler_ir("stablehlo")),
    "stablehlo_serialized": _bytecode,
}
