"""Graph: what is drawn of a tape, a function or an explanation: lines of the program, and ops.

A node stands for a line of the program with all ops on it, however often it ran; where lines are
not known, for an op. A loop of Python is so one node.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..engine.shapes import written
from .faces import life_of
from .ledger import Event
from .summary import new_bytes

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from ..derivatives.tape import GradientTape
    from ..replay.recording import Recording
    from .explanation import Explanation

_PLAIN = {"outside": "data", "made": "constant"}
_MOST_NODES = 300
_MOST_OPS = 40
"""How many ops a node lists."""


@dataclass
class Op:
    """An op as a picture shows it, and how often it ran."""

    name: str
    result: str
    count: int = 1


@dataclass
class Node:
    """A line of the program, or an op."""

    title: str
    source: str = ""
    role: str = ""
    """"source", "target", "cut", "lost" (not on the tape) or nothing."""
    ops: list[Op] = field(default_factory=list)
    count: int = 0
    bytes: int = 0
    seconds: float = 0.0
    norm: float = 0.0

    def add(self, name: str, result: str, size: int = 0, seconds: float = 0.0) -> None:
        """Add a run of an op."""
        self.count += 1
        self.bytes += size
        self.seconds += seconds
        for op in self.ops:
            if (op.name, op.result) == (name, result):
                op.count += 1
                return
        if len(self.ops) < _MOST_OPS:
            self.ops.append(Op(name, result))


class Graph:
    """Nodes, and which of them take results of which."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.nodes: dict[Hashable, Node] = {}
        self.edges: Counter[tuple[Hashable, Hashable]] = Counter()

    def node(self, key: Hashable, title: str, source: str = "", role: str = "") -> Node:
        """The node of this key, which is made if it is new."""
        found = self.nodes.get(key)
        if found is None:
            found = self.nodes[key] = Node(title, source, role)
        return found

    def connect(self, before: Hashable, after: Hashable) -> None:
        """Draw an arrow."""
        if before != after:
            self.edges[before, after] += 1

    def folded(self) -> Graph:
        """The graph with few nodes: those that are alike and follow each other become one."""
        step = 1
        found = self
        while len(found.nodes) > _MOST_NODES:
            step *= 2
            found = self._by_groups(step)
        return found

    def _by_groups(self, size: int) -> Graph:
        coarse = Graph(self.title)
        group_of: dict[Hashable, Hashable] = {}
        for i, (key, node) in enumerate(self.nodes.items()):
            group = key if node.role in ("source", "target", "cut") else ("group", i // size)
            group_of[key] = group
            whole = coarse.node(group, node.title, node.source, node.role)
            whole.title = node.title if whole.count == 0 else f"{whole.title.split(' …')[0]} …"
            whole.count += node.count
            whole.bytes += node.bytes
            whole.seconds += node.seconds
            whole.ops += node.ops[: max(_MOST_OPS - len(whole.ops), 0)]
        for (before, after), count in self.edges.items():
            if group_of[before] != group_of[after]:
                coarse.edges[group_of[before], group_of[after]] += count
        return coarse


def graph_of(thing: object, title: str | None = None) -> Graph:
    """The graph of a tape, a function, its recording, or an explanation."""
    from ..derivatives.tape import GradientTape
    from ..programs.function import Function
    from ..replay.recording import Recording
    from .explanation import Explanation

    if isinstance(thing, Explanation):
        return _of_explanation(thing)
    if isinstance(thing, Function):
        recordings = [variant.recording for variant in thing._variants]
        if not recordings:
            raise ValueError(f"{thing!r} has no recording yet: call it, then show it.")
        return _of_recording(recordings[0])
    if isinstance(thing, Recording):
        return _of_recording(thing)
    if isinstance(thing, GradientTape):
        return _of_tape(thing)
    raise TypeError(
        f"tf.debugging.show takes a tape, a function, a recording or an explanation, got {thing!r}."
    )


def _of_tape(tape: GradientTape) -> Graph:
    life = life_of(tape)
    records = [] if tape._recorder is None else list(tape._recorder.records)
    if life is None or not life.records:
        return _of_records(tape, records)
    sizes = {record[2]: record[3] for record in records}
    counted: set[int] = set()
    graph = Graph("tape")
    names = _names_of(tape)
    for number, event in life.records.items():
        key = _key(event)
        for parent in event.parents:
            if life.number not in parent.tapes:
                _add_origin(graph, parent, names)
        node = graph.node(
            key, str(event.line or event.name), event.line.source if event.line else ""
        )
        node.add(event.name, _result(event), new_bytes(sizes.get(number), counted), event.seconds)
        for parent in event.parents:
            graph.connect(_key(parent), key)
    _mark_ends(graph)
    return graph


def _names_of(tape: GradientTape) -> dict[int, str]:
    return {v._number: v.name.removesuffix(":0") for v in tape.watched_variables()}


def _add_origin(graph: Graph, event: Event, names: dict[int, str]) -> None:
    is_value = event.kind in ("variable", "assigned")
    role = "source" if is_value else "" if event.kind in ("made", "outside") else "lost"
    line = event.line
    name = names.get(event.detail, event.name) if is_value else _PLAIN.get(event.name, event.name)
    title = f"{name} {line}" if line is not None else name
    node = graph.node(_key(event), title, line.source if line is not None else "", role)
    if not node.count:
        node.add(event.name, _result(event))


def _key(event: Event) -> Hashable:
    line = event.line
    kind = event.kind if event.kind in ("variable", "assigned", "made", "outside") else "op"
    if line is None:
        return kind, event.detail if kind == "variable" else getattr(event, "call", event).seq
    return line.filename, line.lineno, kind


def _result(event: Event) -> str:
    out = event.out
    return "" if out is None else f"{out.dtype}{written(out.shape)}"


def _of_records(tape: GradientTape, records: list[Any]) -> Graph:
    """Of a tape that recorded while explanations were off: a node for each op."""
    graph = Graph("tape")
    names = _names_of(tape)
    counted: set[int] = set()
    for plan, inputs, output, saved in records:
        name = getattr(getattr(plan, "op", None), "name", "Part")
        taken = (inputs,) if type(inputs) is int else inputs
        for number in taken:
            if number not in graph.nodes:
                graph.node(number, names.get(number, "watched"), role="source")
        graph.node(output, name).add(name, "", new_bytes(saved, counted))
        for number in taken:
            graph.connect(number, output)
    _mark_ends(graph)
    return graph


def _of_recording(recording: Recording) -> Graph:
    graph = Graph(recording.name)
    made: dict[int, Hashable] = {}
    for i, number in enumerate(recording.inputs):
        made[number] = ("input", i)
        graph.node(("input", i), f"argument {i}", str(recording.specs[number]), "source")
    for variable, number in recording.reads:
        made[number] = ("read", variable._number)
        graph.node(made[number], variable.name, str(recording.specs[number]), "source")
    for i, step in enumerate(recording.calls):
        outputs = [recording.specs[n] for n in step.outputs]
        node = graph.node(i, step.op.name)
        size = sum(spec.nbytes for spec in outputs)
        node.add(step.op.name, ", ".join(map(str, outputs)), size)
        for ref in _numbers(step.inputs):
            graph.connect(made[ref], i)
        made.update(dict.fromkeys(step.outputs, i))
    for ref in recording.ends:
        if graph.nodes[made[ref]].role == "":
            graph.nodes[made[ref]].role = "target"
    return graph


def _numbers(refs: Iterable[Any]) -> list[int]:
    return [ref for ref in refs if isinstance(ref, int)]


def _of_explanation(why: Explanation) -> Graph:
    graph = Graph(why.headline)
    before: Hashable = "source"
    graph.node(before, why.names.get("source") or "source", role="source")
    is_cut = False
    for i, step in enumerate(why.path):
        role = "" if step.recorded else "lost"
        if not step.recorded and not is_cut:
            role, is_cut = "cut", True
        node = graph.node(i, str(step.line or ""), step.op, role)
        node.add(step.op, "" if step.shape is None else f"{step.dtype}{written(step.shape)}")
        graph.connect(before, i)
        before = i
    if not why.path and why.line is not None:
        graph.node("cut", str(why.line), why.line.source, "cut").add(why.cause, "")
        graph.connect("source", "cut")
        before = "cut"
    graph.node("target", why.names.get("target") or "target", role="target")
    graph.connect(before, "target")
    return graph


def _mark_ends(graph: Graph) -> None:
    """Mark nodes without users as targets."""
    used = {before for before, _ in graph.edges}
    for key, node in graph.nodes.items():
        if key not in used and not node.role:
            node.role = "target"
