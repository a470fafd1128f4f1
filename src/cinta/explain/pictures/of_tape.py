"""The records of a tape as a graph: the lines of the program, with layers and ops in them.

Lines are known of what ran while explanations were on; of other tapes each op is a box.
"""

from __future__ import annotations

import functools
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import nest
from ...engine.shapes import written
from ...engine.tensor import Tensor
from ...engine.variable import behind
from ..enable import history_of
from ..events import PartEvent
from ..kept_memory import new_bytes
from ..lines import line_at
from .boxes import Box, BoxGraph, BoxMeasurements
from .drawing import ClockTime, Drawing
from .gradient_norms import Pulled, swept

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from ...derivatives.tape import GradientTape
    from ..events import Event
    from ..tape_history import TapeHistory
    from .boxes import Path

_VALUES = "variable", "assigned"
_DATA = "outside", "made", "passed"
_AXES = 8
"""How many whole numbers ops may be given as axes, or as a shape."""


def draw_tape(
    tape: GradientTape,
    target: object = None,
    names: Mapping[int, str] | None = None,
    within: int = 0,
) -> Drawing:
    """The picture of a tape, with gradients of the target if the tape still has its records.

    ``names`` are those of variables, by number, ``within`` the layer that is all of the picture.
    """
    names = names or {v._number: v.name.removesuffix(":0") for v in tape.watched_variables()}
    records = [] if tape._recorder is None else list(tape._recorder.records)
    history = history_of(tape)
    known = {} if history is None else history.records
    seeds = _seeds(target, records, known)
    pulled = swept(records, seeds) if seeds else {}
    if history is not None and known:
        return _Lines(history, names, within, records, pulled).drawing()
    return _ops(names, records, pulled)


def _seeds(target: object, records: list[Any], known: dict[int, Event]) -> list[tuple[int, Any]]:
    """Gradients of ones for the targets; by default for what the tape has computed last."""
    if target is not None:
        given = [behind(each) for each in nest.flatten(target)]
        return [
            (each._number, np.ones(each._array.shape, each._array.dtype)[()])
            for each in given
            if isinstance(each, Tensor) and each._recorder is not None
        ]
    used = {number for _, inputs, _, _ in records for number in _all(inputs)}
    ends = [output for _, _, output, _ in records if output not in used and output in known]
    outs = [(number, known[number].out) for number in ends[-1:]]
    return [
        (number, np.ones(out.shape, out.dtype)[()])
        for number, out in outs
        if out is not None and out.dtype.kind in "fcV"
    ]


def _all(inputs: int | tuple[int, ...]) -> tuple[int, ...]:
    return (inputs,) if isinstance(inputs, int) else inputs


