"""A node of a graph as a call of an op: which values it takes, and how many it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .. import raw_ops
from ..engine.tensor import Tensor
from ..raw_ops.families import find
from ..raw_ops.signature import Signature
from . import node_attributes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..protobuf.graph_messages import NodeDef
    from .node_attributes import Named

    Compute = Callable[[Sequence[Any]], list[Any]]

_RENAMED = {("Squeeze", "squeeze_dims"): "axis"}
"""The attribute that Python knows by another name than graphs do."""


class Input(NamedTuple):
    """A value that a node takes: the result of another node, by its output's name and place."""

    node: str
    output: str
    place: int


def data_inputs(node: NodeDef) -> list[Input]:
    """The values that a node takes; those of arguments have no output."""
    return [read_input(text) for text in node.input if not text.startswith("^")]


def read_input(text: str) -> Input:
    """A reference such as `node:output:0`, or the name of an argument."""
    node, *rest = text.split(":")
    if not rest:
        return Input(node, "", 0)
    if len(rest) != 2 or not rest[1].isdecimal():
        raise ValueError(f"{text!r} is not a reference to a result of a node")
    return Input(node, rest[0], int(rest[1]))


def is_known(op: str) -> bool:
    """Whether there is an op of this name here."""
    return find(op) is not None


class Prepared:
    """A call of an op of which the attributes are known."""

    def __init__(self, node: NodeDef, function_of: Named) -> None:
        signature = Signature(node.op)
        kinds = {each.kind for each in signature.attributes.values()}
        calls_others = not kinds.isdisjoint(("func", "list(func)"))
        self._call = _unconverted(signature) if calls_others else getattr(raw_ops, node.op)
        self._passes_on = node.op in ("Identity", "IdentityN")
        self._kinds = signature.results
        self._attributes = {}
        for name, attribute in node.attr.items():
            known = _RENAMED.get((node.op, name), name)
            if known in signature.attributes:
                self._attributes[known] = node_attributes.plain(attribute, function_of)
        self._inputs = [
            (name, _count(node, kind) if _is_list(kind) else None)
            for name, kind in signature.inputs.items()
        ]
        counts = [_count(node, kind) if _is_list(kind) else 1 for kind in signature.result_kinds]
        self._places = {
            name: (sum(counts[:i]), counts[i]) for i, name in enumerate(signature.results)
        }
        self._is_list = [_is_list(kind) for kind in signature.result_kinds]
        wanted = sum(1 if count is None else count for _, count in self._inputs)
        if wanted != len(data_inputs(node)):
            raise ValueError(
                f"the node {node.name} has {len(data_inputs(node))} inputs, and its op {node.op} "
                f"takes {wanted}"
            )

    def place(self, reference: Input) -> int:
        """The place among all results of the one that is referred to."""
        start, count = self._places.get(reference.output, (0, 0))
        if not 0 <= reference.place < count:
            raise ValueError(
                f"{reference.node}:{reference.output}:{reference.place} does not exist"
            )
        return start + reference.place

    def __call__(self, values: Sequence[Any]) -> list[Any]:
        if self._passes_on and not all([isinstance(value, Tensor) for value in values]):
            return [*values]
        given, at = dict(self._attributes), 0
        for name, count in self._inputs:
            given[name] = values[at] if count is None else list(values[at : at + count])
            at += 1 if count is None else count
        result = self._call(**given)
        if not self._is_list:
            return []
        parts = [result] if len(self._is_list) == 1 else result
        found: list[Any] = []
        for part, is_list in zip(parts, self._is_list, strict=True):
            found += part if is_list else [part]
        return found


def _unconverted(signature: Signature) -> Callable[..., Any]:
    """An op that calls functions: it takes variables, lists and tables as they are."""
    compute = find(signature.name)
    assert compute is not None

    def call(**given: object) -> object:
        ready = {**signature.defaults, **given}
        return signature.finished(compute(*[ready[name] for name in signature.order]))

    return call


def _is_list(kind: str) -> bool:
    """Whether an input or a result is a list: `N*T` or `T...`."""
    return "*" in kind or kind.endswith("...")


def _count(node: NodeDef, kind: str) -> int:
    """How many values are in a list."""
    name = kind.removesuffix("...") if kind.endswith("...") else kind.partition("*")[0]
    attribute = node.attr.get(name)
    if attribute is None:
        raise ValueError(f"the node {node.name} lacks the attribute {name!r}")
    return len(attribute.list.type) if kind.endswith("...") else attribute.i
