"""Arrays by their names as a graph: the variables of a module, or what is in a checkpoint."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from .boxes import Box, BoxGraph, BoxMeasurements
from .drawing import Drawing
from .of_tape import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np


class NamedArray(NamedTuple):
    """An array: the names on the way to it, and what it is."""

    names: tuple[str, ...]
    dtype: np.dtype[Any]
    shape: tuple[int, ...]


def draw_parts(kind: str, title: str, parts: Iterable[NamedArray]) -> Drawing:
    """The picture of arrays: a box for each array, in those of the objects that it belongs to."""
    graph = BoxGraph()
    for part in parts:
        size = prod(part.shape)
        inside = graph
        for name in part.names[:-1]:
            around = inside.enter(name, Box(name))
            around.parameters += size
            inside = around.inner
        last = part.names[-1], "array"  # an object may have the name of an array
        inside.enter(last, Box(part.names[-1], role="source", result=shown(part.dtype, part.shape)))
        graph.note((*part.names[:-1], last), BoxMeasurements(0, size * part.dtype.itemsize))
    return Drawing(kind, graph, title=title)
