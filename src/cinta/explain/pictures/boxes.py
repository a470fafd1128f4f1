"""Graph: boxes, which hold graphs themselves, and arrows between them.

A box is reached by a path: its own key, after the keys of the boxes around it. A line of a program
is a box with the ops on it inside, a layer of Keras one with its layers, a loop one with its body.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    Path: TypeAlias = "tuple[Hashable, ...]"

MOST_BOXES = 300
"""How many boxes a graph has at most beside each other when it is drawn."""


@dataclass
class BoxMeasurements:
    """The measurements of a box in one step of a training: sums over its ops."""

    count: int = 0
    bytes: int = 0
    seconds: float = 0.0
    norm: float | None = None
    """The norm of the gradient of its result, the largest among its ops; None if there is none."""
    pull_seconds: float = 0.0
    """The time that its gradients took."""

    def add(self, other: BoxMeasurements) -> None:
        """Count another op, or another box."""
        self.count += other.count
        self.bytes += other.bytes
        self.seconds += other.seconds
        self.pull_seconds += other.pull_seconds
        if other.norm is not None:
            self.norm = other.norm if self.norm is None else max(self.norm, other.norm)


@dataclass
class Box:
    """A line of the program, a layer, a variable or an op.

    ``role`` is "source", "data", "target", "cut" (where the way ends), "spot" (where what is
    explained began), "lost" (not on the tape) or nothing.
    ``where`` is a line, or what else tells boxes of one title apart; ``result`` a dtype and shape.
    """

    title: str
    where: str = ""
    role: str = ""
    result: str = ""
    parameters: int = 0
    steps: list[BoxMeasurements | None] = field(default_factory=lambda: [BoxMeasurements()])
    inner: BoxGraph = field(default_factory=lambda: BoxGraph())

    @property
    def facts(self) -> BoxMeasurements:
        """The measurements of the last step in which it occurs."""
        return next(facts for facts in reversed(self.steps) if facts is not None)


class BoxGraph:
    """Boxes by their keys in the order in which they ran, and how often one takes of another."""

    def __init__(self) -> None:
        self.boxes: dict[Hashable, Box] = {}
        self.arrows: dict[tuple[Hashable, Hashable], int] = {}

    def enter(self, key: Hashable, box: Box) -> Box:
        """The box of this key; the one that is given, if there is none yet."""
        return self.boxes.setdefault(key, box)

    def on(self, path: Path) -> Iterator[Box]:
        """The box at the end of a path and those around it, the outermost first."""
        graph = self
        for key in path:
            yield graph.boxes[key]
            graph = graph.boxes[key].inner

    def note(self, path: Path, facts: BoxMeasurements) -> None:
        """Add facts to a box and to those around it."""
        for box in self.on(path):
            box.facts.add(facts)

    def connect(self, before: Path, after: Path, count: int = 1) -> None:
        """Draw arrows in the innermost box that holds both ends."""
        graph = self
        for a, b in zip(before, after, strict=False):
            if a != b:
                graph.arrows[a, b] = graph.arrows.get((a, b), 0) + count
                return
            graph = graph.boxes[a].inner

    def mark_ends(self) -> None:
        """Make boxes targets that nothing takes of."""
        used = {before for before, _ in self.arrows}
        for key, box in self.boxes.items():
            if key not in used and not box.role:
                box.role = "target"


def merged(graphs: Sequence[BoxGraph]) -> BoxGraph:
    """The boxes of all the graphs, each with its facts in each of them: steps of a training."""
    whole = BoxGraph()
    for i, graph in enumerate(graphs):
        for ends, count in graph.arrows.items():
            whole.arrows[ends] = max(count, whole.arrows.get(ends, 0))
        for key, box in graph.boxes.items():
            found = whole.enter(key, replace(box, steps=[None] * len(graphs), inner=BoxGraph()))
            found.steps[i] = box.facts
    for key, box in whole.boxes.items():
        box.inner = merged(
            [graph.boxes[key].inner if key in graph.boxes else BoxGraph() for graph in graphs]
        )
    return whole


def folded(graph: BoxGraph) -> BoxGraph:
    """The graph with few boxes at each place: neighbors are put into boxes around them."""
    roles = Counter(box.role for box in graph.boxes.values())
    size = 1
    while sum(-(-count // size) for count in roles.values()) > MOST_BOXES:
        size *= 2
    small = graph if size == 1 else _by_groups(graph, size)
    result = BoxGraph()
    result.arrows = small.arrows
    for key, box in small.boxes.items():
        result.boxes[key] = replace(box, inner=folded(box.inner)) if box.inner.boxes else box
    return result


def _by_groups(graph: BoxGraph, size: int) -> BoxGraph:
    """Groups of so many boxes of one role, in order."""
    coarse = BoxGraph()
    counts: Counter[str] = Counter()
    paths: dict[Hashable, Path] = {}
    for key, box in graph.boxes.items():
        group = "group", box.role, counts[box.role] // size
        counts[box.role] += 1
        steps: list[BoxMeasurements | None] = [None] * len(box.steps)
        around = coarse.enter(group, Box(box.title, box.where, box.role, steps=steps))
        around.inner.boxes[key] = box
        paths[key] = group, key
        _add_steps(around, box)
    for (a, b), count in graph.arrows.items():
        coarse.connect(paths[a], paths[b], count)
    for around in coarse.boxes.values():
        _name_after_ends(around)
    return coarse


def _add_steps(around: Box, box: Box) -> None:
    around.parameters += box.parameters
    for i, facts in enumerate(box.steps):
        if facts is not None:
            total = around.steps[i] or BoxMeasurements()
            total.add(facts)
            around.steps[i] = total


def _name_after_ends(group: Box) -> None:
    """Call a group after its first and its last box."""
    first, *_, last = [*group.inner.boxes.values()] * 2
    group.title = first.title if first.title == last.title else f"{first.title} … {last.title}"
    group.where = first.where if first.where == last.where else f"{first.where} … {last.where}"
