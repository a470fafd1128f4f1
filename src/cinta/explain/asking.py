"""Asking: gradients that come out as None, zero or not finite, and the answers that are found."""

from __future__ import annotations

from _thread import get_ident
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..derivatives.tape_arguments import UnconnectedGradients
from ..engine.tensor import Tensor
from ..engine.variable import Variable, behind
from .explanation import Explanation, Explanations, path_of
from .keeping import kept_by
from .layers import Layers
from .left_over import left_over
from .lines import here, line_at, user_frame
from .names import name_of
from .none import Question, Reason, is_connected, why_none
from .not_finite import is_finite
from .numbers import Asked, first_fault, trouble, why_not_finite, why_zero
from .numpy_names import public_name, remedy_for
from .summary import summary_of_kept, written_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    from ..derivatives.tape import GradientTape
    from .ledger import Event, Ledger
    from .life import Life


MUCH_MEMORY = 100_000_000
"""Bytes from which on it is told what keeps a tape's memory."""


class Findings:
    """The explanations so far; ``tell`` is called with each new explanation."""

    def __init__(self, tell: Callable[[Explanation], None] | None = None) -> None:
        self.found = Explanations()
        self.lives: MutableMapping[GradientTape, Life] = {}
        self.layers = Layers()
        self._tell = tell
        self._known: dict[Any, Explanation] = {}
        self._busy: set[int] = set()  # threads on which a gradient is asked for
        self.moved: set[Any] = set()  # where a gradient by a source was not zero
        self.reasons: dict[Any, Reason] = {}  # why gradients are not finite
        self.weighed: dict[Any, int] = {}  # the largest numbers of records of which bytes are known

    def again(self, key: object) -> bool:
        """Whether this has been explained already; if so, count it once more."""
        known = self._known.get(key)
        if known is not None:
            known.count += 1
        return known is not None

    def add(self, key: object, found: Explanation) -> None:
        """Keep an explanation; the same cause at the same line is one."""
        same = next((x for x in self.found if x.is_like(found)), None)
        self._known[key] = same or found
        if same is not None:
            same.count += 1
            return
        self.found.append(found)
        if self._tell is not None:
            self._tell(found)

    def saw_trouble(self, book: Ledger, event: Event, name: str) -> None:
        """A value that matters is not finite."""
        key = "nan", event.code, event.offset
        if self.again(key):
            return
        reason = first_fault(book, [event])
        if reason is not None:
            self.add(key, explained("nan", reason, {"target": name}, None))

    def saw_end(self, book: Ledger, since: int = 0) -> None:
        """Explanations end: explain results of ops since then that stay and are not finite."""
        for event in left_over(book.after(since - 1)):
            reason = first_fault(book, [event])
            if reason is None or reason.cause == "nan-input":  # data may have gaps that are known
                continue
            found = explained("nan", reason, {"opening": "result"}, None)
            if not any(map(found.is_like, self.found)):
                self.add(event, found)


def answered(ask: Callable[..., Any], book: Ledger, findings: Findings) -> Callable[..., object]:
    """The gradient method of a tape, which also explains gradients that are None, zero or NaN."""

    def asking(
        tape: GradientTape, target: object, sources: object, *args: object, **kwargs: object
    ) -> object:
        thread = get_ident()
        recorder = tape._recorder
        if thread in findings._busy or recorder is None:
            return ask(tape, target, sources, *args, **kwargs)
        findings._busy.add(thread)
        try:
            records, since = list(recorder.records), book.count
            result = ask(tape, target, sources, *args, **kwargs)
            question = _Asking(book, findings, tape, target, sources, records, since)
            question.enter(result)
            question.explain(result, wants_zeros=_wants_zeros(args, kwargs))
            question.explain_memory()
        finally:
            findings._busy.discard(thread)
        return result

    return asking


