"""The error of ops that were to broadcast shapes that do not fit, with advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .shapes import written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .shapes import Shape

_ARITHMETIC = frozenset(("Add", "AddV2", "Div", "Mul", "RealDiv", "Sub"))
"""Ops that are sometimes written by mistake for a product of matrices."""


def incompatible(op: str, shapes: Sequence[Shape]) -> str:
    """The error of an op that was to broadcast these shapes."""
    told = f"Incompatible shapes: {' vs. '.join(map(written, shapes))}"
    advice = _advice(op, *shapes) if len(shapes) == 2 else ""
    return f"{told}{advice and f'. {advice}'} [Op:{op}]"


def _advice(op: str, a: Shape, b: Shape) -> str:
    if op in _ARITHMETIC and len(a) > 1 < len(b) and a[-1] == b[-2]:
        return "Is the product of matrices meant? It is a @ b, or tf.matmul(a, b)."
    for name, shape, other in (("second", b, a), ("first", a, b)):
        if len(shape) < len(other) and _broadcast((*shape, 1), other):
            return f"The {name} one would fit with one more axis: x[..., tf.newaxis]."
    return ""


def _broadcast(a: Shape, b: Shape) -> bool:
    """Whether two shapes can be broadcast to one."""
    return all(m == n or 1 in (m, n) for m, n in zip(reversed(a), reversed(b), strict=False))
