"""Types of functions: which arguments and results they have, as TensorFlow writes it."""

from __future__ import annotations

import inspect
import weakref
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import nest
from ..public import public
from ..replay.argument_structures import is_traced
from .specs import TensorSpec, TypeSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..engine.variable import Variable
    from .declared import Declared

_ATOMS = (int, float, complex, bool, str, bytes, type(None))
_BY_POSITION = inspect.Parameter.POSITIONAL_ONLY
_BY_KEYWORD = inspect.Parameter.KEYWORD_ONLY


class Parameter(NamedTuple):
    """A parameter of a function; ``type_constraint`` is a nest of specs and constants."""

    name: str
    kind: inspect._ParameterKind
    optional: bool
    type_constraint: object

    def __str__(self) -> str:
        return f"{self.name}: {written(self.type_constraint)}"


@public("types.experimental.FunctionType")
class FunctionType:
    """The parameters of a function, its result, and the variables that it reads.

    >>> import cinta as tf
    >>> size = tf.function(lambda x: {"size": tf.size(x)})
    >>> print(size.get_concrete_function([1]).function_type)
    (x: List[Literal[1]]) -> Dict[['size', TensorSpec(shape=(), dtype=tf.int32, name=None)]]

    Args:
        parameters: The parameters.
        output: The specs of the result, in its structure.
        variables: The variables.
    """

    def __init__(
        self, parameters: Iterable[Parameter], output: object, variables: Sequence[Variable] = ()
    ) -> None:
        self.parameters = OrderedDict((each.name, each) for each in parameters)
        self.output = output
        self.captures = OrderedDict((id(v), v) for v in variables)

    @classmethod
    def _of(cls, declared: Declared, output: object, variables: Sequence[Variable]) -> FunctionType:
        """The type of a function with declared arguments."""
        parameters = [
            Parameter(name, kind, False, declared.arguments[name])
            for name, kind in declared.kinds.items()
        ]
        return cls(parameters, output, variables)

    def __str__(self) -> str:
        texts, before = [], None
        for each in self.parameters.values():
            if before is _BY_POSITION is not each.kind:
                texts.append("/")
            if before is not each.kind is _BY_KEYWORD:
                texts.append("*")
            texts.append(str(each))
            before = each.kind
        if before is _BY_POSITION:
            texts.append("/")
        return f"({', '.join(texts)}) -> {written(self.output)}"

    def __repr__(self) -> str:
        parameters = [
            f"  {each.name} ({each.kind.name}): {written(each.type_constraint)}"
            for each in self.parameters.values()
        ]
        output = ["Output Type:", f"  {written(self.output)}"]
        handle = "TensorSpec(shape=(), dtype=tf.resource, name=None)"
        captures = [f"  {number}: {handle}" for number in self.captures] or ["  None"]
        return "\n".join(["Input Parameters:", *parameters, *output, "Captures:", *captures])


def written(value: object) -> str:
    """A nest of specs and constants as TensorFlow writes types of arguments."""
    if isinstance(value, TensorSpec):
        return repr(TensorSpec(value.shape, value.dtype))
    if isinstance(value, TypeSpec):
        return repr(value)
    if type(value) in _ATOMS:
        return f"Literal[{value!r}]"
    if isinstance(value, dict):
        return _named("Dict", value.items())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return _named(type(value).__name__, zip(value._fields, value, strict=True))
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__.capitalize()}[{', '.join(map(written, value))}]"
    if nest.is_nested(value):
        pairs = [("/".join(map(str, path)), x) for path, x in nest.flatten_with_path(value)]
        return _named(type(value).__name__, pairs)
    return repr(value) if is_traced(value) else f"Weakref[{_reference(value)}]"


def _named(name: str, pairs: Iterable[tuple[Any, Any]]) -> str:
    return f"{name}[{', '.join([f'[{key!r}, {written(x)}]' for key, x in pairs])}]"


def _reference(value: object) -> str:
    try:
        return repr(weakref.ref(value))
    except TypeError:  # not all objects have weak references
        return repr(value)
