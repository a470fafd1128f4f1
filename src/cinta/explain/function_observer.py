"""Why a function was recorded again, or runs as Python.

While explanations are on, a function runs its Python in every call, so that its ops have lines, and
is recorded each time. A recording like one that there is already is dropped.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, NamedTuple

from ..ops.random.op_numbering import run_in
from ..replay.recording import Guard
from ..replay.trace import Trace
from ..replay.variants import Variants
from ..user_frames import here, is_library
from .explanation import Explanation
from .lines import line_at
from .why_rerecorded import is_of_other_batches, line_of_code, reason_for

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence
    from types import CodeType

    from ..engine.tensor import Tensor
    from ..replay.calls import Call
    from ..replay.variant import Variant
    from ..user_frames import CodePlace
    from .findings import Findings
    from .lines import Line
    from .why_rerecorded import Rerecorded


class Seen(NamedTuple):
    """Where Python looked at a value while a function was recorded, and what it found."""

    guard: Guard
    place: CodePlace


class MadeFunction(NamedTuple):
    """A function of Python that was made into a recorded one, and what it belongs to."""

    function: weakref.ref[Any]
    belongings: tuple[int, ...]
    """Its names and its owner, by identity."""

    @classmethod
    def of(cls, function: Any, *owner: object) -> MadeFunction:
        """The facts of a function."""
        cells = [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
        return cls(weakref.ref(function), tuple(map(id, (*owner, *cells))))

    def repeats(self, before: MadeFunction) -> bool:
        """Whether the other one is gone, or was made of the same things."""
        return before.function() is None or self.belongings == before.belongings


def _is_filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


class FunctionObserver:
    """Makes the methods that tell why functions are recorded."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._latest: list[Seen] = []
        self._looks: weakref.WeakKeyDictionary[Variant, list[Seen]] = weakref.WeakKeyDictionary()
        self._codes: weakref.WeakKeyDictionary[Variants, CodeType] = weakref.WeakKeyDictionary()
        self._made: dict[CodeType, list[MadeFunction]] = {}

    def patches(self) -> Iterator[tuple[Any, str, Callable[[Any], Any]]]:
        """The methods to replace: owner, name, and a function from the plain one to its wrapper."""
        yield Variants, "call", self._calling_any
        yield Variants, "_called", self._calling
        yield Variants, "_recorded", self._recording
        yield Variants, "_add", self._adding
        yield Variants, "_refuse", self._refusing
        yield Trace, "value_read", self._seeing

    def _calling_any(self, plain: Callable[..., Any]) -> Callable[..., object]:
        """The call without a look at whether kernels have changed: recordings stay known."""

        def calling_any(variants: Variants, call: Call) -> object:
            return run_in(variants.graph_for(call.given), variants._called, call)

        return calling_any

    def _calling(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def calling(variants: Variants, call: Call) -> object:
            code = getattr(next(iter(call.roots), None), "__code__", None)
            if code is not None and variants not in self._codes:
                self._codes[variants] = code
                if not is_library(code.co_filename):
                    self._met(variants, MadeFunction.of(*call.roots), code)
            return variants._run_python(call, "")

        return calling

    def _recording(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def recording(variants: Variants, *args: object) -> tuple[Variant, object]:
            outer, self._latest = self._latest, []
            try:
                variant, returned = plain(variants, *args)
                self._looks[variant] = self._latest
            finally:
                self._latest = outer
            return variant, returned

        return recording

    def _seeing(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def seeing(trace: Trace, tensor: Tensor, look: str, found: object) -> object:
            before = len(trace._log)
            answer = plain(trace, tensor, look, found)
            if len(trace._log) > before:
                self._latest.append(Seen(trace._log[-1], here()))
            return answer

        return seeing

    def _adding(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def adding(variants: Variants, kind: Hashable, variant: Variant, why: str) -> None:
            mine = self._looks.get(variant, [])
            alike = [v for v in variants._by_kind.get(kind, ()) if v.captures.hold()]
            ways = [self._guards(v) for v in alike]
            if any(_is_same_way(way, [seen.guard for seen in mine]) for way in ways):
                return
            if ways:
                self._tell(variants, "python-branch", _parting(ways[0], mine), {})
            elif kind not in variants._by_kind or variants._by_kind[kind]:  # else it was dropped
                self._changed(variants, kind)
            plain(variants, kind, variant, why)

        return adding

    def _guards(self, variant: Variant) -> list[Guard]:
        known = self._looks.get(variant)
        return list(variant.recording.guards) if known is None else [seen.guard for seen in known]

    def _refusing(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def refusing(variants: Variants, kind: Hashable, why: str, tries: float = 1) -> None:
            plain(variants, kind, why, tries)
            if kind in variants._refused:
                code = self._codes.get(variants)
                line = line_of_code(code) if code else line_at(here())
                self._tell(variants, "not-replayable", line, {"why": why})

        return refusing

    # -- reasons -------------------------------------------------------------------------------

    def _changed(self, variants: Variants, kind: Hashable) -> None:
        """Arguments are of another kind, or something changed that code of the user refers to."""
        code, signed = self._codes.get(variants), variants.has_signature
        reason = reason_for(variants._why(kind), code, signed, line_at(here()))
        is_foreign = code is not None and is_library(code.co_filename)
        if reason is not None and not (is_foreign and _is_usual(reason)):
            self._tell(variants, *reason)

    def _met(self, variants: Variants, made: MadeFunction, code: CodeType) -> None:
        """A function is called for the first time."""
        before = self._made.setdefault(code, [])
        if any(made.repeats(each) for each in before):
            self._tell(variants, "made-anew", line_of_code(code), {})
        before.append(made)

    def _tell(
        self, variants: Variants, cause: str, line: Line | None, names: dict[str, str]
    ) -> None:
        found = Explanation("rerecorded", cause, line, names={"target": variants.name, **names})
        self._findings.add(("rerecorded", cause, line), found)


def _is_usual(reason: Rerecorded) -> bool:
    """Whether functions of libraries are recorded again for such a reason, which they know."""
    if reason.cause == "argument-shape":
        return is_of_other_batches(reason.names)  # the last batch is smaller
    return reason.cause == "captured-changed"


def _is_same_way(way: Sequence[Guard], other: Sequence[Guard]) -> bool:
    """Whether Python looked in the same ways and found the same."""
    return len(way) == len(other) and all(
        a.look == b.look and a.holds(b.found) for a, b in zip(way, other, strict=True)
    )


def _parting(way: Sequence[Guard], mine: Sequence[Seen]) -> Line | None:
    """The line where Python found something else than before."""
    for before, seen in zip(way, mine, strict=False):
        if before.look != seen.guard.look or not before.holds(seen.guard.found):
            return line_at(seen.place)
    return line_at(mine[-1].place) if mine else None
