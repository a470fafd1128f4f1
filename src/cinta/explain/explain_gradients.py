"""Gradients that come out as None, zero or not finite are explained when a tape gives them."""

from __future__ import annotations

from _thread import get_ident
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..derivatives.tape_arguments import UnconnectedGradients
from ..engine.tensor import Tensor
from ..engine.variable import Variable, behind
from ..user_frames import here, user_frame
from .explanation import Explanation
from .findings import explained
from .kept_memory import kept_by
from .lines import line_at
from .memory_summary import summary_of_kept, written_bytes
from .not_finite import is_finite
from .program_names import name_of
from .why_none import Question, Reason, is_connected, why_none
from .why_zero_or_nan import SweepQuestion, trouble, why_not_finite, why_zero

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..derivatives.tape import GradientTape
    from .findings import Findings
    from .ledger import Ledger


MUCH_MEMORY = 100_000_000
"""Bytes from which on it is told what keeps a tape's memory."""


def with_explanations(
    plain: Callable[..., Any], ledger: Ledger, findings: Findings
) -> Callable[..., object]:
    """The gradient method of a tape, which also explains gradients that are None, zero or NaN."""

    def gradient(
        tape: GradientTape, target: object, sources: object, *args: object, **kwargs: object
    ) -> object:
        thread = get_ident()
        recorder = tape._recorder
        if thread in findings.busy or recorder is None:
            return plain(tape, target, sources, *args, **kwargs)
        findings.busy.add(thread)
        try:
            records, since = list(recorder.records), ledger.count
            result = plain(tape, target, sources, *args, **kwargs)
            question = _Gradients(ledger, findings, tape, target, sources, records, since)
            question.enter(result)
            question.explain(result, wants_zeros=_wants_zeros(args, kwargs))
            question.explain_memory()
        finally:
            findings.busy.discard(thread)
        return result

    return gradient


def _wants_zeros(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    given = [*args, *kwargs.values()]
    return any(
        x is UnconnectedGradients.ZERO or (isinstance(x, str) and x == "zero") for x in given
    )


class _Gradients:
    """One question to a tape: the gradients of targets by sources."""

    def __init__(
        self,
        ledger: Ledger,
        findings: Findings,
        tape: GradientTape,
        target: object,
        sources: object,
        records: list[Any],
        since: int,
    ) -> None:
        self.ledger, self.findings = ledger, findings
        self.history = findings.histories[tape]
        self.frame = user_frame(2)
        self.place = here(2)
        targets = map(behind, nest.flatten(target))
        self.targets = [t for t in targets if isinstance(t, (Tensor, Variable))]
        self.given = nest.flatten(sources)
        self.sources = [behind(s) for s in self.given]
        self.events = [self.ledger.event_of(t) for t in self.targets]
        self.records, self.since = records, since
        self.target_name = name_of(target, self.frame)

    def enter(self, result: object) -> None:
        """Enter the gradients, which are computed from the targets and the sources."""
        known = [x for x in self.sources if isinstance(x, (Tensor, Variable))]
        inputs = (*self.events, *[self.ledger.at.get(id(x._array)) for x in known])
        for g in nest.flatten(result):
            array = getattr(getattr(g, "values", g), "_array", None)
            if array is not None and id(array) not in self.ledger.at:
                event = self.ledger.add("gradient", array, inputs, self.place)
                event.tapes = tuple(self.ledger.begins)

    def explain(self, result: object, wants_zeros: bool) -> None:
        """Explain each gradient that needs it, and a target that is not finite."""
        for event, value in zip(self.events, self.targets, strict=True):
            if not is_finite(value._array):
                self.findings.saw_trouble(self.ledger, event, self.target_name)
                wants_zeros = True  # a gradient of zero says nothing then
        if not self.events:  # of no targets there are no gradients
            return
        for i, (source, g) in enumerate(zip(self.sources, nest.flatten(result), strict=False)):
            if not isinstance(source, (Tensor, Variable)):
                continue
            kind = "none" if g is None else trouble(g)
            asked = *self.place, getattr(source, "_number", i)
            moved = *self.place, source._number if isinstance(source, Variable) else i
            if kind is None:
                self.findings.moved.add(moved)
            if kind is None or (kind == "zero" and wants_zeros):
                continue
            key = kind, *asked
            if self.findings.again(key):
                self._explain_steps(self.findings.reasons.get(key))
                continue
            reason = self._reason(kind, source)
            if kind == "nan":
                self.findings.reasons[key] = reason
                self._explain_steps(reason)
            if kind == "zero" and moved in self.findings.moved and self._has_arrived(reason):
                continue
            names = {"source": self._name(i), "target": self.target_name}
            found = explained(kind, reason, names, self.history.number)
            self.findings.add(key, self._with_layer(found, source))

    def _explain_steps(self, reason: Reason | None) -> None:
        """Give the reason to steps of the sweep that are ops: in functions, under another tape."""
        for event in self.ledger.after(self.since - 1):
            if event.fault and event.kind != "outside" and event.reason is None:
                event.reason = reason

    def explain_memory(self) -> None:
        """Explain which line keeps most of a tape that keeps much; it is weighed when it grows."""
        key, count = ("memory", *self.place), len(self.records)
        if count <= self.findings.weighed.get(key, 0):
            return
        self.findings.weighed[key] = count
        kept = summary_of_kept(kept_by(self.records, self.history.records), self.ledger)
        if kept.bytes < MUCH_MEMORY or self.findings.again(key):
            return
        row = kept.lines[0]
        names = {
            "bytes": written_bytes(kept.bytes),
            "most": written_bytes(row.bytes),
            "share": f"{row.share:.0%}",
            "remedy": kept.advice,
        }
        self.findings.add(key, Explanation("memory", "kept-by-tape", row.line, names=names))

    def _has_arrived(self, reason: Reason) -> bool:
        """Whether a gradient that has become zero means that a minimum is reached."""
        is_least = all(not np.any(target._array) for target in self.targets)
        return is_least or reason.cause in ("multiplied-by-zero", "cancelled")

    def _name(self, i: int) -> str:
        """The name of a source in messages; a variable of Keras has a path that names its layer."""
        path = getattr(self.given[i], "path", None)
        return path if isinstance(path, str) else name_of(self.sources[i], self.frame)

    def _with_layer(self, found: Explanation, source: object) -> Explanation:
        """An explanation that also says where the layer was made whose variable the source is.

        Where Keras computes, the line found is that of ``fit``, which says less than the layer's.
        """
        made = self.findings.layers.line_of(source)
        asked = line_at(self.place)
        if made is not None and found.line == asked:
            return replace(found, line=made)
        return replace(found, made=made)

    def _reason(self, kind: str, source: Tensor | Variable) -> Reason:
        question = Question(self.history, self.events, source, self.place, self.frame)
        if kind == "none":
            return why_none(self.ledger, question)
        asked = SweepQuestion(self.history, self.records, self._seeds(), self.events, self.place)
        number = getattr(source, "_number", 0)
        if kind == "zero" and not is_connected(self.ledger, question):
            return why_none(self.ledger, question)  # zeros that stand for None
        return (
            why_zero(asked, number)
            if kind == "zero"
            else why_not_finite(self.ledger, asked, number)
        )

    def _seeds(self) -> list[tuple[int, Any]]:
        known = [t for t in self.targets if getattr(t, "_number", 0)]
        return [(t._number, np.ones(t._array.shape, t._array.dtype)[()]) for t in known]
