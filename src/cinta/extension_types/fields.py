"""The fields of a class: its annotations, and those of the classes that it is made from."""

from __future__ import annotations

import inspect
import typing
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from .field_types import check, converted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..engine.composites import Part

RESERVED = frozenset(("Spec", "self"))
"""Names that no field can have."""


class Field(NamedTuple):
    """The name of a field, what it is annotated with, and its value where none is given."""

    name: str
    annotation: Part
    default: Part = inspect.Parameter.empty

    def parameter(self, after_default: bool) -> inspect.Parameter:
        """The field as a parameter; behind one that has a default, it is given by name."""
        by_name = after_default and self.default is inspect.Parameter.empty
        return inspect.Parameter(
            self.name,
            inspect.Parameter.KEYWORD_ONLY if by_name else inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=self.default,
            annotation=self.annotation,
        )


_KNOWN: WeakKeyDictionary[type, tuple[Field, ...]] = WeakKeyDictionary()
"""The fields of the classes that were asked for."""


def fields_of(
    kind: type, base: type, around: Mapping[str, Part] | None = None
) -> tuple[Field, ...]:
    """The fields of a class, those of the classes that it is made from first.

    ``around`` are the names that annotations can use beside those of the class's module. Raises
    NameError if an annotation names a class that is not there yet.
    """
    if kind in _KNOWN:
        return _KNOWN[kind]
    known = typing.get_type_hints(kind, localns={**(around or {}), kind.__name__: kind})
    defaults: dict[str, Part] = {}
    names: dict[str, None] = {}
    for each in reversed(kind.__mro__):
        if issubclass(each, base) and each is not base:
            names.update(dict.fromkeys(vars(each).get("__annotations__", {})))
            defaults.update(vars(each))
    found = [Field(name, known[name]) for name in names]
    for field in found:
        check(field.annotation, field.name)
    _KNOWN[kind] = tuple([_with_default(field, defaults) for field in found])
    return _KNOWN[kind]


def _with_default(field: Field, defaults: dict[str, Part]) -> Field:
    if field.name not in defaults:
        return field
    default = defaults[field.name]
    converted(default, field.annotation, f"default value for {field.name}")
    return field._replace(default=default)


def check_names(kind: type) -> None:
    """Refuse names of fields that are taken."""
    for name in vars(kind).get("__annotations__", {}):
        if name in RESERVED or name.startswith("_tf_extension_type"):
            raise ValueError(
                f"The field annotations for {kind.__name__} are invalid. "
                f"Field {name!r} is reserved."
            )


def signature_of(fields: tuple[Field, ...]) -> inspect.Signature:
    """How an object is made of its fields."""
    parameters: list[inspect.Parameter] = []
    for field in fields:
        has_default = any(p.default is not p.empty for p in parameters)
        parameters.append(field.parameter(has_default))
    parameters.sort(key=lambda p: p.kind)
    return inspect.Signature(parameters)
