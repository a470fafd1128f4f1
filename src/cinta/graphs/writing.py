"""Saved models as TensorFlow reads them: objects, their functions as graphs, and a checkpoint."""

from __future__ import annotations

import inspect
import itertools
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import dtypes, nest
from ..checkpoints.bundle.bundle import OBJECT_GRAPH
from ..checkpoints.bundle.writing import write_bundle
from ..checkpoints.object_graph import VALUE, escaped
from ..checkpoints.trackable import is_container
from ..engine.variable import Variable
from ..errors import UnimplementedError
from ..export.described import check_looks, for_sizes
from ..files.atomic import replacing, write
from ..ops.random.generator import Generator
from ..programs.specs import TensorSpec
from ..protobuf.graph_messages import (
    ArgDef,
    FunctionDef,
    FunctionDefLibrary,
    GraphDef,
    OpDef,
    VersionDef,
)
from ..protobuf.saved_model_messages import (
    CheckpointGraph,
    CheckpointNode,
    CheckpointValue,
    FunctionSpec,
    MetaGraphDef,
    MetaInfoDef,
    ObjectReference,
    SavedBareConcreteFunction,
    SavedConcreteFunction,
    SavedFunction,
    SavedModel,
    SavedObject,
    SavedObjectGraph,
    SavedUserObject,
    SavedVariable,
)
from ..replay.recording import Guard
from ..saved_model.asset import Asset
from ..saved_model.constants import SERVING
from ..saved_model.families import LOW
from ..saved_model.objects import Objects
from ..saved_model.plain_structures import (
    Argument,
    CannotBeSaved,
    Omitted,
    Result,
    Unknown,
    arguments_in,
)
from ..saved_model.renumbering import renumbered
from ..saved_model.saved_functions import FUNCTIONS, described, signature_of
from ..saved_model.saving import signatures_for
from . import structured_values
from .function_writer import CannotBeWritten, GraphBody, GraphValue
from .node_attributes import shape_message
from .step_nodes import TensorFlowStep, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..replay.recording import Recording
    from ..saved_model.programs import SavedProgram
    from ..saved_model.saved_functions import AnyFunction, Described

VERSION = "2.21.0"
"""The version of TensorFlow whose graphs these are."""


class _Place:
    """The place of a tensor among arguments or results, with its spec."""

    def __init__(self, number: int, spec: TensorSpec) -> None:
        self.number, self.spec = number, spec


