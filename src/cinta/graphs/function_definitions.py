"""Programs of functions as TensorFlow's definitions of functions: graphs with names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import dtypes, nest
from ..export.described import for_sizes
from ..protobuf.graph_messages import ArgDef, FunctionDef, OpDef
from ..replay.recording import Guard
from ..saved_model.families import LOW
from ..saved_model.plain_structures import Unknown, arguments_in
from ..saved_model.renumbering import renumbered
from .graph_body import CannotBeWritten, GraphBody, GraphValue
from .step_nodes import TensorFlowStep, written
from .tensor_places import Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.variable import Variable
    from ..replay.recording import Recording, Ref
    from ..saved_model.programs import SavedProgram


def defined(name: str, program: SavedProgram, arguments: object, returned: object) -> FunctionDef:
    """The definition of a program, of which the tensors stand in these places."""
    return _Definition(program, arguments).finished(name, returned)


def variables_of(recording: Recording) -> list[Variable]:
    """The variables that are read or assigned, each once."""
    found = {id(v): v for v, _ in (*recording.reads, *recording.assigns)}
    return [*found.values()]


class _Definition:
    """The graph of a program while it is written."""

    def __init__(self, program: SavedProgram, arguments: object) -> None:
        self._arguments = arguments_in(program.arguments)
        self._recording = renumbered(program.recording)
        self._inputs: list[ArgDef] = []
        self._values: dict[int, GraphValue] = {}
        self._body = GraphBody(self._take(_places_in(arguments)))
        self._handles: dict[int, GraphValue] = {}
        self._read_variables()

    def _take(self, places: Sequence[Place]) -> dict[int, tuple[GraphValue, int]]:
        """Take the arguments, in TensorFlow's order, and say which of them has which sizes."""
        sizes: dict[int, tuple[GraphValue, int]] = {}
        for i, place in enumerate(places):
            argument = self._arguments[place.number]
            value = GraphValue(f"argument_{i}", argument.dtype)
            self._values[self._recording.inputs[place.number]] = value
            self._inputs.append(_described(value.name, value))
            for axis, length in enumerate(argument.shape):
                if isinstance(length, Unknown):
                    sizes.setdefault(length.number, (value, axis))
        return sizes

    def _read_variables(self) -> None:
        """Take the variables behind the arguments, and read their values."""
        numbers = {id(variable): number for variable, number in self._recording.reads}
        for i, variable in enumerate(variables_of(self._recording)):
            handle = GraphValue(f"variable_{i}", np.dtype(object))
            self._handles[id(variable)] = handle
            self._inputs.append(ArgDef(name=handle.name, type=dtypes.resource.as_datatype_enum))
            if id(variable) in numbers:
                dtype = dtypes.of(variable._array.dtype)
                read = self._body.one("ReadVariableOp", handle, dtype=dtype)
                self._values[numbers[id(variable)]] = read

    def finished(self, name: str, returned: object) -> FunctionDef:
        """The definition of the whole, with results in these places."""
        body, results = self._body, self._recording.results
        reads = [node.name for node in body.nodes]
        self._add_steps()
        given = [self._value_of(results[place.number]) for place in _places_in(returned)]
        control = self._assign(reads)
        outputs = {f"output_{i}": body.one("Identity", each) for i, each in enumerate(given)}
        signature = OpDef(
            name=name,
            input_arg=self._inputs,
            output_arg=[_described(n, value) for n, value in outputs.items()],
            is_stateful=bool(self._handles),
            control_output=control,
        )
        return FunctionDef(
            signature=signature,
            node_def=body.nodes,
            ret={n: value.name for n, value in outputs.items()},
            control_ret={n: n for n in control},
        )

    def _add_steps(self) -> None:
        specs = for_sizes(self._recording, self._arguments, LOW).specs
        for step in self._recording.steps:
            if isinstance(step, Guard):
                continue
            try:
                results = written(TensorFlowStep(self._body, step, self._values, specs))
            except CannotBeWritten as error:
                shown = ", ".join(str(specs[n]) for n in step.outputs)
                raise CannotBeWritten(
                    f"the op {step.op.name}, which gives {shown}: {error}"
                ) from None
            self._values.update(zip(step.outputs, results, strict=True))

    def _assign(self, reads: Sequence[str]) -> list[str]:
        """Assign the variables after these nodes have read them; the names of the new nodes."""
        control = []
        for variable, ref in self._recording.assigns:
            self._body.add("AssignVariableOp", self._handles[id(variable)], self._value_of(ref))
            node = self._body.nodes[-1]
            node.input.extend([f"^{each}" for each in reads])
            control.append(node.name)
        return control

    def _value_of(self, ref: Ref) -> GraphValue:
        if isinstance(ref, int):
            return self._values[ref]
        known = getattr(ref.value, "dtype", None)
        return self._body.constant(ref.value, known or np.asarray(ref.value).dtype)


def _places_in(structure: object) -> list[Place]:
    return [each for each in nest.flatten(structure) if isinstance(each, Place)]


def _described(name: str, value: GraphValue) -> ArgDef:
    return ArgDef(name=name, type=dtypes.of(value.dtype).as_datatype_enum)
