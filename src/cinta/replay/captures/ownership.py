"""The owner of a thing: the program, Python, or a library; told by the file that it is from.

Names of modules do not tell: a program may have a ``random.py`` of its own.
"""

from __future__ import annotations

import os
import sys
import types
from typing import Any

import numpy as np

PYTHON = "python"

_HEAP = 1 << 9  # the flag of classes that were made while Python ran


def _folder(file: str) -> str:
    """The folder of a file, with the separator that keeps it from being the start of another."""
    return os.path.join(os.path.dirname(file), "")


_FOLDERS = {
    "cinta": __file__.removesuffix(os.path.join("replay", "captures", "ownership.py")),
    "numpy": _folder(np.__file__),
}
"""The folder of each owner."""
_LIBRARY = os.path.dirname(os.__file__)
_OF_PYTHON = (
    _LIBRARY,
    os.path.join(sys.base_exec_prefix, sys.platlibdir, os.path.basename(_LIBRARY)),
)
"""The folders of Python's own modules: those in Python, and the compiled ones where they differ."""
_WITH_OTHERS = ("site-packages", "dist-packages")
_LOADED = (
    *("keras", "scipy", "einops", "tree", "optree", "jax", "wrapt", "attr", "attrs"),
    "cinta_kernels",
)


def owner_of_names(names: dict[str, Any]) -> str | None:
    """The owner of the module with these global names; None if it is the program."""
    spec = names.get("__spec__")
    origin = getattr(spec, "origin", None) or names.get("__file__")
    if origin in ("built-in", "frozen"):
        return PYTHON
    return None if not isinstance(origin, str) else _owner_of_file(origin)


def owner_of(thing: object) -> str | None:
    """The owner of a module, a function or a class, or that of an object's class."""
    if isinstance(thing, types.ModuleType):
        return owner_of_names(vars(thing))
    if isinstance(thing, types.FunctionType):  # decorators copy the name of another's module
        return owner_of_names(thing.__globals__)
    kind = thing if isinstance(thing, type) else type(thing)
    name = type.__getattribute__(kind, "__module__")  # classes of classes may answer otherwise
    if name == "builtins":
        return PYTHON
    module = sys.modules.get(name) if isinstance(name, str) else None
    return (
        None if module is None or not _is_of(kind, vars(module)) else owner_of_names(vars(module))
    )


def _is_of(kind: type, names: dict[str, Any]) -> bool:
    """Whether a class is of the module that it names: it stands there, or its code is a library's.

    Decorators copy names of modules, and programs may set them.
    """
    if not kind.__flags__ & _HEAP or _stands_in(kind, names):
        return True
    own = [each for each in vars(kind).values() if isinstance(each, types.FunctionType)]
    return bool(own) and all([owner_of_names(each.__globals__) for each in own])


def _stands_in(kind: type, names: dict[str, Any]) -> bool:
    first, *rest = type.__getattribute__(kind, "__qualname__").split(".")
    found = names.get(first)
    for name in rest:
        found = vars(found).get(name) if isinstance(found, type) else None
    return found is kind


def _owner_of_file(file: str) -> str | None:
    for owner, known in [*_FOLDERS.items()]:  # other threads may add to it
        if file.startswith(known):
            return owner
    for owner in _LOADED:
        found = getattr(sys.modules.get(owner), "__file__", None)
        folder = _folder(found) if found else None
        if folder is not None and file.startswith(folder):
            _FOLDERS[owner] = folder
            return owner
    if file.startswith(_OF_PYTHON) and not any(name in file for name in _WITH_OTHERS):
        return PYTHON
    return None
