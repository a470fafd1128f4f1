"""Modules and classes: their attributes are compared as far as code names them."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING

from ..callables import is_listed, makes_generators, may_query_system, of_opaque_library
from ..instances import made_by_python, reached_class
from .refusals import refuse_callable
from .table import handles, identity

if TYPE_CHECKING:
    from ..reach import Found, Reach


@handles(types.ModuleType)
def module(reach: Reach, found: Found) -> None:
    """Its names are compared as far as code names them."""
    value = found.value
    if not identity(reach, found) or of_opaque_library(value):
        return
    if "__getattr__" in vars(value) and not reach.of_library(value):
        reach.refuse(f"{found.label} is a module with a __getattr__, which may give anything")
    space = reach.space(vars(value), vars(value), found.label)
    space.open_to = _names_of_module


def _names_of_module(reach: Reach) -> set[str]:
    return reach.names


@handles(type, subclasses=(type,))
def class_(reach: Reach, found: Found) -> None:
    """Its methods are read, and its attributes compared as far as code names them."""
    if not identity(reach, found) and (
        found.only_type_test or not reach.first(found.value, "made")
    ):
        return
    if makes_generators(found.value):
        reach.makes_generators = True
    elif is_listed(found.value) or of_opaque_library(found.value):
        reach.count_registrations(found.value)
    elif may_query_system(found.value) or not made_by_python(found.value):
        refuse_callable(reach, found)
    else:
        reached_class(reach, found, made=not found.only_type_test)
