"""Functions of a graph's library, as functions of tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import NotFoundError
from .custom_gradients import is_custom
from .nodes import Prepared, data_inputs, is_known, read_input

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..protobuf.graph_messages import FunctionDef, NodeDef
    from .custom_gradients import Enclosed
    from .library import FunctionLibrary
    from .nodes import Compute, Input


class NodeGraph:
    """A function that runs nodes, in an order that their inputs allow."""

    def __init__(self, definition: FunctionDef, library: FunctionLibrary) -> None:
        self.name = self.__name__ = definition.signature.name
        self._library = library
        self._arguments = {each.name: i for i, each in enumerate(definition.signature.input_arg)}
        self._definitions = _by_name(definition)
        self._prepared: dict[str, Prepared] = {}
        self._turn: dict[str, int] = {}
        ends = [read_input(definition.ret[a.name]) for a in definition.signature.output_arg]
        roots = [end.node for end in ends if end.node not in self._arguments]
        ordered = self._in_order([*roots, *definition.control_ret.values()])
        self._refuse_unknown(ordered)
        self._steps = [self._step(node, i + 1) for i, node in enumerate(ordered)]
        self._ends = [self._slot(end) for end in ends]

    def __call__(self, *given: object) -> list[Any]:
        """The results for these arguments, of which there may be variables and tables."""
        if len(given) != len(self._arguments):
            raise TypeError(
                f"{self.name} takes {len(self._arguments)} arguments, got {len(given)}."
            )
        values: list[Sequence[Any]] = [given]
        for name, compute, inputs in self._steps:
            try:
                values.append(compute([values[i][k] for i, k in inputs]))
            except Exception as error:
                error.add_note(f"in the node {name} of {self.name}")
                raise
        return [values[i][k] for i, k in self._ends]

    def _step(self, node: NodeDef, turn: int) -> tuple[str, Compute, list[tuple[int, int]]]:
        self._turn[node.name] = turn
        inputs = [self._slot(each) for each in data_inputs(node)]
        made = self._prepared[node.name] = Prepared(node, self._library.function_of)
        if not is_custom(node):
            return node.name, made, inputs
        gradient = self._library.gradient_of(node, self.name)
        inputs += [self._enclosed(each) for each in gradient.enclosed]
        return node.name, gradient.given_to(made), inputs

    def _enclosed(self, tensor: Enclosed) -> tuple[int, int]:
        """Where a value stands that a gradient function takes beside its arguments."""
        if tensor.node in self._arguments:
            return 0, self._arguments[tensor.node]
        return self._turn[tensor.node], tensor.place

    def _needed(self, node: NodeDef) -> list[str]:
        """The nodes that must run before a node does."""
        found = [text.removeprefix("^").partition(":")[0] for text in node.input]
        if is_custom(node):
            found += [each.node for each in self._library.gradient_of(node, self.name).enclosed]
        return [name for name in found if name not in self._arguments]

    def _slot(self, reference: Input) -> tuple[int, int]:
        """Where a value stands once it is there: the turn of its node, and its place in it."""
        if not reference.output:
            if reference.node not in self._arguments:
                raise ValueError(f"{self.name} has no argument {reference.node!r}")
            return 0, self._arguments[reference.node]
        if reference.node not in self._prepared:
            raise ValueError(f"{self.name} has no node {reference.node!r} before it is needed")
        return self._turn[reference.node], self._prepared[reference.node].place(reference)

    def _in_order(self, roots: Iterable[str]) -> list[NodeDef]:
        """The nodes that are needed, each behind those that it needs."""
        found: list[NodeDef] = []
        state: dict[str, bool] = {}  # False while a node waits for others, True when it is placed
        for root in roots:
            waiting = [root]
            while waiting:
                name = waiting[-1]
                node = self._node(name)
                if name not in state:
                    state[name] = False
                    for other in self._needed(node):
                        if state.get(other) is False:
                            raise ValueError(f"{self.name} has nodes in a circle: {other}")
                        if other not in state:
                            waiting.append(other)
                    continue
                waiting.pop()
                if not state[name]:
                    state[name] = True
                    found.append(node)
        return found

    def _node(self, name: str) -> NodeDef:
        if name not in self._definitions:
            raise ValueError(f"{self.name} has no node {name!r}")
        return self._definitions[name]

    def _refuse_unknown(self, nodes: Iterable[NodeDef]) -> None:
        unknown = {node.op: node.name for node in nodes if not is_known(node.op)}
        if unknown:
            listed = ", ".join(f"'{op}' (in the node {name})" for op, name in unknown.items())
            raise NotFoundError(
                f"Op type not registered {listed}: cinta has none of that name, so {self.name} "
                f"of {self._library.origin} cannot run here."
            )


def _by_name(definition: FunctionDef) -> dict[str, NodeDef]:
    found = {node.name: node for node in definition.node_def}
    if len(found) < len(definition.node_def):
        raise ValueError(f"{definition.signature.name} has several nodes of one name")
    return found
