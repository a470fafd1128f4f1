"""An explanation as a graph: the way that the value went, line by line, and where it is cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .boxes import Box, BoxGraph, BoxMeasurements
from .drawing import Drawing
from .of_tape import shown

if TYPE_CHECKING:
    from collections.abc import Hashable

    from ..explanation import Explanation, PathStep
    from ..lines import Line
    from .boxes import Path

_OF_GRADIENTS = "none", "zero", "nan"


def draw_explanation(why: Explanation) -> Drawing:
    """The picture of an explanation."""
    graph = BoxGraph()
    before: Path = ()
    if why.kind in _OF_GRADIENTS:
        graph.enter("source", Box(why.names.get("source") or "source", role="source"))
        before = ("source",)
    was_recorded = True
    for i, step in enumerate(why.path):
        is_cut = was_recorded and not step.recorded
        path = _enter(graph, i, step, before)
        _mark(graph, path, "cut" if is_cut else "" if step.recorded else "lost")
        graph.connect(before, path)
        before, was_recorded = path, step.recorded
    if why.line is not None and not any(box.role == "cut" for box in graph.boxes.values()):
        before = _mark_line(graph, why, why.line, before)
    graph.enter("target", Box(why.names.get("target") or "target", role="target"))
    graph.connect(before, ("target",))
    return Drawing("explanation", graph, title=why.headline)


def _enter(graph: BoxGraph, i: int, step: PathStep, before: Path) -> Path:
    """Make the boxes of a step: steps that follow each other on one line stand in one box."""
    place = _key(step.line) if step.line is not None else ("step", i)
    line = before[0] if len(before) > 1 and before[0][:-1] == place else (*place, i)  # type: ignore[index]
    title = step.op if step.line is None else step.line.source
    box = graph.enter(line, Box(title, "" if step.line is None else str(step.line)))
    result = "" if step.shape is None else shown(step.dtype, step.shape)
    box.inner.enter(i, Box(step.op, result=result))
    graph.note((line, i), BoxMeasurements(1))
    return line, i


def _mark(graph: BoxGraph, path: Path, role: str) -> None:
    """Give an op its role, and its line unless that is cut already."""
    line, op = path
    graph.boxes[line].inner.boxes[op].role = role
    if role and graph.boxes[line].role != "cut":
        graph.boxes[line].role = role


def _mark_line(graph: BoxGraph, why: Explanation, line: Line, before: Path) -> Path:
    """Mark the line of an explanation, which is put behind the last step if it is none of them."""
    role = "cut" if why.kind == "none" else "spot"
    for key, box in graph.boxes.items():
        if isinstance(key, tuple) and key[:-1] == _key(line):
            box.role = role
            return before
    graph.enter(role, Box(line.source, str(line), role))
    graph.connect(before, (role,))
    return (role,)


def _key(line: Line) -> tuple[Hashable, ...]:
    return line.filename, line.lineno
