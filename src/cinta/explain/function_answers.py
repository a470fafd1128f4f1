"""Answers of a function about itself: why it was recorded again, and what a gradient keeps."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from .. import nest
from ..derivatives.tape import GradientTape
from ..engine.tensor import Tensor, wrap
from ..engine.transactions import leaving_no_trace
from ..engine.variable import Variable
from ..ops.random.state import seeds
from .enable import current_ledger, explaining
from .explanation import Explanation, Explanations
from .memory_summary import MemorySummary, summary_of_recording
from .tape_answers import summary_of
from .why_rerecorded import line_of_code, reason_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..programs.function import Function
    from .lines import Line


R = TypeVar("R")


def explain_function(
    f: Function[..., Any], args: tuple[object, ...], kwargs: dict[str, object]
) -> Explanations:
    """Why a function was recorded again, and of a call why gradients are None, zero or NaN."""
    history = _history(f)
    if not _can_be_called(f, args, kwargs):
        return history

    def explained() -> Explanations:
        with explaining() as found:
            tape, result, sources = _taped(f, args, kwargs)
            targets = [x for x in nest.flatten(result) if _is_number(x)]
            if targets and sources:
                tape.gradient(targets, sources)
        return found

    found = _without_a_trace(explained)
    return Explanations([*history, *(x for x in found if not any(map(x.is_like, history)))])


def summary_of_function(
    f: Function[..., Any], args: tuple[object, ...], kwargs: dict[str, object]
) -> MemorySummary:
    """The arrays that a tape keeps for a call, by line, or by the sizes in the recording."""
    if not _can_be_called(f, args, kwargs):
        recordings = [variant.recording for variant in f._variants]
        if not recordings:
            raise ValueError(f"{f!r} has no recording yet: call it, or give summary its arguments.")
        return summary_of_recording(recordings[0])

    def summed() -> MemorySummary:
        with explaining():
            return summary_of(_taped(f, args, kwargs)[0])

    return _without_a_trace(summed)


def _taped(
    f: Function[..., Any], args: tuple[object, ...], kwargs: dict[str, object]
) -> tuple[GradientTape, Any, list[Any]]:
    """A tape of a call, its result, and the sources: variables, or arguments if it reads none."""
    args, kwargs = nest.map_structure(_as_given, (args, kwargs))
    with GradientTape(persistent=True) as tape:
        result = f(*args, **kwargs)
    if variables := _read(f, tape):
        return tape, result, variables
    given = [x for x in nest.flatten((args, kwargs)) if _is_number(x)]
    with GradientTape(persistent=True) as tape:
        tape.watch(given)
        result = f(*args, **kwargs)
    return tape, result, given


def _read(f: Function[..., Any], tape: GradientTape) -> list[Variable]:
    """The variables that a call has read; a tape does not know of those that it need not watch."""
    ledger = current_ledger()
    assert ledger is not None  # explanations are on
    recorded = (v for variant in f._variants for v, _ in variant.recording.reads if v.trainable)
    met = (v for v in recorded if id(v._array) in ledger.at)
    return list({v._number: v for v in (*tape.watched_variables(), *met) if _is_number(v)}.values())


def _as_given(value: object) -> object:
    """An argument; a tensor is another one, so that the tape of the call alone watches it."""
    return wrap(value._array) if isinstance(value, Tensor) else value


def _is_number(value: object) -> TypeGuard[Tensor | Variable]:
    return isinstance(value, (Tensor, Variable)) and (
        value.dtype.is_floating or value.dtype.is_complex
    )


def _can_be_called(
    f: Function[..., Any], args: tuple[object, ...], kwargs: dict[str, object]
) -> bool:
    """Whether there are arguments for a call; wrong ones are refused as a call refuses them."""
    try:
        inspect.signature(f).bind(*args, **kwargs)
    except TypeError:
        if args or kwargs:
            raise
        return False
    return True


def _without_a_trace(run: Callable[[], R]) -> R:
    """Make a call that leaves variables and random numbers as they were."""
    before = seeds.snapshot()
    try:
        return leaving_no_trace(run)
    finally:
        seeds.rewind(before)


def _history(f: Function[..., Any]) -> Explanations:
    """Why each recording was made but the first, and why Python runs, if it does."""
    variants = f._variants
    code = getattr(f.python_function, "__code__", None)
    found = Explanations()
    for variant in (each for alike in variants._by_kind.values() for each in reversed(alike)):
        reason = reason_for(variant.why, code, variants.has_signature)
        if reason is not None:
            found.append(_explained(variants.name, *reason))
    for why in dict.fromkeys(variants._refused.values()):
        line = None if code is None else line_of_code(code)
        found.append(_explained(variants.name, "not-replayable", line, {"why": why}))
    return found


def _explained(name: str, cause: str, line: Line | None, names: dict[str, str]) -> Explanation:
    return Explanation("rerecorded", cause, line, names={"target": name, **names})
