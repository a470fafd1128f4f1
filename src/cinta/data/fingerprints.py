"""Numbers that are the same for datasets that are made alike."""

from __future__ import annotations

from functools import cached_property, partial
from hashlib import sha256
from types import CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING

import numpy as np

from ..nest import flatten_with_path, is_nested
from .randomness import StageSeeds
from .stage import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator


def fingerprint(stage: Stage) -> np.uint64:
    """A number of the stages, of what they hold, and of the code of their functions."""
    digest = sha256()
    for part in _Reader().parts(stage):
        digest.update(part)
    return np.uint64(int.from_bytes(digest.digest()[:8], "little"))


class _Reader:
    """Reads objects as bytes; one that is met again is named by its place."""

    def __init__(self) -> None:
        self._met: dict[int, tuple[int, object]] = {}  # with the objects, to keep their identities

    def parts(self, value: object) -> Iterator[bytes]:
        """The content of a value."""
        yield type(value).__qualname__.encode()
        if isinstance(value, (np.ndarray, np.generic)):
            yield f"{value.dtype}{value.shape}".encode()
            yield repr(value.tolist()).encode() if value.dtype.hasobject else value.tobytes()
        elif isinstance(value, (bool, int, float, complex, str, bytes, type(None), np.dtype)):
            yield repr(value).encode() + b";"
        elif isinstance(value, type):
            yield value.__qualname__.encode()
        elif id(value) in self._met:
            yield str(self._met[id(value)][0]).encode()
        else:
            self._met[id(value)] = len(self._met), value
            for inner in _inside(value):
                yield from self.parts(inner)
        yield b")"


def _inside(value: object) -> tuple[object, ...]:
    """The objects that a value is made of."""
    if isinstance(value, CodeType):
        return value.co_code, value.co_names, value.co_varnames, value.co_consts
    if isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or () if _is_set(cell)]
        return value.__code__, value.__defaults__, value.__kwdefaults__, *cells
    if isinstance(value, MethodType):
        return value.__func__, value.__self__
    if isinstance(value, partial):
        return value.func, value.args, value.keywords
    if is_nested(value):
        return tuple([each for path, leaf in flatten_with_path(value) for each in (*path, leaf)])
    if isinstance(value, (set, frozenset)):
        return tuple(sorted(value, key=repr))
    if isinstance(value, Stage):
        return tuple([item for item in vars(value).items() if not _is_found_later(value, item[0])])
    if isinstance(value, StageSeeds):
        return value.pair, value.anew
    refers_to = getattr(type(value), "_refers_to", None)
    if refers_to is not None:  # made by tf.function or tf.custom_gradient
        return tuple(refers_to(value))
    slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
    held = {name: getattr(value, name, None) for name in slots if not name.startswith("__")}
    return (*held.values(), *getattr(value, "__dict__", {}).items())


def _is_found_later(stage: Stage, name: str) -> bool:
    """Whether an attribute is of passes over the stage, and not of how it was made."""
    return name.startswith("_") or isinstance(getattr(type(stage), name, None), cached_property)


def _is_set(cell: object) -> bool:
    try:
        return hasattr(cell, "cell_contents")
    except ValueError:
        return False
