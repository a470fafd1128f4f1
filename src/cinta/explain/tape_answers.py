"""Answers of a tape about itself, whether explanations are on or off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import nest
from ..derivatives.tape_arguments import checked
from ..engine.sweep import reachable
from ..engine.tensor import Tensor
from ..engine.variable import Variable, behind
from ..user_frames import here, user_frame
from .enable import current_ledger, history_of
from .findings import explained
from .kept_memory import kept_by
from .memory_summary import summary_of_kept
from .program_names import name_of
from .why_none import Question, Reason, is_connected, why_none

if TYPE_CHECKING:
    from types import FrameType

    from ..derivatives.tape import GradientTape
    from ..engine.recorders import Recorder
    from .explanation import Explanation
    from .memory_summary import MemorySummary


def explain_tape(tape: Any, target: object, sources: object) -> Any:
    """Why the gradient of the target by each source is None; None where it is not."""
    tape._is_read()
    frame = user_frame(3)
    targets = [t for t in map(behind, nest.flatten(target)) if isinstance(t, (Tensor, Variable))]
    checked(sources, "sources")
    name = name_of(target, frame)
    return nest.map_structure(
        lambda source: _explanation(tape, targets, name, behind(source), frame), sources
    )


def summary_of(tape: Any) -> MemorySummary:
    """The memory of a tape, by line if it recorded while explanations were on, else by op."""
    tape._is_read()
    history, ledger = history_of(tape), current_ledger()
    events = {} if history is None else history.records
    recorder = tape._recorder
    kept = kept_by([] if recorder is None else list(recorder.records), events)
    return summary_of_kept(kept, ledger)


def _explanation(
    tape: GradientTape, targets: list[Any], name: str, source: Any, frame: FrameType | None
) -> Explanation | None:
    history, ledger = history_of(tape), current_ledger()
    if history is not None and ledger is not None:
        events: Any = [
            ledger.value_of(t) if isinstance(t, Variable) else ledger.of(t._array) for t in targets
        ]
        question = Question(history, events, source, here(4), frame)
        reason = None if is_connected(ledger, question) else why_none(ledger, question)
    else:
        reason = _without_ledger(tape, targets, source)
    if reason is None:
        return None
    names = {"source": name_of(source, frame), "target": name}
    return explained("none", reason, names, None if history is None else history.number)


def _without_ledger(
    tape: GradientTape, targets: list[Any], source: Tensor | Variable
) -> Reason | None:
    """The reason as far as the tape and the values show it; no line is known."""
    if not _has_gradients(source) or (targets and not any(map(_has_gradients, targets))):
        return Reason("integer-dtype", None)
    recorder = tape._recorder
    if isinstance(source, Variable):
        known = any(source is variable for variable in tape.watched_variables())
        if not known and not source.trainable:
            return Reason("not-trainable", None)
        if not known and not tape._watch_accessed:
            return Reason("not-watched", None)
        if not known:
            return Reason("no-path", None, certain=False)  # or read where no gradient flows
    elif source._recorder is None:
        return Reason("not-watched", None)
    if recorder is None:
        return Reason("unknown", None, certain=False)
    numbers = {getattr(t, "_number", 0) for t in targets if _is_tracked(t, recorder)}
    led = reachable(recorder, {source._number})
    found = {record.output for record in recorder} | {source._number} if led is None else led
    return None if numbers & found else Reason("unknown", None, certain=False)


def _has_gradients(value: Tensor | Variable) -> bool:
    return value.dtype.is_floating or value.dtype.is_complex


def _is_tracked(target: Tensor | Variable, recorder: Recorder) -> bool:
    if isinstance(target, Variable):
        return target._number in recorder.leaves
    tracker = target._recorder
    return tracker is recorder or recorder in getattr(tracker, "members", ())
