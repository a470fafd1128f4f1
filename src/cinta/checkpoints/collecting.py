"""Walk from an object to all that it is made of, and note what is to be saved."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.device_values import Spread
from ..engine.tensor import Tensor
from ..engine.variable import Variable
from .object_graph import VALUE, Node, ObjectGraph, key
from .trackable import children, is_hollow, is_stateful, real

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Path = tuple[str, ...]


def walk(root: object) -> Iterator[tuple[Path, Any, dict[str, Any]]]:
    """Each object once, with the shortest way to it and its children; the root first."""
    seen = {id(root): root}  # holds the objects, lest an id be used again
    waiting: deque[tuple[Path, Any]] = deque([((), root)])
    while waiting:
        path, thing = waiting.popleft()
        inside = parts_of(thing)
        yield path, thing, inside
        for name, child in inside.items():
            if id(child) not in seen:
                seen[id(child)] = child
                waiting.append(((*path, name), child))


def parts_of(thing: object) -> dict[str, Any]:
    """The children by name, but for those that have nothing in them, or are not there yet."""
    found = {name: real(child) for name, child in children(thing).items()}
    return {name: x for name, x in found.items() if x is not None and not is_hollow(x)}


def collect(root: object) -> tuple[ObjectGraph, dict[str, Any]]:
    """The graph of objects, and the arrays of its values by their keys.

    Values on the devices of several processes stand among them as they are.
    The arrays are not copied: a variable that is assigned to later gets another one, because this
    one is held here.
    """
    found = list(walk(root))
    numbers = {id(thing): number for number, (_, thing, _) in enumerate(found)}
    arrays: dict[str, Any] = {}
    nodes = []
    for path, thing, inside in found:
        node = Node({name: numbers[id(child)] for name, child in inside.items()})
        if isinstance(thing, Variable):
            node.values[VALUE] = key(path, VALUE)
            arrays[node.values[VALUE]] = _together(thing._array)
        elif is_stateful(thing):
            node.state = packed(thing._checkpoint_state(), key(path, "STATE"), arrays)
        nodes.append(node)
    return ObjectGraph(nodes), arrays


def _together(array: Any) -> object:
    """A value that is all in this process, put together."""
    is_here = isinstance(array, Spread) and array.place.processes is None
    return array.whole() if is_here else array


def is_divided(root: object) -> bool:
    """Whether several processes must save it together: each has a part of some value."""
    _, arrays = collect(root)
    return any(isinstance(array, Spread) for array in arrays.values())


# -- the state that an object gives of itself ----------------------------------------------------


def packed(state: object, name: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """The state as JSON; its arrays join the others under keys that begin with the name."""
    if state is None or isinstance(state, (bool, str)):
        return {"value": state}
    if isinstance(state, (Tensor, np.ndarray, np.generic)):
        arrays[name] = np.asarray(state)
        return {"array": name}
    if isinstance(state, (int, float)):
        return {type(state).__name__: repr(state)}  # JSON has neither inf nor nan
    if isinstance(state, bytes):
        return {"bytes": state.hex()}
    if isinstance(state, (list, tuple)):
        return {"list": [packed(s, f"{name}/{i}", arrays) for i, s in enumerate(state)]}
    if isinstance(state, dict) and all(isinstance(k, str) for k in state):
        return {"dict": {k: packed(s, f"{name}/{k}", arrays) for k, s in state.items()}}
    raise TypeError(
        f"{name}: a state is made of numbers, strings, bytes, bools, None, arrays, lists and "
        f"dictionaries with strings for keys; got {state!r}."
    )


def unpacked(state: object, read: Callable[..., Any]) -> Any:
    """The state that was packed; ``ValueError`` if this is none."""
    if isinstance(state, dict) and len(state) == 1:
        kind, value = next(iter(state.items()))
        if kind == "value" and (value is None or isinstance(value, (bool, str))):
            return value
        if kind in _FROM_TEXT and isinstance(value, str):
            return _FROM_TEXT[kind](value)
        if kind == "array" and isinstance(value, str):
            return read(value)[()]
        if kind == "list" and isinstance(value, list):
            return [unpacked(item, read) for item in value]
        if kind == "dict" and isinstance(value, dict):
            return {name: unpacked(item, read) for name, item in value.items()}
    raise ValueError(f"{str(state)[:100]} is not the state of an object")


_FROM_TEXT: dict[str, Any] = {"int": int, "float": float, "bytes": bytes.fromhex}
