"""Uses: what is known of the values in a piece of code, and what takes them."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias, TypeGuard

Key: TypeAlias = int | str


class Path(NamedTuple):
    """A name and the attributes asked of it.

    The name is a global one, one of an enclosing function, that of an imported module, or of an
    attribute of a value of which nothing is known.
    """

    kind: str
    name: str
    attributes: tuple[str, ...] = ()


class Operator(NamedTuple):
    """An operator between two values, by the offset of its instruction."""

    offset: int


class Form(NamedTuple):
    """A use that looks at no content: an attribute that tells a form, or an assignment."""

    name: str


BY_ARGUMENT = frozenset(("getattr", "hasattr", "setattr", "delattr"))
"""Functions that get the name of an attribute as their second argument."""
FORM = frozenset(("shape", "dtype", "ndim", "size"))

Taker: TypeAlias = Path | Operator | Form
"""The use that takes a value."""


class Use(NamedTuple):
    """A value that code gets by a path, and what it is given to at once, if that is known.

    ``position`` is that among the arguments, None for one that is given by its name. The value may
    be an item of an item, and so on, of what the path leads to, by these ``keys``. If it is a part
    of that, by an index that is computed, ``part`` is the offset of the instruction that takes it.
    """

    path: Path
    taker: Taker | None = None
    position: int | None = None
    keys: tuple[Key, ...] = ()
    part: int | None = None


class Literal(NamedTuple):
    """A constant that stands in the code."""

    value: Any


class Method(NamedTuple):
    """An attribute of a value of which nothing more is known."""

    owner: object
    name: str


class Item(NamedTuple):
    """An item of an item, and so on, by keys in the code, of what a path or an attribute gives."""

    owner: Path | Method
    keys: tuple[Key, ...]


class Part(NamedTuple):
    """A part of such a value, by an index that is computed, such as a slice."""

    owner: Path | Method | Item


class ClassOf(NamedTuple):
    """The class of a value."""

    owner: object


def last_name(called: object) -> str | None:
    """The name by which something is called, without those before it."""
    if not isinstance(called, (Path, Method)):
        return None
    inner = called.attributes if isinstance(called, Path) else ()
    return inner[-1] if inner else called.name


def is_key(key: object) -> TypeGuard[Literal]:
    """Whether it is a key of a dictionary, or the place of an item counted from the first one."""
    if not isinstance(key, Literal):
        return False
    return type(key.value) is str or (type(key.value) is int and key.value >= 0)


def asks_by_name(called: object, arguments: list[Any]) -> bool:
    """Whether a call is that of ``getattr`` or its kin with a name that stands in the code."""
    if not (isinstance(called, Path) and called.kind == "global" and not called.attributes):
        return False
    if called.name not in BY_ARGUMENT or len(arguments) < 2:
        return False
    return isinstance(arguments[1], Literal) and isinstance(arguments[1].value, str)
