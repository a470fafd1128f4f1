"""The objects that a checkpoint follows: variables, modules, lists, dictionaries and others.

A class of one's own takes part by one or more of these methods:

    _checkpoint_children(self) -> Mapping[str, object]
        The objects that it is made of, by name; those that are not trackable are passed over.

    _checkpoint_state(self) -> State
    _restore_checkpoint_state(self, state: State) -> None
        The state of an object apart from its variables, such as an iterator's position: numbers,
        strings, bytes, bools, None, arrays, and lists and dictionaries (with strings for keys) of
        these. Arrays come back as arrays, tuples as lists.

    _checkpoint_variable(self, later: Callable[[Variable], object] | None = None) -> Variable | None
        The variable that the object stands for. If there is none yet, None; then ``later``, if it
        is given, is called with the variable when it comes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from ..engine.module import Module
from ..engine.variable import Variable
from ..ops.random.generator import Generator

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import TypeGuard

    from ..engine.annotations import NumericLike

State: TypeAlias = Any


class HasChildren(Protocol):
    """An object that says itself which objects it is made of."""

    def _checkpoint_children(self) -> Mapping[str, object]: ...


class Proxy(Protocol):
    """An object that stands for a variable."""

    def _checkpoint_variable(
        self, later: Callable[[Variable], object] | None = None
    ) -> Variable | None: ...


class Stateful(Protocol):
    """An object that says itself what is to be kept of it."""

    def _checkpoint_state(self) -> State: ...
    def _restore_checkpoint_state(self, state: State) -> None: ...


def is_composite(thing: object) -> TypeGuard[HasChildren]:
    """Whether the object says itself which objects it is made of."""
    return hasattr(type(thing), "_checkpoint_children")


def is_stateful(thing: object) -> TypeGuard[Stateful]:
    """Whether the object says itself what is to be kept of it."""
    return hasattr(type(thing), "_checkpoint_state")


def is_proxy(thing: object) -> TypeGuard[Proxy]:
    """Whether the object stands for a variable."""
    return hasattr(type(thing), "_checkpoint_variable")


def real(thing: object) -> object:
    """The variable that an object stands for, if there is one, or else the object itself."""
    return thing._checkpoint_variable() if is_proxy(thing) else thing


def is_container(thing: object) -> TypeGuard[Collection[object]]:
    """Whether it only holds others together."""
    return isinstance(thing, (list, tuple, Mapping))


def is_trackable(thing: object) -> bool:
    """Whether a checkpoint can follow the object."""
    if isinstance(thing, (Variable, Module, Generator)) or is_container(thing):
        return True
    return _hooked(thing) and not isinstance(thing, type)


def _hooked(thing: object) -> bool:
    return is_composite(thing) or is_stateful(thing) or is_proxy(thing)


def children(thing: object) -> dict[str, Any]:
    """The trackable objects that this one is made of, by name."""
    return {name: child for name, child in _parts(thing) if is_trackable(child)}


def _parts(thing: object) -> Any:
    if is_composite(thing):
        return thing._checkpoint_children().items()
    if isinstance(thing, Module):
        return vars(thing).items()
    if isinstance(thing, Generator):
        return [("_state_var", thing.state)]  # TensorFlow's name of it
    if isinstance(thing, Mapping):
        return [(_name(thing, key, child), child) for key, child in thing.items()]
    if isinstance(thing, (list, tuple)):
        return [(str(i), child) for i, child in enumerate(thing)]
    return []


def _name(mapping: Mapping[Any, Any], key: str | int, child: NumericLike) -> str:
    if not isinstance(key, str) and is_trackable(child) and not is_hollow(child):
        raise ValueError(
            f"Unable to save or restore the dictionary with the keys {list(mapping)}: what a "
            f"checkpoint follows needs strings for keys, and {key!r} is not one."
        )
    return str(key)


def is_hollow(thing: object) -> bool:
    """Whether it is a container in which there is nothing to follow."""
    waiting: list[Any] = [thing]
    seen: set[int] = set()
    while waiting:
        inner = waiting.pop()
        if not is_container(inner) or _hooked(inner):
            return False
        if id(inner) not in seen:
            seen.add(id(inner))
            values = inner.values() if isinstance(inner, Mapping) else inner
            waiting += [value for value in values if is_trackable(value)]
    return True
