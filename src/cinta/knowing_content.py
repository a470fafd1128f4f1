"""Digests of objects of which everything is known that may change what they do.

Those of ``content`` leave out what functions find in their modules, and what objects written in C
hold. These follow functions into the globals that they name, ask such objects for their state, and
refuse an object that does not tell it.
"""

from __future__ import annotations

import os
import weakref
from hashlib import sha256
from threading import Lock, RLock
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from .content import Reader, inside, told
from .user_frames import is_library
from .version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_STATELESS = (type(Lock()), type(RLock()))
_OWN = __name__.partition(".")[0] + "."
_MADE_IN_PYTHON = 1 << 9  # the flag of classes that are made while programs run


class Unknown(TypeError):
    """An object does not tell what it holds."""


def known_digest_of(value: object) -> bytes:
    """The digest of an object, and of everything that its functions name.

    Raises:
        Unknown: If an object does not tell what it holds, as an open file and a generator.
    """
    digest = sha256(__version__.encode())
    for part in _KnowingReader().parts(value):
        digest.update(part)
    return digest.digest()


class _KnowingReader(Reader):
    """Reads objects, and what the code of functions names."""

    def parts(self, value: object) -> Iterator[bytes]:
        if isinstance(value, type) and not _is_of_library(value):
            yield from self.met(value, _parts_of_class)
        elif isinstance(value, ModuleType):
            yield value.__name__.encode() + b";"
        else:
            yield from super().parts(value)

    def inside(self, value: object) -> Iterable[object]:
        if isinstance(value, FunctionType):
            if is_library(value.__code__.co_filename) and not value.__closure__:
                return value.__module__, value.__qualname__
            return [*inside(value), *_named(value)]
        if isinstance(value, _STATELESS):
            return ()
        if isinstance(value, weakref.ref):
            return [value()]
        found = told(value)
        if found is None:
            found = inside(value) if type(value).__module__.startswith(_OWN) else _state_of(value)
        return found


def _is_of_library(cls: type[Any]) -> bool:
    """Whether a class is known by its name."""
    from sys import modules

    file = getattr(modules.get(cls.__module__), "__file__", None)
    written_in_c = not cls.__flags__ & _MADE_IN_PYTHON
    return written_in_c or (file is not None and is_library(os.path.abspath(file)))


def _parts_of_class(cls: type[Any]) -> Iterable[object]:
    """The functions and values of a class of the program."""
    passed_over = ("__dict__", "__weakref__", "__doc__", "__module__")
    held = {n: v for n, v in vars(cls).items() if n not in passed_over}
    plain = {n: getattr(v, "__func__", v) for n, v in held.items()}
    functions = {n: getattr(v, "fget", v) for n, v in plain.items()}
    known = {n: v for n, v in functions.items() if not hasattr(type(v), "__set__")}  # no slots
    return [*cls.__bases__, *[each for pair in known.items() for each in pair]]


def _named(function: FunctionType) -> list[object]:
    """The globals that the code of a function names, and those of modules of the program."""
    found: list[object] = []
    names = _names(function.__code__)
    for name in sorted(names & function.__globals__.keys()):
        held = function.__globals__[name]
        found += [name, held]
        if isinstance(held, ModuleType) and not is_library(str(getattr(held, "__file__", ""))):
            found += [vars(held)[each] for each in sorted(names & vars(held).keys())]
    return found


def _names(code: CodeType) -> set[str]:
    """The names in the code of a function and of those inside of it."""
    inner = [_names(each) for each in code.co_consts if isinstance(each, CodeType)]
    return set(code.co_names).union(*inner)


def _state_of(value: object) -> Iterable[object]:
    """The state that an object gives for copies of it."""
    try:
        made = value.__reduce_ex__(4)
    except Exception as error:
        raise Unknown(f"{type(value).__name__} does not tell what it holds: {error}") from None
    if isinstance(made, str):
        return [made]
    make, arguments, *rest = made
    return [make, arguments, *[list(each) if hasattr(each, "__next__") else each for each in rest]]
