"""Specs as libraries derive theirs from them, and the names under which these are registered."""

from __future__ import annotations

import re
from abc import ABCMeta
from typing import TYPE_CHECKING, TypeVar

from ..programs.specs import TensorSpec, TypeSpec

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BatchableTypeSpec", "DenseSpec", "get_name", "lookup", "register"]

Kind = TypeVar("Kind", bound=type)

_FORM = re.compile(r"^(\w+\.)+\w+$")
_NAME_TO_TYPE_SPEC: dict[str, type] = {}
_TYPE_SPEC_TO_NAME: dict[type, str] = {}
"""The names are TensorFlow's, because libraries take back by them what they have registered."""


class BatchableTypeSpec(TypeSpec):
    """The base of specs of values that can be stacked and taken apart: ``_batch``, ``_unbatch``."""

    __slots__ = ()


class DenseSpec(TypeSpec, metaclass=ABCMeta):
    """The base of specs of values that become one tensor of some shape and dtype."""


DenseSpec.register(TensorSpec)


def register(name: str) -> Callable[[Kind], Kind]:
    """A decorator of classes of specs: they are found by this name from then on.

    >>> import cinta as tf
    >>> from cinta.as_tensorflow.type_specs import get_name, lookup, register
    >>> @register("my_library.PairSpec")
    ... class PairSpec(tf.TypeSpec):
    ...     pass
    >>> lookup("my_library.PairSpec") is PairSpec, get_name(PairSpec)
    (True, 'my_library.PairSpec')
    """
    if not isinstance(name, str):
        raise TypeError(f"Expected `name` to be a string; got {name!r}")
    if not _FORM.match(name):
        raise ValueError(
            "Registered name must have the form '{project_name}.{type_name}' "
            f"(e.g. 'my_project.MyTypeSpec'); got {name!r}."
        )

    def decorator(kind: Kind) -> Kind:
        if not (isinstance(kind, type) and issubclass(kind, TypeSpec)):
            raise TypeError(f"Expected `cls` to be a TypeSpec; got {kind!r}")
        if kind in _TYPE_SPEC_TO_NAME:
            raise ValueError(
                f"Class {kind.__module__}.{kind.__name__} has already been registered with name "
                f"{_TYPE_SPEC_TO_NAME[kind]}."
            )
        if name in _NAME_TO_TYPE_SPEC:
            raise ValueError(
                f"Name {name} has already been registered for class {_NAME_TO_TYPE_SPEC[name]}."
            )
        _NAME_TO_TYPE_SPEC[name], _TYPE_SPEC_TO_NAME[kind] = kind, name
        return kind

    return decorator


def get_name(cls: type) -> str:
    """The name of a registered class of specs."""
    if cls not in _TYPE_SPEC_TO_NAME:
        raise ValueError(f"TypeSpec {cls.__module__}.{cls.__name__} has not been registered.")
    return _TYPE_SPEC_TO_NAME[cls]


def lookup(name: str) -> type:
    """The class of specs that is registered by a name."""
    if name not in _NAME_TO_TYPE_SPEC:
        raise ValueError(f"No TypeSpec has been registered with name {name!r}")
    return _NAME_TO_TYPE_SPEC[name]
