"""The objects of a saved model of TensorFlow."""

from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ..checkpoints.bundle.bundle import INDEX, KEYS, Bundle
from ..checkpoints.bundle.bundle import VALUES as TABLE_VALUES
from ..checkpoints.object_graph import VALUE, Node
from ..engine.tensor import wrap
from ..engine.variable import Variable
from ..errors import UnimplementedError
from ..saved_model.asset import Asset, inside
from ..saved_model.restored import CallableModule, LoadedModule
from . import structured_values
from .library import FunctionLibrary
from .node_attributes import dtype_of, shape_of, tensor_of
from .resources import Resource
from .restored_functions import (
    GraphConcrete,
    GraphPython,
    LibraryFunction,
    RefusedFunction,
    function,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..protobuf.saved_model_messages import (
        FunctionSpec,
        MetaGraphDef,
        SavedBareConcreteFunction,
        SavedObject,
    )

VALUES = f"variables/variables{INDEX}"
_SIGNATURES = "signature_map"


class Reader:
    """Makes the objects of a model, each when it is first asked for."""

    def __init__(self, meta: MetaGraphDef, path: str, skip_values: bool) -> None:
        self._directory, self._path = os.path.dirname(path), path
        self._skip = skip_values
        self._meta = meta
        self._nodes = meta.object_graph_def.nodes
        self._constants = {node.name: node for node in meta.graph_def.node if node.op == "Const"}
        self._library = FunctionLibrary(meta.graph_def, meta.object_graph_def, path, self.bound_at)
        self._made: dict[int, Any] = {}
        self._begun: set[int] = set()
        self._waiting: list[Callable[[], None]] = []
        self._names = {
            each.node_id: each.local_name for node in self._nodes for each in node.children
        }
        self._bundle = self._opened_bundle()
        self._stored = self._stored_nodes()

    def root(self) -> LoadedModule:
        """The model."""
        root = self._object(0)
        if not isinstance(root, LoadedModule):
            raise ValueError("the first object has no attributes")
        root.signatures = {}
        for place, node in enumerate(self._nodes):
            self._object(place)
            if self._is_kind(node, _SIGNATURES):
                root.signatures = self._made[place]
        while self._waiting:
            self._waiting.pop()()
        vars(root)["signatures"] = root.signatures
        self._fill_resources()
        return root

    def bound_at(self, place: int) -> object:
        """The object at a place in the form in which functions take it."""
        found = self._object(place)
        if isinstance(found, Asset):
            return found.asset_path
        return found.handle if isinstance(found, Resource) else found

    def _object(self, place: int) -> Any:
        if not 0 <= place < len(self._nodes):
            raise ValueError(f"there is no object {place}")
        if place not in self._made:
            if place in self._begun:
                raise ValueError(f"the object {place} is made of itself")
            self._begun.add(place)
            self._made[place] = self._new(place, self._nodes[place])
        return self._made[place]

    def _new(self, place: int, node: SavedObject) -> object:
        kind = node.WhichOneof("kind")
        makers: dict[str, Callable[[int, SavedObject], object]] = {
            "user_object": self._user_object,
            "variable": self._variable,
            "function": self._function,
            "bare_concrete_function": self._concrete,
            "constant": self._constant,
            "asset": self._asset,
            "resource": self._resource,
            "captured_tensor": lambda place, node: None,  # a value inside of a function
        }
        if kind is None:
            raise UnimplementedError(
                f"{self._path}: the object {place} is of a kind that is not known."
            )
        return makers[kind](place, node)

    # -- values --------------------------------------------------------------------------------

    def _opened_bundle(self) -> Bundle | None:
        path = os.path.join(self._directory, VALUES)
        return Bundle(path) if os.path.isfile(path) else None

    def _stored_nodes(self) -> dict[int, Node]:
        """The nodes of the checkpoint for the objects, found by the names that lead to them."""
        graph = self._bundle.graph() if self._bundle else None
        if graph is None:
            return {}
        found: dict[int, int] = {0: 0}
        waiting = [0]
        while waiting:
            place = waiting.pop()
            stored = graph.nodes[found[place]].children
            node = self._nodes[place]
            for each in (*node.children, *node.dependencies):
                known = 0 <= each.node_id < len(self._nodes)
                if known and each.local_name in stored and each.node_id not in found:
                    found[each.node_id] = stored[each.local_name]
                    waiting.append(each.node_id)
        return {place: graph.nodes[number] for place, number in found.items()}

    def _variable(self, place: int, node: SavedObject) -> Variable:
        about = node.variable
        shape, dtype = shape_of(about.shape), dtype_of(about.dtype)
        key = self._stored.get(place, Node()).values.get(VALUE)
        if key is None or self._bundle is None:
            raise ValueError(f"there is no value of the variable {about.name!r} in {VALUES}")
        stored, lengths = self._bundle.spec(key)
        if stored != dtype.dtype or not shape.is_compatible_with(lengths):
            raise ValueError(
                f"the variable {about.name!r} is {dtype.name}{shape}, and its value in {VALUES} "
                f"is {stored}{list(lengths)}"
            )
        if self._skip:
            value = np.full(lengths, b"" if stored.kind == "O" else 0, stored)
        else:
            value = self._bundle.read(key)
        tensor = wrap(value if stored.kind == "O" else value[()])
        return Variable(tensor, bool(about.trainable), name=about.name or None, shape=shape)

    def _constant(self, place: int, node: SavedObject) -> object:
        name = node.constant.operation
        if name not in self._constants:
            raise ValueError(f"there is no constant {name!r}")
        return tensor_of(self._constants[name].attr["value"].tensor)

    def _asset(self, place: int, node: SavedObject) -> object:
        files, number = self._meta.asset_file_def, node.asset.asset_file_def_index
        if not 0 <= number < len(files):
            raise ValueError(f"there is no asset {number}")
        return inside(self._directory, files[number].filename)

    # -- objects -------------------------------------------------------------------------------

    @staticmethod
    def _is_kind(node: SavedObject, kind: str) -> bool:
        return bool(
            node.WhichOneof("kind") == "user_object" and node.user_object.identifier == kind
        )

    def _children(self, node: SavedObject) -> dict[str, int]:
        return {each.local_name: each.node_id for each in node.children}

    def _user_object(self, place: int, node: SavedObject) -> object:
        kind, children = node.user_object.identifier, self._children(node)
        if kind in ("trackable_dict_wrapper", _SIGNATURES):
            table: dict[str, Any] = {}
            self._waiting.append(
                lambda: table.update({name: self._object(p) for name, p in children.items()})
            )
            return table
        if kind == "trackable_list_wrapper":
            items: list[Any] = []
            self._waiting.append(lambda: items.extend(self._items(children)))
            return items
        if kind == "trackable_tuple_wrapper":
            return tuple(self._items(children))
        return self._module(CallableModule if "__call__" in children else LoadedModule, children)

    def _items(self, children: Mapping[str, int]) -> list[Any]:
        """The elements of a list; None stands for those that the file does not have."""
        numbers = {int(name): place for name, place in children.items() if name.isdecimal()}
        if len(numbers) < len(children) or max(numbers, default=-1) >= _LONGEST:
            raise ValueError(f"{[*children][:9]} are not the places in a list")
        count = max(numbers, default=-1) + 1
        return [self._object(numbers[i]) if i in numbers else None for i in range(count)]

    def _module(self, kind: type[LoadedModule], children: Mapping[str, int]) -> LoadedModule:
        module = kind("loaded")

        def fill() -> None:
            for name, place in children.items():
                vars(module)[name] = self._object(place)

        self._waiting.append(fill)
        return module

    # -- functions -----------------------------------------------------------------------------

    def _way(self, name: str) -> LibraryFunction:
        saved = self._library.saved(name)
        arguments = structured_values.plain(saved.canonicalized_input_signature)
        returned = structured_values.plain(saved.output_signature)
        if not _is_call(arguments):
            raise ValueError(f"the arguments of {name} are not those of a call")
        return LibraryFunction(self._library, name, arguments, returned)

    def _function(self, place: int, node: SavedObject) -> object:
        names, spec = node.function.concrete_functions, node.function.function_spec
        name = self._name_of(place)
        try:
            ways = [self._way(each) for each in names]
            signature, specs = _parameters(spec), _input_signature(spec)
        except UnimplementedError as error:
            return RefusedFunction(name, error)
        return function(GraphPython(name, signature, ways, self._path), ways, specs)

    def _concrete(self, place: int, node: SavedObject) -> object:
        about = node.bare_concrete_function
        name = self._name_of(place)
        try:
            way = self._way(about.concrete_function_name)
            signature = _parameters(about.function_spec) if _has_parameters(about) else None
        except UnimplementedError as error:
            return RefusedFunction(name, error)
        signature = signature or _keywords(way, [*about.argument_keywords])
        return GraphConcrete(GraphPython(name, signature, [way], self._path), way)

    def _name_of(self, place: int) -> str:
        """The name under which an object has a function."""
        return str(self._names.get(place, f"function_{place}"))

    # -- tables --------------------------------------------------------------------------------

    def _resource(self, place: int, node: SavedObject) -> Resource:
        children = self._children(node)
        if "_create_resource" not in children:
            raise ValueError(f"there is no function that makes the object {place}")
        return Resource(lambda: self._called(children["_create_resource"]))

    def _called(self, place: int) -> object:
        """The result of a function without arguments."""
        node = self._nodes[place] if 0 <= place < len(self._nodes) else None
        names = [*node.function.concrete_functions] if node is not None else []
        if len(names) != 1:
            raise ValueError(f"the object {place} is not a function without arguments")
        return self._way(names[0])(())

    def _fill_resources(self) -> None:
        """Give tables what their functions put into them, and what was saved of them."""
        for place, node in enumerate(self._nodes):
            if node.WhichOneof("kind") == "resource":
                children = self._children(node)
                if "_initialize" in children:
                    self._called(children["_initialize"])
                self._restore_table(place)

    def _restore_table(self, place: int) -> None:
        stored = self._stored.get(place, Node()).values
        keys, values = [
            next((key for name, key in stored.items() if name.endswith(end)), None)
            for end in (KEYS, TABLE_VALUES)
        ]
        if self._bundle and keys and values and not self._skip:
            pairs = [self._bundle.read(key) for key in (keys, values)]
            self._object(place).restore(*pairs)


_LONGEST = 1 << 20
"""More elements than any list of objects has."""


def _is_call(arguments: object) -> bool:
    """Whether a structure is that of arguments by position and by name."""
    return (
        type(arguments) is tuple
        and len(arguments) == 2
        and type(arguments[0]) is tuple
        and type(arguments[1]) is dict
    )


def _has_parameters(about: SavedBareConcreteFunction) -> bool:
    return bool(about.function_spec.fullargspec.WhichOneof("kind"))


def _parameters(spec: FunctionSpec) -> inspect.Signature:
    """The parameters of a function, as Python says them."""
    about = structured_values.plain(spec.fullargspec)
    args = [*about.args][int(spec.is_method) :]
    defaults = [*(about.defaults or ())]
    first = len(args) - len(defaults)
    made = [
        _parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, defaults[i - first :][:1])
        if i >= first
        else _parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, [])
        for i, name in enumerate(args)
    ]
    if about.varargs:
        made.append(_parameter(about.varargs, inspect.Parameter.VAR_POSITIONAL, []))
    by_name = about.kwonlydefaults or {}
    for name in about.kwonlyargs:
        given = [by_name[name]] if name in by_name else []
        made.append(_parameter(name, inspect.Parameter.KEYWORD_ONLY, given))
    if about.varkw:
        made.append(_parameter(about.varkw, inspect.Parameter.VAR_KEYWORD, []))
    return inspect.Signature(made)


def _parameter(name: str, kind: inspect._ParameterKind, default: list[Any]) -> inspect.Parameter:
    return inspect.Parameter(name, kind, default=default[0] if default else inspect.Parameter.empty)


def _keywords(way: LibraryFunction, names: list[str]) -> inspect.Signature:
    """The parameters of a function of which only the names of its tensors are known."""
    (args, kwargs), kind = way.arguments, inspect.Parameter.POSITIONAL_OR_KEYWORD
    by_place = [inspect.Parameter(name, kind) for name in names[: len(args)]]
    by_name = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in kwargs]
    return inspect.Signature([*by_place, *by_name])


def _input_signature(spec: FunctionSpec) -> object:
    """The specs that the function was given for its arguments, None without."""
    if spec.input_signature.WhichOneof("kind") is None:
        return None
    return structured_values.plain(spec.input_signature)
