"""Save a model: its objects, the values of its variables, and programs of its functions."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from ..checkpoints.object_graph import escaped
from ..checkpoints.trackable import is_container
from ..engine import settings
from ..engine.module import Module
from ..engine.tensor import Tensor
from ..engine.variable import Variable
from ..files.container import SUFFIX, write_container
from ..ops.random.generator import Generator
from ..programs.concrete import ConcreteFunction
from ..programs.function import Function
from .asset import Asset, AssetFiles
from .constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from .encode_programs import Arrays, Encoder
from .objects import Objects
from .plain_structures import CannotBeSaved
from .save_options import SaveOptions
from .saved_functions import FUNCTIONS, AnyFunction, Described, described, signature_of

if TYPE_CHECKING:
    from ..engine.annotations import TensorLike

    PathLike = str | os.PathLike[str]

KIND: Final = "cinta.saved_model"
VERSION: Final = 1
FILE: Final = "saved_model" + SUFFIX


def save(obj: object, directory: str, signatures: object, options: SaveOptions) -> None:
    """Write the file of a model in this directory."""
    document, arrays = _Writer(obj, options, AssetFiles(directory)).document(signatures)
    path = os.path.join(directory, FILE)
    write_container(path, KIND, document, arrays, settings.checkpoint_progress)


class _Writer:
    """Writes objects down."""

    def __init__(self, root: object, options: SaveOptions, assets: AssetFiles) -> None:
        self._root, self._assets = root, assets
        self._gradients = options.experimental_custom_gradients
        self._known: dict[Any, tuple[Any, Described]] = {}
        for _, thing in Objects(root).found:
            if isinstance(thing, FUNCTIONS):  # to be described may make it make its variables
                self._describe(thing)
        self._objects = Objects(root)
        self._arrays = Arrays()
        self._encode = Encoder(self._arrays, self._place_of)
        self._function = ""

    def document(self, signatures: object) -> tuple[Any, dict[str, Any]]:
        """The document and the arrays of the file."""
        nodes = [self._node(path, thing) for path, thing in self._objects.found]
        named = {
            name: self._described(signature_of(name, function, self._describe))
            for name, function in signatures_for(
                self._root, self._objects, signatures, self._describe
            ).items()
        }
        return {"version": VERSION, "nodes": nodes, "signatures": named}, self._arrays.by_name

    def _place_of(self, variable: Variable) -> int:
        try:
            return self._objects.place_of(variable)
        except KeyError:
            raise AssertionError(
                "Tried to export a function which references an 'untracked' resource. Variables "
                "captured by functions must be 'tracked' by assigning them to an attribute of a "
                "tracked object or assigned to an attribute of the main object directly. The "
                f"function is {self._function}, the variable {variable!r}."
            ) from None

    # -- objects -------------------------------------------------------------------------------

    def _node(self, path: tuple[str, ...], thing: object) -> dict[str, Any]:
        if isinstance(thing, Variable):
            return self._variable(path, thing)
        if isinstance(thing, FUNCTIONS):
            return {"kind": "function", **self._described(self._describe(thing))}
        if isinstance(thing, Asset):
            return {"kind": "asset", "file": self._assets.add(thing)}
        if isinstance(thing, Mapping):
            return {
                "kind": "dict",
                "items": [[self._encode(key), self._item(value)] for key, value in thing.items()],
            }
        if is_container(thing):
            kind = "tuple" if isinstance(thing, tuple) else "list"
            return {"kind": kind, "items": [self._item(value) for value in thing]}
        node: dict[str, Any] = {"kind": "object", "name": None}
        if isinstance(thing, Generator):
            return {
                "kind": "generator",
                "algorithm": thing.algorithm,
                "state": self._place_of(thing.state),
            }
        if isinstance(thing, Module):
            node["name"] = thing.name
        node["children"] = {
            name: self._objects.place_of(child)
            for name, child in self._objects.attributes(thing).items()
        }
        return node

    def _variable(self, path: tuple[str, ...], variable: Variable) -> dict[str, Any]:
        key = "/".join(("variables", *map(escaped, path)))
        while key in self._arrays.by_name:  # the keys 1 and "1" of a dictionary look the same
            key += "'"
        self._arrays.by_name[key] = variable._array
        shape = variable.shape
        return {
            "kind": "variable",
            "value": key,
            "name": variable.name.removesuffix(":0"),
            "trainable": bool(variable.trainable),
            "shape": None if shape.rank is None else shape.as_list(),
        }

    def _item(self, value: object) -> dict[str, Any]:
        """An element of a list, tuple or dictionary; None stands for what cannot be saved."""
        if self._objects.follows(value):
            return {"object": self._objects.place_of(value)}
        if isinstance(value, Tensor):
            return {"tensor": self._encode(value._array)}
        try:
            return {"value": self._encode(value)}
        except CannotBeSaved:
            return {"value": None}

    # -- functions -----------------------------------------------------------------------------

    def _describe(self, function: AnyFunction) -> Described:
        """The saved form of a function, computed once."""
        key = id(getattr(function, "_func", function)), *map(id, getattr(function, "_owner", ()))
        if key not in self._known:
            self._known[key] = function, described(function, self._gradients)
        return self._known[key][1]

    def _described(self, function: Described) -> dict[str, Any]:
        self._function = function.name
        try:
            return {
                "name": function.name,
                "parameters": [self._parameter(p) for p in function.signature.parameters.values()],
                "programs": [
                    [self._encode(field) for field in program] for program in function.programs
                ],
                "left_out": function.left_out,
                "has_specs": function.has_specs,
            }
        except CannotBeSaved as error:
            raise ValueError(f"tf.function {function.name} cannot be saved: {error}.") from error

    def _parameter(self, parameter: inspect.Parameter) -> list[Any]:
        default = [] if parameter.default is parameter.empty else [self._encode(parameter.default)]
        return [parameter.name, parameter.kind.name, *default]


Describe = Callable[[AnyFunction], Described]


def signatures_for(
    root: object, objects: Objects, given: object, describe: Describe
) -> dict[str, Any]:
    """The functions that are signatures, by their names."""
    if isinstance(given, Mapping):
        return dict(given)
    if given is not None:
        return {DEFAULT_SERVING_SIGNATURE_DEF_KEY: given}
    default = getattr(root, "_default_save_signature", None)  # as Keras's models have
    if default is not None:
        return {DEFAULT_SERVING_SIGNATURE_DEF_KEY: default}
    suited = [each for each in objects.attributes(root).values() if _is_suited(each, describe)]
    return {DEFAULT_SERVING_SIGNATURE_DEF_KEY: suited[0]} if len(suited) == 1 else {}


def _is_suited(function: TensorLike, describe: Describe) -> bool:
    """Whether a function can be a signature by itself."""
    has_specs = isinstance(function, ConcreteFunction) or (
        isinstance(function, Function) and function.input_signature is not None
    )
    if not has_specs:
        return False
    try:
        signature_of(DEFAULT_SERVING_SIGNATURE_DEF_KEY, function, describe)
    except ValueError:
        return False
    return True