def _wants_zeros(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    given = [*args, *kwargs.values()]
    return any(
        x is UnconnectedGradients.ZERO or (isinstance(x, str) and x == "zero") for x in given
    )


class _Asking:
    """One question to a tape: the gradients of targets by sources."""

    def __init__(
        self,
        book: Ledger,
        findings: Findings,
        tape: GradientTape,
        target: object,
        sources: object,
        records: list[Any],
        since: int,
    ) -> None:
        self.book, self.findings = book, findings
        self.life = findings.lives[tape]
        self.frame = user_frame(2)
        self.place = here(2)
        self.targets = [t for t in map(behind, nest.flatten(target)) if hasattr(t, "_array")]
        self.given = nest.flatten(sources)
        self.sources = [behind(s) for s in self.given]
        self.events = [self.book.event_of(t) for t in self.targets]
        self.records, self.since = records, since
        self.target_name = name_of(target, self.frame)

    def enter(self, result: object) -> None:
        """Enter the gradients, which are computed from the targets and the sources."""
        known = [x for x in self.sources if hasattr(x, "_array")]
        inputs = (*self.events, *[self.book.at.get(id(x._array)) for x in known])
        for g in nest.flatten(result):
            array = getattr(getattr(g, "values", g), "_array", None)
            if array is not None and id(array) not in self.book.at:
                event = self.book.add("gradient", array, inputs, self.place)
                event.tapes = tuple(self.book.begins)

    def explain(self, result: object, wants_zeros: bool) -> None:
        """Explain each gradient that needs it, and a target that is not finite."""
        for event, value in zip(self.events, self.targets, strict=True):
            if not is_finite(value._array):
                self.findings.saw_trouble(self.book, event, self.target_name)
                wants_zeros = True  # a gradient of zero says nothing then
        if not self.events:  # of no targets there are no gradients
            return
        for i, (source, g) in enumerate(zip(self.sources, nest.flatten(result), strict=False)):
            if not hasattr(source, "_array"):
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
            found = explained(kind, reason, names, self.life.number)
            self.findings.add(key, self._with_layer(found, source))

    def _explain_steps(self, reason: Reason | None) -> None:
        """Give the reason to steps of the sweep that are ops: in functions, under another tape."""
        for event in self.book.after(self.since - 1):
            if event.fault and event.kind != "outside" and event.reason is None:
                event.reason = reason

    def explain_memory(self) -> None:
        """Explain which line keeps most of a tape that keeps much; it is weighed when it grows."""
        key, count = ("memory", *self.place), len(self.records)
        if count <= self.findings.weighed.get(key, 0):
            return
        self.findings.weighed[key] = count
        kept = summary_of_kept(kept_by(self.records, self.life.records), self.book)
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
        question = Question(self.life, self.events, source, self.place, self.frame)
        if kind == "none":
            return why_none(self.book, question)
        asked = Asked(self.life, self.records, self._seeds(), self.events, self.place)
        number = getattr(source, "_number", 0)
        if kind == "zero" and not is_connected(self.book, question):
            return why_none(self.book, question)  # zeros that stand for None
        return (
            why_zero(asked, number) if kind == "zero" else why_not_finite(self.book, asked, number)
        )

    def _seeds(self) -> list[tuple[int, Any]]:
        known = [t for t in self.targets if getattr(t, "_number", 0)]
        return [(t._number, np.ones(t._array.shape, t._array.dtype)[()]) for t in known]


def explained(kind: str, reason: Reason, names: dict[str, str], tape: int | None) -> Explanation:
    """The explanation that states a reason."""
    cut = reason.cut
    if cut is not None and getattr(cut, "op", None) is not None:
        names = {"op": called(cut.op.name), **names}  # type: ignore[union-attr]
    if reason.cause == "left-to-numpy":
        names = {"remedy": remedy_for(reason.line), **names}
    path = path_of(reason.way, tape)
    return Explanation(kind, reason.cause, reason.line, path, reason.certain, names)


_OTHERWISE = {
    "AddV2": "add",
    "Sub": "subtract",
    "Mul": "multiply",
    "RealDiv": "divide",
    "Neg": "negative",
    "MatMul": "matmul",
    "Sum": "reduce_sum",
    "Mean": "reduce_mean",
    "Max": "reduce_max",
    "Min": "reduce_min",
    "Prod": "reduce_prod",
    "SelectV2": "where",
    "Conv2D": "conv2d",
    "ArgMax": "argmax",
    "ArgMin": "argmin",
    "Convert": "cast",
    "Raised": "pow",
    "Rint": "round",
    "EuclideanNorm": "norm",
    "DivNoNan": "math.divide_no_nan",
    "FloorDiv": "math.floordiv",
    "FloorMod": "math.floormod",
    "LogSumExp": "reduce_logsumexp",
    "LogMatrixDeterminant": "linalg.slogdet",
    "MatrixDeterminant": "linalg.det",
    "MatrixInverse": "linalg.inv",
    "MatrixSolve": "linalg.solve",
    "Variance": "math.reduce_variance",
    "GatherV2": "gather",
    "TopKV2": "math.top_k",
    "NonZero": "where",
}
"""Ops whose public functions have other names."""


def called(op: str) -> str:
    """The name of an op's public function, or the op's own name if no function is known."""
    return public_name(_OTHERWISE.get(op) or _snake(op)) or op


def _snake(name: str) -> str:
    return "".join(
        "_" + c.lower() if c.isupper() and i and not name[i - 1].isupper() else c.lower()
        for i, c in enumerate(name)
    )
