"""Functions, methods, and the descriptors that make methods of functions."""

from __future__ import annotations

import functools
import sys
import types
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np

from ....engine.op import Op
from ..callables import (
    is_listed,
    is_listed_wrapper,
    module_of_listed,
    of_opaque_library,
    queries_system,
    reads_a_setting,
)
from ..instances import FIELDS, own_names
from ..library_settings import custom_objects_of_keras
from .constants import DATES
from .generators import generator, is_generator
from .refusals import refuse_callable, unknown
from .table import handles, identity, kept_part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..reach import Found, Reach


@handles(types.FunctionType)
def function(reach: Reach, found: Found) -> None:
    """Its code is read by the same rule."""
    value, guards = found.value, reach.guards
    if not identity(reach, found) or value in _PLAIN:
        return
    if _is_plain(value, set()):
        _PLAIN.add(value)
        return
    if reads_a_setting(value):
        reach.unchanged(f"{found.label}()", value)
    for package in _WITH_SETTINGS:
        if str(value.__module__).startswith(package):
            reach.depend(package)
    if value.__name__ in _FINDING_LOGGERS:
        reach.depend("loggers")
    if is_listed(value) or is_listed_wrapper(value) or of_opaque_library(value):
        made_of(reach, found)
        if value.__module__ == "dataclasses":
            reach.name((FIELDS,))
        if value.__name__ in _FINDING and of_opaque_library(value) and "keras" in sys.modules:
            custom = custom_objects_of_keras()
            source = f"{guards.bind(custom_objects_of_keras)}()"
            reach.add(reach.found(custom, "the custom objects of Keras", source))
        return
    if queries_system(value):
        reach.refuse(f"it calls {found.label}(), which may answer otherwise at each call")
        return
    it, code = guards.weak(value), guards.bind(value.__code__)
    guards.check(found.label, f"{it}.__code__ is {code}", f"{it}.__code__", code)
    for name in ("__defaults__", "__kwdefaults__"):
        default = getattr(value, name)
        reach.add(reach.found(default, f"a default of {found.label}", f"{it}.{name}"))
    own_names(reach, found)
    reach.read(value, found.label)


_PLAIN = WeakSet[types.FunctionType]()
"""Functions of this library and its kin that look at their arguments alone, as was found before."""


def _is_plain(value: object, asked: set[int]) -> bool:
    """Whether a thing is such a function, or one of the list, and made of nothing else."""
    if not isinstance(value, types.FunctionType):
        return is_listed(value)
    if id(value) in asked or value in _PLAIN:
        return True
    asked.add(id(value))
    told = value.__name__ in _FINDING or value.__name__ in _FINDING_LOGGERS
    if told or reads_a_setting(value) or str(value.__module__).startswith(_WITH_SETTINGS):
        return False
    return of_opaque_library(value) and all([_is_plain(x, asked) for _, x in _parts(value)])


_WITH_SETTINGS = "cinta.experimental.numpy", "cinta.summary"
"""Parts of this library that have settings of their own."""
_FINDING_LOGGERS = frozenset(("getLogger", "get_logger"))
_FINDING = frozenset(
    (
        *("get", "deserialize", "deserialize_keras_object"),
        *("get_registered_object", "get_custom_objects"),
    )
)
"""Functions of Keras that find things by names, which programs may have given."""


def made_of(reach: Reach, found: Found) -> None:
    """Reach for the program's functions of which a library made this one."""
    for cell, value in _parts(found.value):
        source = f"{reach.guards.bind(cell)}.cell_contents"
        reach.add(reach.found(value, found.label, source))


def _parts(function: types.FunctionType) -> Iterator[tuple[types.CellType, Any]]:
    """The functions and other callables that a function holds in its cells."""
    for cell in function.__closure__ or ():
        try:
            value = cell.cell_contents
        except ValueError:
            continue
        if callable(value) and not isinstance(value, type) and type(value) is not Op:
            yield cell, value