class _Lines:
    """Makes the picture of a tape whose lines are known."""

    def __init__(
        self,
        history: TapeHistory,
        names: Mapping[int, str],
        within: int,
        records: list[Any],
        pulled: dict[int, Pulled],
    ) -> None:
        self.history, self.names, self.within, self.pulled = history, names, within, pulled
        self.saved = {record[2]: record[3] for record in records}
        self.counted: set[int] = set()
        self.counted_variables: set[int] = set()
        self.graph = BoxGraph()
        self.paths: dict[int, Path] = {}  # of events, by their numbers
        self.moments: list[ClockTime] = []

    def drawing(self) -> Drawing:
        for number, event in self.history.records.items():
            self._note(number, event, self._enter_with_inputs(event))
        self._note_sources()
        self.graph.mark_ends()
        return Drawing("tape", self.graph, self.moments)

    def _enter_with_inputs(self, event: Event) -> Path:
        """Make the boxes of an event and of what it takes that the tape has not computed."""
        parents = [each.call if isinstance(each, PartEvent) else each for each in event.parents]
        for parent in parents:
            if parent.seq not in self.paths and self.history.number not in parent.tapes:
                self._enter_origin(parent, event)
        path = self._enter(event)
        for parent in parents:
            if parent.seq in self.paths:
                self.graph.connect(self.paths[parent.seq], path)
        return path

    def _enter(self, event: Event) -> Path:
        """Make the boxes of an event: of its lines, of the layers that it ran in, and its own."""
        found = self.paths.get(event.seq)
        if found is None:
            role = "" if self.history.number in event.tapes else "lost"
            key = event.name, event.offset, result_of(event), role
            found = self._put([*self._around(event, role), (key, Box(event.name, role=role))])
            self.paths[event.seq] = found
        for box in self.graph.on(found):
            box.result = result_of(event)  # of the last op in it
            if self.history.number in event.tapes:
                box.role = ""
        return found

    def _around(self, event: Event, role: str = "") -> list[tuple[Hashable, Box]]:
        """The boxes around an event: each line that it was on, and each layer called there."""
        boxes: list[tuple[Hashable, Box]] = []
        latest = None
        for place, layer in [*((each.place, each) for each in event.layers), (event.place, None)]:
            line = line_at(place)
            if line is not None and (latest is None or line.lineno != latest.lineno):
                boxes.append(((line.filename, line.lineno), Box(line.source, str(line), role)))
                latest = line
            if layer is not None and layer.number == self.within:
                boxes.clear()
            elif layer is not None:
                boxes.append((layer.number, Box(layer.name, layer.kind, role)))
        return boxes

    def _put(self, boxes: Iterable[tuple[Hashable, Box]]) -> Path:
        """Enter boxes, each into the one before it."""
        graph, path = self.graph, []
        for key, box in boxes:
            graph = graph.enter(key, box).inner
            path.append(key)
        return tuple(path)

    def _enter_origin(self, event: Event, user: Event) -> None:
        """Make the box of a value that the tape did not compute; small constants have none."""
        boxes: list[tuple[Hashable, Box]] = []
        if event.kind in _VALUES:
            name = self.names.get(event.detail, "variable")
            if user.layers:  # a layer's variables stand in it
                boxes, name = self._around(user), name.rpartition("/")[2]
            boxes.append((("variable", event.detail), Box(name, role="source")))
        elif event.kind not in _DATA:
            if event.seq >= self.history.begin:
                self._enter_with_inputs(event)
        elif _is_data(event):
            title = "input" if self.within else "data"
            key = "data", _line_key(user) if event.line is None else _line_key(event)
            boxes.append(((*key, result_of(event)), Box(title, _where(event), "data")))
        if boxes:
            boxes[-1][1].result = result_of(event)
            self.paths[event.seq] = path = self._put(boxes)
            if event.kind in _VALUES and event.detail not in self.counted_variables:
                self.counted_variables.add(event.detail)
                for box in self.graph.on(path[:-1]):
                    box.parameters += 0 if event.out is None else prod(event.out.shape)

    def _note(self, number: int, event: Event, path: Path) -> None:
        pulled = self.pulled.get(number)
        size = new_bytes(self.saved.get(number), self.counted)
        facts = BoxMeasurements(1, size, event.seconds)
        self.moments.append(ClockTime(event.name, event.begin, event.seconds, path[0], False))
        if pulled is not None:
            facts.norm, facts.pull_seconds = pulled.norm, pulled.seconds
            self.moments.append(ClockTime(event.name, pulled.begin, pulled.seconds, path[0], True))
        self.graph.note(path, facts)

    def _note_sources(self) -> None:
        """Add the gradients of variables."""
        for path in dict.fromkeys(self.paths.values()):
            key = path[-1]
            if isinstance(key, tuple) and key[0] == "variable":
                pulled = self.pulled.get(key[1])
                self.graph.note(path, _of_source(pulled))


def _is_data(event: Event) -> bool:
    """Whether a value has a box of its own: it is an array, other than the axes of some op."""
    if event.out is None or not event.out.shape:
        return False
    return event.kind == "made" or event.out.dtype.kind not in "iu" or prod(event.out.shape) > _AXES


def _of_source(pulled: Pulled | None) -> BoxMeasurements:
    return BoxMeasurements(norm=None if pulled is None else pulled.norm)


def _line_key(event: Event) -> tuple[Hashable, ...]:
    line = event.line
    return ("op", event.seq) if line is None else (line.filename, line.lineno)


def _where(event: Event) -> str:
    return "" if event.line is None else str(event.line)


def result_of(event: Event) -> str:
    """The dtype and the shape of what an event made."""
    return "" if event.out is None else shown(event.out.dtype, event.out.shape)


@functools.lru_cache(maxsize=4096)
def shown(dtype: object, shape: tuple[int, ...]) -> str:
    """A dtype and a shape, as pictures show them."""
    return f"{dtype}{written(shape)}"


def _ops(names: Mapping[int, str], records: list[Any], pulled: dict[int, Pulled]) -> Drawing:
    """Of a tape that recorded while explanations were off: a box for each op."""
    graph = BoxGraph()
    counted: set[int] = set()
    keys: dict[int, Hashable] = {}  # by the numbers of values; they do not tell tapes apart
    moments = []
    for i, (plan, inputs, output, saved) in enumerate(records):
        name = getattr(getattr(plan, "op", None), "name", "PartEvent")
        for number in _all(inputs):
            if number not in keys:
                keys[number] = "source", number if number in names else len(keys)
                box = Box(names.get(number, "tensor"), role="source", result=_shape(pulled, number))
                graph.enter(keys[number], box)
                graph.note((keys[number],), _of_source(pulled.get(number)))
        keys[output] = "op", i
        graph.enter(keys[output], Box(name, result=_shape(pulled, output)))
        facts = BoxMeasurements(1, new_bytes(saved, counted))
        if output in pulled:
            facts.norm, facts.pull_seconds = pulled[output].norm, pulled[output].seconds
            moments.append(
                ClockTime(name, pulled[output].begin, facts.pull_seconds, ("op", i), True)
            )
        graph.note((keys[output],), facts)
        for number in _all(inputs):
            graph.connect((keys[number],), (keys[output],))
    graph.mark_ends()
    return Drawing("tape", graph, moments)


def _shape(pulled: dict[int, Pulled], number: int) -> str:
    return shown(*pulled[number].result) if number in pulled else ""
