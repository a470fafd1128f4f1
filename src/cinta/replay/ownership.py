"""Whose a thing is: the program's, which changes it, or a library's."""

from __future__ import annotations

import sys
import types
from typing import Any

from ..engine.module import Module

_OPAQUE = frozenset(("cinta", "numpy", "scipy", "jax", "keras", "builtins"))
_LIBRARIES = (frozenset(sys.stdlib_module_names) | _OPAQUE) - {"__main__"}


def is_library(module: str | None) -> bool:
    """Whether a module of this name belongs to Python or to a library."""
    return _package(module) in _LIBRARIES


def of_library(thing: Any) -> bool:
    """Whether a function or class is Python's or a library's: its code does not change."""
    if isinstance(thing, types.FunctionType):  # what decorators say of its module may be another's
        return is_library(thing.__globals__.get("__name__"))
    return is_library(getattr(thing, "__module__", None))


def is_opaque(value: Any) -> bool:
    """Whether what an object holds is no concern of the program that uses it."""
    if isinstance(value, types.ModuleType):
        return is_library(value.__name__)
    kind = value if isinstance(value, type) else type(value)
    return _package(kind.__module__) in _OPAQUE and kind is not Module


def of_cinta(value: Any) -> bool:
    """Whether an object is of a class of this package."""
    return _package(type(value).__module__) == "cinta"


def _package(module: str | None) -> str:
    return (module or "").partition(".")[0]