class ModelWriter:
    """Writes a model down."""

    def __init__(self, root: object) -> None:
        self._root = root
        for _, thing in Objects(root).found:
            if isinstance(thing, FUNCTIONS):  # to be described may make it make its variables
                _described(thing)
        self._objects = Objects(root)
        self._functions: list[FunctionDef] = []
        self._saved: dict[str, SavedConcreteFunction] = {}
        self._nodes: list[SavedObject] = []
        self._values: dict[str, Any] = {}

    def write(self, directory: str, path: str, signatures: object) -> None:
        """Write the files of the model."""
        stored = [self._add(path, thing) for path, thing in self._objects.found]
        named = signatures_for(self._root, self._objects, signatures, _described)
        self._add_signatures(named)
        graph = CheckpointGraph(nodes=stored)
        self._values[OBJECT_GRAPH] = np.array(graph.SerializeToString(), object)
        write_bundle(os.path.join(directory, "variables", "variables"), self._values)
        meta = MetaGraphDef(
            meta_info_def=MetaInfoDef(tags=[SERVING], tensorflow_version=VERSION),
            graph_def=GraphDef(library=FunctionDefLibrary(function=self._functions)),
            object_graph_def=SavedObjectGraph(nodes=self._nodes, concrete_functions=self._saved),
        )
        model = SavedModel(saved_model_schema_version=1, meta_graphs=[meta])
        with replacing(path) as file:
            write(file, memoryview(model.SerializeToString()))

    # -- objects -------------------------------------------------------------------------------

    def _add(self, path: tuple[str, ...], thing: object) -> CheckpointNode:
        """Add an object; returns what the checkpoint says of it."""
        children = [
            ObjectReference(node_id=place, local_name=name)
            for name, place in self._children(thing).items()
        ]
        if isinstance(thing, Variable):
            key = "/".join([*map(escaped, path), f".ATTRIBUTES/{VALUE}"])
            self._values[key] = np.asarray(thing._array)
            self._nodes.append(SavedObject(variable=_variable(thing)))
            value = CheckpointValue(name=VALUE, checkpoint_key=key)
            return CheckpointNode(attributes=[value])
        if isinstance(thing, Asset):
            raise UnimplementedError(
                f"{thing!r} cannot be written for TensorFlow. Save the model without "
                'format="tensorflow".'
            )
        if isinstance(thing, FUNCTIONS):
            self._nodes.append(SavedObject(function=self._function(_described(thing))))
            return CheckpointNode()
        kind = "_generic_user_object"
        if isinstance(thing, Mapping):
            kind = "trackable_dict_wrapper"
        elif is_container(thing):
            is_tuple = isinstance(thing, tuple)
            kind = "trackable_tuple_wrapper" if is_tuple else "trackable_list_wrapper"
        self._nodes.append(SavedObject(user_object=_user_object(kind), children=children))
        return CheckpointNode(children=children)

    def _children(self, thing: object) -> dict[str, int]:
        if isinstance(thing, (Variable, *FUNCTIONS)):
            return {}
        if isinstance(thing, Generator):
            return {"_state_var": self._objects.place_of(thing.state)}
        if isinstance(thing, Mapping):
            pairs = [(str(key), each) for key, each in thing.items()]
        elif is_container(thing):
            pairs = [(str(i), each) for i, each in enumerate(thing)]
        else:
            pairs = [*self._objects.attributes(thing).items()]
        follows = self._objects.follows
        return {name: self._objects.place_of(each) for name, each in pairs if follows(each)}

    # -- functions -----------------------------------------------------------------------------

    def _function(self, found: Described) -> SavedFunction:
        names = [self._program(found.name, program) for program in _general(found)]
        spec = FunctionSpec(fullargspec=structured_values.written(_fullargspec(found)))
        if found.has_specs and found.programs:
            args, _ = found.programs[-1].arguments
            given = tuple([each for each in args if arguments_in(each)])  # the rest are defaults
            specs = _mapped(given, Argument, lambda each: each.spec)
            spec.input_signature.CopyFrom(structured_values.written(specs))
        else:
            spec.input_signature.CopyFrom(structured_values.written(None))
        return SavedFunction(concrete_functions=names, function_spec=spec)

    def _program(self, name: str, program: SavedProgram) -> str:
        """Add a function for one kind of arguments; returns its name."""
        full = f"__inference_{name.strip('<>')}_{len(self._functions)}"
        arguments = _places(program.arguments)
        try:
            check_looks(program.recording)
            returned = _returned(program)
            definition = _definition(full, program, arguments, returned)
        except (CannotBeSaved, CannotBeWritten) as error:
            raise ValueError(
                f"tf.function {name} cannot be written for TensorFlow: {error}. Save it without "
                'format="tensorflow".'
            ) from error
        self._functions.append(definition)
        bound = [self._objects.place_of(each) for each in _variables(program.recording)]
        self._saved[full] = SavedConcreteFunction(
            bound_inputs=bound,
            canonicalized_input_signature=structured_values.written(_specs(arguments)),
            output_signature=structured_values.written(_specs(returned)),
        )
        return full

    def _add_signatures(self, named: Mapping[str, Any]) -> None:
        """Add the map of signatures, and the functions in it."""
        root, place = self._nodes[0], len(self._nodes)
        root.children.append(ObjectReference(node_id=place, local_name="signatures"))
        node = SavedObject(user_object=_user_object("signature_map"))
        self._nodes.append(node)
        for name, function in named.items():
            found = signature_of(name, function, _described)
            args, _ = found.programs[-1].arguments
            names = [*found.signature.parameters]
            by_name = dict(zip(names, args, strict=True))
            general = _general(found)[-1]._replace(arguments=((), by_name))
            full = self._program(f"signature_wrapper_{name}", general)
            node.children.append(ObjectReference(node_id=len(self._nodes), local_name=name))
            about = SavedBareConcreteFunction(
                concrete_function_name=full,
                argument_keywords=names,
                allowed_positional_arguments=min(len(names), 1),
            )
            self._nodes.append(SavedObject(bare_concrete_function=about))