@handles(types.BuiltinFunctionType, type(np.sum))
def builtin(reach: Reach, found: Found) -> None:
    """It is in the list of callables that look at nothing but their arguments."""
    value = found.value
    owner = getattr(value, "__self__", None)
    if is_generator(owner):
        generator(reach, found._replace(value=owner, label=found.label.rpartition(".")[0]))
        identity(reach, found)
    elif is_listed(value) or (isinstance(owner, type) and is_listed(owner) and owner not in DATES):
        identity(reach, found)
    elif owner is None or isinstance(owner, (types.ModuleType, type)):
        refuse_callable(reach, found)
    else:
        reach.refuse(
            f"{found.label} is a method of a {type(owner).__name__}, which may hold anything at "
            "the next call. Call the method by its name, on an object that the function refers to"
        )


@handles(np.ufunc)
def ufunc(reach: Reach, found: Found) -> None:
    """NumPy's, SciPy's and our own are functions of numbers; others may call Python."""
    module = module_of_listed(found.value)
    if module is None:
        unknown(reach, found)
        return
    identity(reach, found)
    if module == "scipy.special":
        reach.depend("scipy")


@handles(
    *(types.MethodDescriptorType, types.WrapperDescriptorType, types.MemberDescriptorType),
    *(types.GetSetDescriptorType, types.ClassMethodDescriptorType),
)
def descriptor(reach: Reach, found: Found) -> None:
    """A method of a class in C looks at its object and its arguments."""
    owner = found.value.__objclass__
    if is_listed(owner) or owner.__flags__ & _HEAP or issubclass(owner, BaseException):
        identity(reach, found)
    else:
        unknown(reach, found)


_HEAP = 1 << 9  # set for classes that Python code has made


@handles(types.MethodWrapperType)
def special_method(reach: Reach, found: Found) -> None:
    """That of a descriptor in C cannot change; one that makes setters sets attributes by name."""
    owner = found.value.__self__
    if type(owner) is not types.WrapperDescriptorType:
        unknown(reach, found)
        return
    identity(reach, found)
    descriptor(reach, found._replace(value=owner, kept=True))
    reach.any_attribute = reach.any_attribute or owner.__name__ in ("__setattr__", "__delattr__")


@handles(types.MethodType)
def method(reach: Reach, found: Found) -> None:
    """It is a function and an object."""
    value = found.value
    if is_generator(value.__self__):
        generator(reach, found._replace(value=value.__self__, label=found.label.rpartition(".")[0]))
        return
    name, label = _let(reach, found), found.label.rpartition(".")[0] or found.label
    reach.add(reach.found(value.__self__, label, f"{name}.__self__"))
    reach.add(reach.found(value.__func__, found.label, f"{name}.__func__"))


@handles(functools.partial)
def partial(reach: Reach, found: Found) -> None:
    """It is a function and some of its arguments."""
    name = _let(reach, found)
    for part in ("func", "args", "keywords"):
        label = found.label if part == "func" else f"{found.label}.{part}"
        reach.add(reach.found(getattr(found.value, part), label, f"{name}.{part}"))
    own_names(reach, found)


def _let(reach: Reach, found: Found) -> str:
    """A name for what is made anew each time that it is asked for; its type is checked."""
    name, kind = reach.guards.let(found.source), reach.guards.bind(type(found.value))
    reach.guards.check(found.label, f"type({name}) is {kind}", name, kind)
    return name


@handles(property)
def property_(reach: Reach, found: Found) -> None:
    """It is functions."""
    if identity(reach, found):
        for part in ("fget", "fset", "fdel"):
            kept_part(reach, found, part)


@handles(staticmethod, classmethod)
def wrapper(reach: Reach, found: Found) -> None:
    """It is a function, which it gives as a method or as it is."""
    if identity(reach, found):
        kept_part(reach, found, "__func__")


@handles(functools.cached_property)
def cached_property(reach: Reach, found: Found) -> None:
    """It is a function, called when its object has no attribute of that name."""
    if identity(reach, found):
        kept_part(reach, found, "func")
