"""A recording as a model of ONNX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import helper, version_converter

from ...engine.recorders import next_number
from ...replay.loops.way import bodies
from ...replay.recording import Spec, Step
from ...saved_model.families import HIGH, LOW
from ...saved_model.plain_structures import Unknown
from ...saved_model.renumbering import renumbered
from ...version import __version__
from ..described import for_sizes
from . import control_flow, elementwise, networks, recurrent, reductions, shaping
from .call import written
from .onnx_graph import OnnxGraph

if TYPE_CHECKING:
    from ...replay.recording import Recording
    from ...saved_model.plain_structures import Argument
    from ..described import Exported

OPSET = 20
FORMAT = 9

_FAMILIES = (
    control_flow,
    elementwise,
    networks,
    recurrent,
    reductions,
    shaping,
)  # loaded, so that all writers are known


def model_of(what: Exported, opset: int | None = None) -> Any:
    """The model, in this version of ONNX's operators, which ONNX's checker has looked at."""
    recording = renumbered(what.recording, next_number)
    names = dict(zip(recording.inputs, what.inputs, strict=True))
    graph = OnnxGraph(_sizes(what.inputs))
    for variable, number in recording.reads:
        names[number] = graph.constant(variable._array)
    specs = _specs(recording, [*what.inputs.values()])
    for step in recording.steps:
        if isinstance(step, Step):
            names.update(zip(step.outputs, written(graph, step, names, specs), strict=True))
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
    return model if opset in (None, OPSET) else _converted(model, opset)


def _converted(model: Any, opset: Any) -> Any:
    """The model in the words of another version of the operators."""
    try:
        made = version_converter.convert_version(model, opset)
        made.ir_version = max(FORMAT, helper.find_min_ir_version_for(made.opset_import))
        onnx.checker.check_model(made, full_check=True)
    except (RuntimeError, TypeError, ValueError, onnx.checker.ValidationError) as error:
        raise ValueError(
            f"the model cannot be written with version {opset!r} of ONNX's operators: {error}. "
            f"Leave out the version, or give {OPSET}, for which models are made."
        ) from error
    return made


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
        made = for_sizes(recording, inputs, sizes)
        for each in (made, *bodies(made)):
            for number, spec in each.specs.items():
                found.setdefault(number, []).append(spec)
    return found


def _info(name: str, argument: Argument) -> Any:
    shape = [
        n if isinstance(n, int) else f"size_{n.number}" if isinstance(n, Unknown) else None
        for n in argument.shape
    ]
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(argument.dtype))
    return helper.make_tensor_value_info(name, kind, shape)