# -- functions as graphs ---------------------------------------------------------------------------


def _definition(name: str, program: SavedProgram, arguments: Any, returned: Any) -> FunctionDef:
    """The graph of a program."""
    recording = renumbered(program.recording)
    body, inputs, values = _begun(program, recording, arguments)
    specs = for_sizes(recording, _arguments(program), LOW).specs
    reads = [node.name for node in body.nodes]
    for step in recording.steps:
        if isinstance(step, Guard):
            continue
        try:
            results = written(TensorFlowStep(body, step, values, specs))
        except CannotBeWritten as error:
            shown = ", ".join(str(specs[n]) for n in step.outputs)
            raise CannotBeWritten(f"the op {step.op.name}, which gives {shown}: {error}") from None
        values.update(zip(step.outputs, results, strict=True))

    def value_of(ref: Any) -> GraphValue:
        if isinstance(ref, int):
            return values[ref]
        known = getattr(ref.value, "dtype", None)
        return body.constant(ref.value, known or np.asarray(ref.value).dtype)

    ends = [place for place in nest.flatten(returned) if isinstance(place, _Place)]
    given = [value_of(recording.results[place.number]) for place in ends]
    numbers = {id(v): f"variable_{i}" for i, v in enumerate(_variables(recording))}
    control = []
    for variable, ref in recording.assigns:
        handle = GraphValue(numbers[id(variable)], np.dtype(object))
        value = value_of(ref)
        body.add("AssignVariableOp", handle, value)
        body.nodes[-1].input.extend([f"^{each}" for each in reads])
        control.append(body.nodes[-1].name)
    outputs = {f"output_{i}": body.one("Identity", each) for i, each in enumerate(given)}
    signature = OpDef(
        name=name,
        input_arg=inputs,
        output_arg=[ArgDef(name=n, type=_number(v.dtype)) for n, v in outputs.items()],
        is_stateful=bool(recording.reads or recording.assigns),
        control_output=control,
    )
    return FunctionDef(
        signature=signature,
        node_def=body.nodes,
        ret={n: v.name for n, v in outputs.items()},
        control_ret={n: n for n in control},
    )


def _begun(
    program: SavedProgram, recording: Recording, arguments: Any
) -> tuple[GraphBody, list[ArgDef], dict[int, GraphValue]]:
    """A body with what it takes: arguments in TensorFlow's order, and variables, which it reads."""
    inputs: list[ArgDef] = []
    values: dict[int, GraphValue] = {}
    sizes: dict[int, tuple[GraphValue, int]] = {}
    for i, place in enumerate([x for x in nest.flatten(arguments) if isinstance(x, _Place)]):
        argument = _arguments(program)[place.number]
        value = GraphValue(f"argument_{i}", argument.dtype)
        values[recording.inputs[place.number]] = value
        inputs.append(ArgDef(name=value.name, type=_number(argument.dtype)))
        for axis, length in enumerate(argument.shape):
            if isinstance(length, Unknown):
                sizes.setdefault(length.number, (value, axis))
    body = GraphBody(sizes)
    numbers = {id(variable): number for variable, number in recording.reads}
    for i, variable in enumerate(_variables(recording)):
        inputs.append(ArgDef(name=f"variable_{i}", type=dtypes.resource.as_datatype_enum))
        if id(variable) in numbers:
            handle = GraphValue(f"variable_{i}", np.dtype(object))
            read = body.one("ReadVariableOp", handle, dtype=dtypes.of(variable._array.dtype))
            values[numbers[id(variable)]] = read
    return body, inputs, values


