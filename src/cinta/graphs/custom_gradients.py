"""Gradients that people wrote, in graphs: nodes that name the type of their gradient.

TensorFlow puts results and arguments of such a function through a node `IdentityN`. The library may
say which function is the gradient of nodes of its type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from ..derivatives.custom import custom_gradient
from ..engine.convert import as_tensor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.tensor import Tensor
    from ..protobuf.graph_messages import NodeDef
    from .nodes import Compute

    Gradient = Callable[[Sequence[Tensor], Sequence[Any]], list[Tensor | None]]

_TYPE = "_gradient_op_type"


class Enclosed(NamedTuple):
    """A value of the function around, by its node and its place among the node's results."""

    node: str
    place: int


class WrittenGradient(NamedTuple):
    """A gradient: a function of the gradients of results, and of enclosed values."""

    function: Gradient
    enclosed: list[Enclosed]

    def given_to(self, compute: Compute) -> Compute:
        """The node's call with this gradient; the enclosed values are behind its inputs."""
        function, count = self

        def call(values: Sequence[Any]) -> list[Any]:
            end = len(values) - len(count)
            held = values[end:]

            @custom_gradient
            def kept(*inner: Tensor) -> tuple[list[Tensor], Callable[..., list[Tensor | None]]]:
                return compute(inner), lambda *given: function([*map(as_tensor, given)], held)

            return list(kept(*values[:end]))

        return call


def is_custom(node: NodeDef) -> bool:
    """Whether a node has a gradient that somebody wrote."""
    return node.op == "IdentityN" and _TYPE in node.attr


def gradient_type(node: NodeDef) -> str:
    """The type under which the gradient of a node is registered."""
    return bytes(node.attr[_TYPE].s).decode()


def unknown_gradient(node: NodeDef, why: str) -> WrittenGradient:
    """Stands for a gradient that the file does not have."""

    def refuse(given: Sequence[Tensor], held: Sequence[Any]) -> NoReturn:
        raise LookupError(
            f"No gradient defined for operation '{node.name}' (op type: IdentityN): the function "
            f"has a custom gradient, {why}."
        )

    return WrittenGradient(refuse, [])
