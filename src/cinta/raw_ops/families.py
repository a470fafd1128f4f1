"""Where the ops are: in tables by family, from TensorFlow's names to functions.

A function takes an op's arguments by position, in TensorFlow's order: inputs as tensors, attributes
as plain values. It returns the result, or a tuple of several.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

FAMILIES = (
    "arrays",
    "checks",
    "elementwise",
    "fractional",
    "images",
    "linalg",
    "lists",
    "lookups",
    "neural",
    "optimizers",
    "quantization",
    "ragged",
    "randoms",
    "recurrent",
    "reductions",
    "sparse",
    "strings",
    "variables",
)


@cache
def found() -> dict[str, Callable[..., Any]]:
    """All ops."""
    tables = [import_module(f".{family}", __package__).OPS for family in FAMILIES]
    return {name: compute for table in tables for name, compute in table.items()}


def find(name: str) -> Callable[..., Any] | None:
    """The function that computes the op of this name."""
    return found().get(name)