def _variables(recording: Recording) -> list[Variable]:
    """The variables that are read or assigned, each once."""
    found = {id(v): v for v, _ in (*recording.reads, *recording.assigns)}
    return [*found.values()]


def _arguments(program: SavedProgram) -> list[Argument]:
    return arguments_in(program.arguments)


def _number(dtype: np.dtype[Any]) -> int:
    return dtypes.of(dtype).as_datatype_enum


def _described(function: AnyFunction) -> Described:
    return described(function, gradients=False)


def _general(found: Described) -> list[SavedProgram]:
    """For each kind of arguments the program of any sizes, which comes last."""
    by_kind = {repr(program.arguments): program for program in found.programs}
    return [*by_kind.values()]


# -- structures ------------------------------------------------------------------------------------


def _mapped(structure: Any, kind: type, function: Callable[[Any], Any]) -> object:
    """A structure of tuples, lists and dicts with all things of a kind replaced."""
    if isinstance(structure, kind):
        return function(structure)
    if type(structure) in (tuple, list):
        return type(structure)([_mapped(each, kind, function) for each in structure])
    if type(structure) is dict:
        return {key: _mapped(each, kind, function) for key, each in structure.items()}
    if structure is None or isinstance(structure, (bool, int, float, str)):
        return structure
    raise CannotBeWritten(f"{structure!r} is among its arguments or results")


def _places(structure: object) -> object:
    """The arguments with a place for each tensor."""
    numbers = itertools.count()
    return _mapped(structure, Argument, lambda each: _Place(next(numbers), each.spec))


def _returned(program: SavedProgram) -> object:
    """The result with a place for each tensor."""
    outputs = program.outputs
    return _mapped(
        program.returned,
        Result,
        lambda each: _Place(each.position, _any_rank(outputs[each.position])),
    )


def _any_rank(output: Argument) -> TensorSpec:
    """The spec of a result, of which the dimensions are those of one call."""
    return TensorSpec([None] * len(output.shape), output.spec.dtype)


def _specs(places: object) -> object:
    return _mapped(places, _Place, lambda each: each.spec)


class FullArgSpec(NamedTuple):
    """The parameters of a function, as TensorFlow writes them."""

    args: list[str]
    varargs: str | None
    varkw: str | None
    defaults: tuple[object, ...] | None
    kwonlyargs: list[str]
    kwonlydefaults: dict[str, object] | None
    annotations: dict[str, object]


def _fullargspec(found: Described) -> object:
    """The parameters of a function."""
    kind = inspect.Parameter

    def of(*kinds: object) -> list[inspect.Parameter]:
        return [p for p in found.signature.parameters.values() if p.kind in kinds]

    plain = of(kind.POSITIONAL_ONLY, kind.POSITIONAL_OR_KEYWORD)
    by_name, rest, others = map(of, (kind.KEYWORD_ONLY, kind.VAR_POSITIONAL, kind.VAR_KEYWORD))
    return FullArgSpec(
        [p.name for p in plain],
        rest[0].name if rest else None,
        others[0].name if others else None,
        tuple([_default(p) for p in plain if p.default is not p.empty]) or None,
        [p.name for p in by_name],
        {p.name: _default(p) for p in by_name if p.default is not p.empty} or None,
        {},
    )


def _default(parameter: inspect.Parameter) -> object:
    return _mapped(parameter.default, Omitted, lambda _: None)


def _user_object(kind: str) -> SavedUserObject:
    return SavedUserObject(identifier=kind, version=VersionDef(producer=1, min_consumer=1))


def _variable(variable: Variable) -> SavedVariable:
    lengths = None if variable.shape.rank is None else variable.shape.as_list()
    return SavedVariable(
        dtype=variable.dtype.as_datatype_enum,
        shape=shape_message(lengths),
        trainable=bool(variable.trainable),
        name=variable.name.removesuffix(":0"),
    )
