"""Saved models as TensorFlow reads them: objects, their functions as graphs, and a checkpoint."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..checkpoints.bundle.bundle import OBJECT_GRAPH
from ..checkpoints.bundle.writing import write_bundle
from ..checkpoints.object_graph import VALUE, escaped
from ..checkpoints.trackable import is_container
from ..engine.variable import Variable
from ..errors import UnimplementedError
from ..export.described import check_looks
from ..files.atomic import replacing, write
from ..ops.random.generator import Generator
from ..protobuf.graph_messages import (
    FunctionDef,
    FunctionDefLibrary,
    GraphDef,
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
from ..saved_model.asset import Asset
from ..saved_model.constants import SERVING
from ..saved_model.objects import Objects
from ..saved_model.plain_structures import (
    Argument,
    CannotBeSaved,
    Omitted,
    arguments_in,
)
from ..saved_model.saved_functions import FUNCTIONS, described, signature_of
from ..saved_model.saving import signatures_for
from . import structured_values
from .function_definitions import defined, variables_of
from .graph_body import CannotBeWritten
from .node_attributes import shape_message
from .tensor_places import places_of, replaced, returned_places, specs_of

if TYPE_CHECKING:
    from ..saved_model.programs import SavedProgram
    from ..saved_model.saved_functions import AnyFunction, Described

VERSION = "2.21.0"
"""The version of TensorFlow whose graphs these are."""


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
            specs = replaced(given, Argument, lambda each: each.spec)
            spec.input_signature.CopyFrom(structured_values.written(specs))
        else:
            spec.input_signature.CopyFrom(structured_values.written(None))
        return SavedFunction(concrete_functions=names, function_spec=spec)

    def _program(self, name: str, program: SavedProgram) -> str:
        """Add a function for one kind of arguments; returns its name."""
        full = f"__inference_{name.strip('<>')}_{len(self._functions)}"
        arguments = places_of(program.arguments)
        try:
            check_looks(program.recording)
            returned = returned_places(program)
            definition = defined(full, program, arguments, returned)
        except (CannotBeSaved, CannotBeWritten) as error:
            raise ValueError(
                f"tf.function {name} cannot be written for TensorFlow: {error}. Save it without "
                'format="tensorflow".'
            ) from error
        self._functions.append(definition)
        bound = [self._objects.place_of(each) for each in variables_of(program.recording)]
        self._saved[full] = SavedConcreteFunction(
            bound_inputs=bound,
            canonicalized_input_signature=structured_values.written(specs_of(arguments)),
            output_signature=structured_values.written(specs_of(returned)),
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


def _described(function: AnyFunction) -> Described:
    return described(function, gradients=False)


def _general(found: Described) -> list[SavedProgram]:
    """For each kind of arguments the program of any sizes, which comes last."""
    by_kind = {repr(program.arguments): program for program in found.programs}
    return [*by_kind.values()]


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
    return replaced(parameter.default, Omitted, lambda _: None)


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
