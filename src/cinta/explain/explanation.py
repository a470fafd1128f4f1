"""Explanation: a reason with its line, the path of the value, and a remedy, as readable text."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..languages.phrases import said
from ..public import public
from .texts import headline_of, hint_of, layer_made_here

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .events import Event
    from .lines import Line

_LONGEST_WAY = 12
"""How many steps of a way are shown."""


@dataclass(frozen=True)
class PathStep:
    """A step of the way that a value went; ``recorded`` says whether the tape has it."""

    op: str
    line: Line | None
    shape: tuple[int, ...] | None
    dtype: str | None
    recorded: bool

    @classmethod
    def of(cls, event: Event, tape: int | None) -> PathStep:
        """The facts of an event that an explanation shows."""
        kind = event.out
        return cls(
            event.name,
            event.line,
            None if kind is None else tuple(kind.shape),
            None if kind is None else str(kind.dtype),
            tape in event.tapes,
        )

    def __str__(self) -> str:
        return self.op if self.line is None else f"{self.op} ({self.line.lineno})"


@public("debugging.Explanation")
@dataclass(repr=False)
class Explanation:
    """Why a result is as it is: the cause, its line, and what to write instead.

    >>> import cinta as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> why = tape.explain(y, x)
    >>> why.kind, why.cause
    ('none', 'not-watched')
    >>> why.is_like(tape.explain(y, x))
    True

    Attributes:
        kind: "none", "zero", "nan", "rerecorded" or "memory".
        cause: The name of the cause, such as "left-to-numpy".
        line: The line of the program, with ``filename``, ``lineno``, ``columns`` and ``source``.
        path: The steps that the value took up to that line.
        certain: False if the cause is the likeliest of several.
        names: The names of the program that the sentences mention.
        count: How often it happened.
        made: The line that made the layer of Keras which the source belongs to, if that is known.
    """

    kind: str
    cause: str
    line: Line | None = None
    path: tuple[PathStep, ...] = ()
    certain: bool = True
    names: dict[str, str] = field(default_factory=dict)
    count: int = 1
    made: Line | None = None

    def is_like(self, other: object) -> bool:
        """Whether the other one has the same cause at the same line."""
        if not isinstance(other, Explanation):
            return False
        return (self.kind, self.cause) == (other.kind, other.cause) and (
            self.line == other.line
            if self.line is None or other.line is None
            else self.line.is_same(other.line)
        )

    @property
    def headline(self) -> str:
        """A sentence that says what happened."""
        return headline_of(self.kind, self.cause, self.names)

    @property
    def advice(self) -> str:
        """The code to write instead."""
        return hint_of(self.cause, self.names)

    def __str__(self) -> str:
        parts = [self.headline]
        if self.line is not None:
            parts.append(self.line.marked())
        if self.path:
            parts.append(f"  {self._way()}")
        if self.made is not None:
            parts.append(f"{layer_made_here()}\n\n{self.made.marked()}")
        advice = self.advice if self.certain else f"{self.advice} {said('(This is a guess.)')}"
        text = "\n\n".join([*parts, advice] if advice else parts)
        return text if self.count == 1 else f"{text}\n\n{said('({} times)').format(self.count)}"

    def __repr__(self) -> str:
        return f"<Explanation {self.kind}: {self.cause} at {self.line}>"

    def _way(self) -> str:
        """The way in one line; a cross stands where the tape does not follow."""
        steps = list(self.path)
        if len(steps) > _LONGEST_WAY:
            half = _LONGEST_WAY // 2
            steps = [*steps[:half], None, *steps[-half:]]  # type: ignore[list-item]
        text = self.names.get("source", "")
        was_recorded = True
        for step in steps:
            if step is None:
                text += " -> …"
                continue
            arrow = " -x-> " if was_recorded and not step.recorded else " -> "
            was_recorded = step.recorded
            text += f"{arrow}{step}"
        target = self.names.get("target", "")
        return f"{text} -> {target}" if target else text

    def _repr_html_(self) -> str:
        color = {"none": "#c0392b", "nan": "#8e44ad", "zero": "#d68910"}.get(self.kind, "#2471a3")
        parts = [
            f"<strong>{_with_code(self.headline)}</strong>",
            "" if self.line is None else self.line.marked_html(),
            f"<div><small>{html.escape(self._way())}</small></div>" if self.path else "",
            "" if self.made is None else f"<div>{layer_made_here()}</div>{self.made.marked_html()}",
            f"<div>{_with_code(self.advice)}</div>",
        ]
        style = f"border-left:4px solid {color};padding:.3em .8em;margin:.5em 0"
        return f"<div style='{style}'>{''.join(parts)}</div>"


def _with_code(text: str) -> str:
    """A text as HTML, with what stands between backticks as code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(text))


class Explanations(list[Explanation]):
    """Explanations in the order in which things happened."""

    def __str__(self) -> str:
        return "\n\n\n".join(map(str, self)) or said("Nothing to explain.")

    def _repr_html_(self) -> str:
        return "".join(each._repr_html_() for each in self) or said("Nothing to explain.")


def path_of(way: Sequence[Event], tape: int | None) -> tuple[PathStep, ...]:
    """The steps of a path that are calls of ops."""
    shown: Iterable[Any] = (event for event in way[1:])
    return tuple(PathStep.of(event, tape) for event in shown)
