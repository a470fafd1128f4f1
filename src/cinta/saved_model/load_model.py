"""Load a saved model: everything in the file is checked before it is believed."""

from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.tensor import wrap
from ..engine.variable import Variable
from ..errors import DataLossError, UnimplementedError
from ..files.container import Container
from ..ops.random.generator import Generator
from . import domains
from .asset import Asset, inside
from .decode_programs import Decoder
from .plain_structures import arguments_in, check_places
from .programs import SavedProgram
from .restored import CallableModule, LoadedFunction, LoadedModule, SignatureFunction
from .saving import FILE, KIND, VERSION

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from .save_options import LoadOptions

    Loaded = TypeVar("Loaded", bound=LoadedFunction)


def load(export_dir: str | os.PathLike[str], options: LoadOptions | None = None) -> LoadedModule:
    """The model that is in the file of this directory."""
    container = open_model(export_dir)
    skip = options is not None and options.experimental_skip_checkpoint
    try:
        return _Reader(container, skip).root()
    except NONSENSE as error:
        raise damaged(container.path, error) from error


NONSENSE = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    OverflowError,
    RecursionError,
)
"""Python's errors about documents that are not models."""


def damaged(path: object, error: Exception) -> DataLossError:
    """The error for a file with invalid content."""
    return DataLossError(f"{path} is damaged: {error}.")


def open_model(export_dir: str | os.PathLike[str]) -> Container:
    """The file of a saved model, which is of a version that is known."""
    path = os.path.join(export_dir, FILE)
    if not os.path.isfile(path):
        raise OSError(f"SavedModel file does not exist at: {path}.")
    container = Container(path)
    document = container.document
    if container.kind != KIND or not isinstance(document, dict):
        raise DataLossError(f"{path} is not a saved model: it is of the kind {container.kind!r}.")
    if document.get("version") != VERSION:
        raise UnimplementedError(
            f"{path} has version {document.get('version')!r} of saved models; this cinta reads "
            f"version {VERSION}. Use a newer cinta."
        )
    return container


class _Reader:
    """Reads objects."""

    def __init__(self, container: Container, skip_values: bool) -> None:
        self._container, self._skip = container, skip_values
        document = container.document
        self._nodes, self._signatures = document["nodes"], document["signatures"]
        if not isinstance(self._nodes, list) or not isinstance(self._signatures, dict):
            raise ValueError("there is no list of objects or no table of signatures")
        self._made: dict[int, object] = {}
        self._waiting: list[Callable[[], None]] = []
        self._begun: set[int] = set()
        directory = os.path.dirname(os.fspath(container.path))
        for place, node in enumerate(self._nodes):
            if node["kind"] == "variable":
                self._made[place] = self._variable(node)
            elif node["kind"] == "asset":
                self._made[place] = inside(directory, str(node["file"]))
        variables = {place: _variable_of(made) for place, made in self._made.items()}
        self._decode = Decoder(container, variables)

    def root(self) -> LoadedModule:
        """The object that was saved."""
        root = self._object(0)
        while self._waiting:
            self._waiting.pop()()
        if not isinstance(root, LoadedModule):
            raise ValueError("the first object has no attributes")
        root.signatures = {
            name: self._function(node, SignatureFunction) for name, node in self._signatures.items()
        }
        return root

    def _object(self, place: int) -> object:
        """The object at a place; what it is made of may follow later."""
        if type(place) is not int or not 0 <= place < len(self._nodes):
            raise ValueError(f"there is no object {place!r}")
        if place not in self._made:
            if place in self._begun:
                raise ValueError(f"the tuple at {place} is in itself")
            self._begun.add(place)
            self._made[place] = self._new(self._nodes[place])
        return self._made[place]

    def _new(self, node: dict[str, Any]) -> object:
        kind = node["kind"]
        if kind == "function":
            return self._function(node, LoadedFunction)
        if kind == "tuple":
            return tuple([self._item(item) for item in node["items"]])
        if kind == "list":
            items: list[object] = []
            self._waiting.append(lambda: items.extend(map(self._item, node["items"])))
            return items
        if kind == "dict":
            table: dict[object, object] = {}
            self._waiting.append(lambda: table.update(self._pairs(node["items"])))
            return table
        if kind == "generator":
            state = self._decode.variable(node["state"])
            generator = Generator.from_state(state, node["algorithm"])
            generator.state = state
            return generator
        if kind == "object":
            return self._module(node)
        raise ValueError(f"{kind!r} is not a kind of object")

    def _module(self, node: dict[str, Any]) -> LoadedModule:
        children = node["children"]
        kind = CallableModule if "__call__" in children else LoadedModule
        module = kind(node["name"])

        def fill() -> None:
            for name, place in children.items():
                vars(module)[name] = self._object(place)

        self._waiting.append(fill)
        return module

    def _pairs(self, items: list[list[Any]]) -> list[tuple[object, object]]:
        return [(self._decode(key), self._item(item)) for key, item in items]

    def _item(self, item: dict[str, Any]) -> object:
        ((kind, content),) = item.items()
        if kind == "object":
            return self._object(content)
        if kind == "tensor":
            return wrap(self._decode(content))
        if kind == "value":
            return self._decode(content)
        raise ValueError(f"{kind!r} is not a kind of element")

    def _variable(self, node: dict[str, Any]) -> Variable:
        key, shape = node["value"], node["shape"]
        if self._skip:
            dtype, lengths = self._container.spec(key)
            value = np.full(lengths, b"" if dtype.kind == "O" else 0, dtype)
        else:
            value = self._container.read(key)
        tensor = wrap(value if value.dtype.kind == "O" else value[()])
        return Variable(tensor, bool(node["trainable"]), name=node["name"], shape=shape)

    # -- functions -----------------------------------------------------------------------------

    def _function(self, node: dict[str, Any], kind: type[Loaded]) -> Loaded:
        signature = inspect.Signature([self._parameter(*each) for each in node["parameters"]])
        programs = [self._program(each) for each in node["programs"]]
        left_out, has_specs = [*map(str, node["left_out"])], bool(node["has_specs"])
        origin = str(self._container.path)
        return kind(str(node["name"]), signature, programs, left_out, has_specs, origin)

    def _parameter(self, name: str, kind: str, *default: int | None) -> inspect.Parameter:
        if kind not in _KINDS:
            raise ValueError(f"{kind!r} is not a kind of parameter")
        given = self._decode(default[0]) if default else inspect.Parameter.empty
        return inspect.Parameter(name, _KINDS[kind], default=given)

    def _program(self, fields: list[object]) -> SavedProgram:
        program = SavedProgram(*[self._decode(field) for field in fields])
        if not domains.fits(program, SavedProgram):
            raise ValueError("a program has fields of the wrong kind")
        count = len(arguments_in(program.arguments))
        if count != len(program.recording.inputs):
            raise ValueError(f"a program of {count} tensors has a recording of another number")
        check_places(program.returned, len(program.recording.results))
        return program


def _variable_of(made: Any) -> Variable:
    """The variable by which functions know an object."""
    return made._path if isinstance(made, Asset) else made


_KINDS = {
    kind.name: kind
    for kind in (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.VAR_POSITIONAL,
        inspect.Parameter.KEYWORD_ONLY,
        inspect.Parameter.VAR_KEYWORD,
    )
}
