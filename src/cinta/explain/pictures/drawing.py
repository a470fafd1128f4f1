"""Drawing: a picture of something that was recorded, which notebooks show and files keep."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .boxes import folded, merged
from .svg import svg_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from .boxes import BoxGraph


class ClockTime(NamedTuple):
    """When an op ran, or was differentiated, on the clock of `perf_counter`."""

    name: str
    begin: float
    seconds: float
    key: Hashable
    """The outermost box that it is in."""
    backward: bool


class Drawing:
    """A picture of a tape, a function, a model or an explanation; notebooks show it.

    >>> import cinta as tf
    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape(persistent=True) as tape:
    ...     y = x * x
    >>> tape.draw()
    <Drawing of a tape: 2 boxes>
    """

    def __init__(
        self, kind: str, graph: BoxGraph, moments: Sequence[ClockTime] = (), title: str = ""
    ) -> None:
        self.kind, self.graph, self.moments = kind, graph, moments
        self.title = title or kind

    def __repr__(self) -> str:
        count = len(self.graph.boxes)
        return f"<Drawing of a {self.kind}: {count} box{'es' * (count != 1)}>"

    def _repr_svg_(self) -> str:
        return svg_of(folded(self.graph), self.title)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file: a picture (``.svg``), a page (``.html``) or a timeline (``.json``).

        The timeline is in the trace-event format, which https://ui.perfetto.dev shows.

        >>> import cinta as tf, os, tempfile
        >>> x = tf.Variable(3.0)
        >>> with tf.GradientTape(persistent=True) as tape:
        ...     y = x * x
        >>> path = os.path.join(tempfile.mkdtemp(), "tape.svg")
        >>> tape.draw().save(path)
        >>> os.path.exists(path)
        True
        """
        suffix = Path(path).suffix.lower()
        if suffix == ".html":
            from .page import Page

            text = str(Page([self]))
        elif suffix == ".json":
            text = trace_events(self.moments)
        elif suffix == ".svg":
            text = self._repr_svg_()
        else:
            raise ValueError(f"save writes .svg, .html or .json (a timeline), got {str(path)!r}.")
        Path(path).write_text(text, "utf-8")


def of_steps(drawings: Sequence[Drawing]) -> Drawing:
    """One picture of several steps of a training, which look alike."""
    if len(drawings) == 1:
        return drawings[0]
    last = drawings[-1]
    return Drawing(last.kind, merged([each.graph for each in drawings]), last.moments, last.title)


def trace_events(moments: Sequence[ClockTime]) -> str:
    """A timeline in the trace-event format: complete events, in microseconds from the first one."""
    start = min([each.begin for each in moments], default=0.0)
    events = [
        {
            "name": each.name,
            "cat": "backward" if each.backward else "forward",
            "ph": "X",
            "ts": round((each.begin - start) * 1e6, 3),
            "dur": round(each.seconds * 1e6, 3),
            "pid": 1,
            "tid": 2 if each.backward else 1,
        }
        for each in sorted(moments, key=lambda each: each.begin)
    ]
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ns"})
