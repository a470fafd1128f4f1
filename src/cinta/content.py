"""Digests that are the same for objects of the same content, in whatever process they are made.

A class may say by a method ``_content`` what its objects are made of; other objects are made of
their attributes. Of an object that is written in C and not known here, only the class counts.
"""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any

import numpy as np

from .nest import flatten_with_path, is_nested

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_PLAIN = (bool, int, float, complex, str, bytes, type(None), np.dtype)


def digest_of(value: object) -> bytes:
    """The digest of an object, of what it is made of, and of the code of its functions."""
    digest = sha256()
    for part in Reader().parts(value):
        digest.update(part)
    return digest.digest()


class Reader:
    """Reads objects as bytes; one that is met again is named by its place."""

    def __init__(self) -> None:
        self._met: dict[int, tuple[int, object]] = {}  # with the objects, to keep their identities

    def parts(self, value: object) -> Iterator[bytes]:
        """The content of a value."""
        yield type(value).__qualname__.encode()
        if isinstance(value, (np.ndarray, np.generic)):
            yield f"{value.dtype}{value.shape}".encode()
            yield repr(value.tolist()).encode() if value.dtype.hasobject else value.tobytes()
        elif isinstance(value, _PLAIN):
            yield repr(value).encode() + b";"
        elif isinstance(value, (type, BuiltinFunctionType)):
            yield f"{value.__module__}.{value.__qualname__};".encode()
        elif isinstance(value, np.ufunc):
            yield value.__name__.encode()
        else:
            yield from self.met(value, self.inside)
        yield b")"

    def met(self, value: object, inside: Callable[[Any], Iterable[object]]) -> Iterator[bytes]:
        """The content of an object; one that is met again is named by its place."""
        if id(value) in self._met:
            yield str(self._met[id(value)][0]).encode()
            return
        self._met[id(value)] = len(self._met), value
        for each in inside(value):
            yield from self.parts(each)

    def inside(self, value: object) -> Iterable[object]:
        """The objects that a value is made of."""
        return inside(value)


def inside(value: object) -> Iterable[object]:
    """The objects that a value is made of."""
    found = told(value)
    return _attributes(value) if found is None else found


def told(value: object) -> Iterable[object] | None:
    """The objects that a value of a known kind is made of; None for other kinds."""
    if isinstance(value, CodeType):
        return value.co_code, value.co_names, value.co_varnames, value.co_consts
    if isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or () if _is_set(cell)]
        return value.__code__, value.__defaults__, value.__kwdefaults__, *cells
    if isinstance(value, MethodType):
        return value.__func__, value.__self__
    if isinstance(value, partial):
        return value.func, value.args, value.keywords
    if isinstance(value, slice):
        return value.start, value.stop, value.step
    if is_nested(value):
        return [each for path, leaf in flatten_with_path(value) for each in (*path, leaf)]
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    made_of = getattr(type(value), "_content", None) or getattr(type(value), "_refers_to", None)
    if made_of is not None:  # the latter is of what tf.function or tf.custom_gradient made
        found: Iterable[object] = made_of(value)
        return found
    return None


def _attributes(value: object) -> Iterable[object]:
    slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
    held = {name: getattr(value, name, None) for name in slots if not name.startswith("__")}
    return (*held.values(), *getattr(value, "__dict__", {}).items())


def _is_set(cell: object) -> bool:
    try:
        return hasattr(cell, "cell_contents")
    except ValueError:
        return False
