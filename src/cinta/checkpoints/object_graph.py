"""The graph of objects of a checkpoint: their attributes, and their values."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

VALUE = "VARIABLE_VALUE"
"""The name of a variable's value in the node of the variable."""

_NODE_FIELDS = {"children", "values", "state"}


@dataclass
class Node:
    """An object: its children by their names, and the keys of its values in the file."""

    children: dict[str, int] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    state: object = None  # of an object that says itself what is to be kept of it

    @property
    def holds(self) -> bool:
        """Whether something is kept of the object itself, and not only of its children."""
        return bool(self.values) or self.state is not None


@dataclass
class ObjectGraph:
    """The nodes by their numbers; 0 is the root."""

    nodes: list[Node]

    def path(self, wanted: int) -> str:
        """How an object is reached from the root, as people write it: ``(root).model.w``."""
        owners: dict[int, tuple[int, str]] = {}
        waiting = deque([0])
        while waiting:
            number = waiting.popleft()
            for name, child in self.nodes[number].children.items():
                if child and child not in owners:
                    owners[child] = number, name
                    waiting.append(child)
        names: list[str] = []
        while wanted in owners:
            wanted, name = owners[wanted]
            names.append(name)
        return ".".join(["(out of reach)" if wanted else "(root)", *reversed(names)])


def escaped(name: str) -> str:
    """A child's name as a part of a key: without slashes, and so that none is like another.

    >>> escaped("a/b.c")
    'a.Sb..c'
    """
    return name.replace(".", "..").replace("/", ".S")


def key(path: tuple[str, ...], attribute: str) -> str:
    """The key of a value, in TensorFlow's spelling.

    >>> key(("model", "w"), "VARIABLE_VALUE")
    'model/w/.ATTRIBUTES/VARIABLE_VALUE'
    """
    return "/".join((*map(escaped, path), ".ATTRIBUTES", attribute))


def as_json(graph: ObjectGraph) -> dict[str, Any]:
    """The graph as a JSON document."""
    fields = [
        {"children": node.children, "values": node.values, "state": node.state}
        for node in graph.nodes
    ]
    return {"nodes": [{name: v for name, v in node.items() if v} for node in fields]}


def from_json(document: object, keys: Collection[str]) -> ObjectGraph:
    """The graph of a document; ``ValueError`` if it is malformed, or lacks objects."""
    if not isinstance(document, dict) or not isinstance(document.get("nodes"), list):
        raise ValueError("the document is not a graph of objects")
    nodes = document["nodes"]
    if not nodes:
        raise ValueError("the graph of objects has no root")
    return ObjectGraph([_node(i, node, len(nodes), keys) for i, node in enumerate(nodes)])


def _node(number: int, document: object, count: int, keys: Collection[str]) -> Node:
    if not isinstance(document, dict) or not document.keys() <= _NODE_FIELDS:
        raise ValueError(f"node {number} of the graph is none")
    children, values = document.get("children", {}), document.get("values", {})
    if not isinstance(children, dict) or not isinstance(values, dict):
        raise ValueError(f"node {number} of the graph is none")
    for name, child in children.items():
        if type(child) is not int or not 0 <= child < count:
            raise ValueError(f"the child {name!r} of node {number} is not in the graph")
    for name, value in values.items():
        if not isinstance(value, str) or value not in keys:
            raise ValueError(f"the value {name!r} of node {number} is not in the file")
    return Node(children, values, document.get("state"))
