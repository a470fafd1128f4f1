"""The kinds of things that are understood: each module here has the kinds of one subject.

``look`` finds the kind of a value in the table, and compares the value as the kind says. If there
is no kind for it, the function that reaches the value runs as Python.
"""

from __future__ import annotations

import types
from typing import TYPE_CHECKING

import numpy as np

from ....engine.module import Module
from ..callables import (
    CLOCK_METHODS,
    is_compiled_by_jax,
    is_listed,
    makes_generators,
    methods_called_by_numpy,
)
from ..instances import instance
from ..ownership import owner_of
from . import (  # noqa: F401  # each enters its kinds in the table
    array_contents,
    containers,
    functions_and_methods,
    modules_and_classes,
)
from .constants import DATES, fixed
from .constants import PLAIN as PLAIN
from .generators import generator, is_generator, maker
from .refusals import unknown as unknown
from .table import FAMILIES, kind_of_class
from .tensors import of_cinta

if TYPE_CHECKING:
    from ..reach import Found, Reach
    from .table import Kind

_NAMED = frozenset((types.FunctionType, types.BuiltinFunctionType, type(np.sum)))
"""The classes of objects that have the name of their module."""

_SEALED = frozenset((np.generic, np.dtype))
"""The classes of which a program may not have made its own."""


def look(reach: Reach, found: Found) -> None:
    """Compare a value and reach for what is in it, as the entry for its kind says."""
    kind = kind_of_class(type(found.value)) or _kind_of(found.value)
    kind(reach, found)
    package = package_of(found.value)
    reach.depend(package)
    if package == "numpy" and callable(found.value):
        reach.name(methods_called_by_numpy(found.value))
    if type(found.value) in DATES or (type(found.value) is type and found.value in DATES):
        reach.system_attributes |= CLOCK_METHODS


def package_of(value: object) -> str:
    """The package of a class or a function in C, or of the class of anything else."""
    kind = type(value)
    named = kind in _NAMED or issubclass(kind, type)
    return str((value if named else kind).__module__).partition(".")[0]


def _kind_of(value: object) -> Kind:
    """The entry for a value of which the class is not in the table itself."""
    kind = type(value)  # not isinstance, which may run code of the class
    of_program = owner_of(kind) is None
    bases = [x for x in FAMILIES if issubclass(kind, x) and not (of_program and x in _SEALED)]
    if bases:
        return FAMILIES[max(bases, key=lambda base: len(base.__mro__))]
    if is_generator(value) and not of_program:
        return generator
    if makes_generators(value):
        return maker
    if is_listed(value) or is_compiled_by_jax(value):
        return fixed
    return of_cinta if owner_of(kind) == "cinta" and not issubclass(kind, Module) else instance
