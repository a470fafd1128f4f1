"""A recording as a model of ONNX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import helper

from ...replay.recording import Spec, Step
from ...saved_model.plain_structures import Unknown
from ...saved_model.programs import HIGH, LOW
from ...saved_model.renumbering import renumbered
from ...version import __version__
from ..described import specs_of
from . import elementwise, networks, recurrent, reductions, shaping
from .call import WRITERS, CannotBeWritten, OnnxStep
from .onnx_graph import OnnxGraph

if TYPE_CHECKING:
    from ...replay.recording import Recording
    from ...saved_model.plain_structures import Argument
    from ..described import Exported

OPSET = 20
FORMAT = 9

_FAMILIES = (
    elementwise,
    networks,
    recurrent,
    reductions,
    shaping,
)  # loaded, so that all writers are known


_KINDS = frozenset("biufV")
"""The kinds of dtypes that there are in ONNX; V is bfloat16's."""


def model_of(what: Exported) -> Any:
    """The model, which ONNX's checker has looked at."""
    recording = renumbered(what.recording)
    names = dict(zip(recording.inputs, what.inputs, strict=True))
    graph = OnnxGraph(_sizes(what.inputs))
    for variable, number in recording.reads:
        names[number] = graph.constant(variable._array)
    specs = _specs(recording, [*what.inputs.values()])
    for step in recording.steps:
        if isinstance(step, Step):
            names.update(zip(step.outputs, _written(graph, step, names, specs), strict=True))
    results = [
        names[ref] if isinstance(ref, int) else graph.constant(ref.value)
        for ref in recording.results
    ]
    for name, result in zip(what.outputs, results, strict=True):
        graph.nodes.append(helper.make_node("Identity", [result], [name]))
    made = helper.make_graph(
        graph.nodes,
        "cinta",
        [_info(name, argument) for name, argument in what.inputs.items()],
        [_info(name, argument) for name, argument in what.outputs.items()],
        graph.initializers,
    )
    model = helper.make_model(
        made,
        producer_name="cinta",
        producer_version=__version__,
        ir_version=FORMAT,
        opset_imports=[helper.make_opsetid("", OPSET)],
    )
    onnx.checker.check_model(model, full_check=True)
    return model


def _written(
    graph: OnnxGraph, step: Step, names: dict[int, str], specs: dict[int, list[Spec]]
) -> list[str]:
    numbers = [*step.outputs, *[ref for ref in step.inputs if isinstance(ref, int)]]
    kinds = [specs[n][0].dtype.kind for n in numbers]
    try:
        if step.op.name not in WRITERS or not {*kinds} <= _KINDS:
            raise CannotBeWritten("it has no counterpart there")
        found = WRITERS[step.op.name](OnnxStep(graph, step, names, specs))
    except CannotBeWritten as error:
        shown = ", ".join(str(specs[n][0]) for n in step.outputs)
        raise ValueError(
            f"the op {step.op.name}, which gives {shown}, cannot be written in ONNX: {error}."
        ) from None
    return [found] if isinstance(found, str) else found


def _sizes(inputs: dict[str, Argument]) -> dict[int, tuple[str, int]]:
    """Where each unknown dimension can be read off."""
    return {
        length.number: (name, axis)
        for name, argument in inputs.items()
        for axis, length in enumerate(argument.shape)
        if isinstance(length, Unknown)
    }


def _specs(recording: Recording, inputs: list[Argument]) -> dict[int, list[Spec]]:
    """All values at one choice of sizes and at another."""
    found: dict[int, list[Spec]] = {}
    for sizes in (LOW, HIGH):
        for number, spec in specs_of(recording, inputs, sizes).items():
            found.setdefault(number, []).append(spec)
    return found


def _info(name: str, argument: Argument) -> Any:
    shape = [
        n if isinstance(n, int) else f"size_{n.number}" if isinstance(n, Unknown) else None
        for n in argument.shape
    ]
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(argument.dtype))
    return helper.make_tensor_value_info(name, kind, shape)
