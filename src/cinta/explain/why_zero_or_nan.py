"""Why a gradient is zero or not finite: the records are swept again, a step at a time."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..engine.gradient_plan import Parts
from ..engine.indexed_slices import GradientRows, IndexedSlices
from ..engine.tensor import Tensor
from .events import ancestors
from .lines import line_at
from .not_finite import is_finite
from .why_none import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..engine.annotations import Numbers
    from ..engine.gradient_plan import Plan
    from ..engine.op import Op
    from ..engine.tensor import Array
    from ..user_frames import CodePlace
    from .events import Event
    from .ledger import Ledger
    from .tape_history import TapeHistory

_FLAT = frozenset(("Sign", "Floor", "Ceil", "Round", "Rint", "FloorDiv"))
_CHOICES = frozenset(("Select", "SelectV2", "Where"))
_PRODUCTS = frozenset(
    ("Mul", "MatMul", "BatchMatMulV2", "Einsum", "Square", "Pow", "Raised", "Conv2D", "MulNoNan")
) | {"Prod", "SquaredDifference", "L2Loss", "Abs", "Cos", "Cosh"}
"""Ops whose derivative is zero where a factor is, as at a minimum."""
_AT_ZERO = {
    **dict.fromkeys(
        ("Sqrt", "Pow", "Raised", "Norm", "EuclideanNorm", "Rsqrt", "Abs"), "sqrt-at-zero"
    ),
    **dict.fromkeys(("RealDiv", "Reciprocal", "Inv", "Xdivy", "Atan2"), "division-by-zero"),
    **dict.fromkeys(("Log", "Log1p", "Xlogy", "Xlog1py"), "log-of-zero"),
    **dict.fromkeys(("Acos", "Asin", "Acosh", "Atanh"), "out-of-domain"),
}
_GROWING = 4
"""A variable that grew in its last so many values, tenfold in all, is diverging."""
_LEAP = 100
"""So is one that grew by this factor at each of its last two assignments."""


class SweepQuestion(NamedTuple):
    """A gradient that was asked for: what the tape had, and where it was asked."""

    history: TapeHistory
    records: Any
    seeds: Sequence[tuple[int, Any]]
    targets: Sequence[Event]
    place: CodePlace


class Contribution(NamedTuple):
    """One contribution to a gradient: of a record's result, to one of its inputs."""

    plan: Plan
    output: int
    number: int
    g: object
    d: object
    saved: object
    inputs: Numbers
    """The numbers of all tracked inputs of the record."""

    def of(self, g: object) -> Any:
        """The contribution if this gradient comes."""
        position = _numbers_of(self.inputs).index(self.number)
        return _pulled(self.plan, self.inputs, g, self.saved)[position]


def plain(gradient: object) -> Array:
    """A gradient as an array; those of several results one after the other."""
    if isinstance(gradient, Parts):
        return np.concatenate([plain(part).ravel() for part in gradient.values()])
    if isinstance(gradient, IndexedSlices):
        gradient = gradient.values
    if type(gradient) is GradientRows:
        gradient = gradient.dense()
    return np.asarray(gradient._array if isinstance(gradient, Tensor) else gradient)


def trouble(gradient: object) -> str | None:
    """Whether a gradient is "nan" (or infinite) or "zero"; None if it is neither."""
    array = plain(gradient)
    if array.dtype.kind not in "fcV" or not array.size:
        return None
    if not is_finite(array):
        return "nan"
    return None if array.any() else "zero"


def why_not_finite(ledger: Ledger, asked: SweepQuestion, number: int) -> Reason:
    """Why the gradient by the source of this number is not finite."""
    forward = first_fault(ledger, asked.targets)
    if forward is not None:
        return _left_out(asked, forward) or forward
    for step in _steps(asked, number):
        if is_finite(plain(step.g)) and not is_finite(plain(step.d)):
            return _born_backwards(asked, step)
    return Reason("overflow", line_at(asked.place), certain=False)


def first_fault(ledger: Ledger, events: Iterable[Event]) -> Reason | None:
    """The first infinity or NaN among what led to these events."""
    led = ancestors(events)
    faulty = [e for _, e in sorted(led.items()) if e.fault and e.fault != "inherited"]
    if not faulty:
        return None
    explained = next((e.reason for e in faulty if e.reason is not None), None)
    if explained is not None:
        return explained
    event = next((e for e in faulty if e.fault != "infinite-input"), faulty[0])
    cause = "nan-input" if event.fault == "infinite-input" else str(event.fault)
    if cause in ("overflow", "inf-minus-inf", "out-of-domain") and _diverges(ledger, led):
        cause = "diverged"
    line = None if event.kind == "outside" else event.line
    if line is None:  # data came into the computation where an op first took it
        line = next((e.line for _, e in sorted(led.items()) if event in e.inputs), event.line)
    return Reason(cause, line, cut=event)


def why_zero(asked: SweepQuestion, number: int) -> Reason:
    """Why the gradient by the source of this number is zero everywhere."""
    last: Contribution | None = None
    moved: set[int] = set()  # numbers to which something came that is not zero
    fork = None  # the first number at which it cancelled
    for step in _steps(asked, number):
        comes, goes = plain(step.g).any(), plain(step.d).any()
        if comes and not goes:
            last = step
        if goes:
            moved.add(step.number)
        elif fork is None and not comes and step.output in moved:
            fork = step.output
    if number in moved or last is None:
        event = _meeting(asked, number if fork is None else fork) or _event_of_use(asked, number)
        return Reason("cancelled", event.line if event else line_at(asked.place), cut=event)
    cause = _cause_of_zero(last)
    if cause == "multiplied-by-zero" and last.number != number:
        seed = last.number, np.ones_like(plain(last.d))
        above = why_zero(asked._replace(seeds=[seed]), number)
        if above.cause in ("saturated", "flat-op"):  # the factor is zero because of this
            return above
    found = asked.history.records.get(last.output)
    line = found.line if found is not None else line_at(asked.place)
    return Reason(cause, line, cut=found)


def _cause_of_zero(step: Contribution) -> str:
    name = step.plan.op.name
    if name in _FLAT:
        return "flat-op"
    if name == "EagerPyFunc":
        return "left-to-numpy"
    if _is_lost_by_smallness(step):
        return "underflow"
    if name in _PRODUCTS:
        return "multiplied-by-zero"
    if name == "Softmax":  # p (g - sum of p g): zero if p is certain, or if all g are equal
        kept = [np.asarray(x) for x in _arrays_in(step.saved)]
        return "saturated" if all(np.isin(k, (0.0, 1.0)).all() for k in kept) else "cancelled"
    return "underflow" if name in ("Exp", "LogSoftmax") else "saturated"


def _is_lost_by_smallness(step: Contribution) -> bool:
    """Whether a contribution is zero only as it is too small for its dtype.

    A rule is linear in the gradient that comes, so that a large one shows what a small one hides;
    a contribution that is more than that has come from rounding.
    """
    if not isinstance(step.g, (np.ndarray, np.generic)) or step.g.dtype.kind != "f":
        return False
    limits, size = np.finfo(step.g.dtype), np.abs(step.g).max()
    large = np.sqrt(limits.max)
    found = np.abs(plain(step.of(step.g / size * large))).max()
    return bool(found and found / large * size < limits.tiny)


def cause_of_slope(op: Op | None) -> str:
    """The cause of a derivative of a call that is not finite."""
    return _AT_ZERO.get("" if op is None else op.name, "overflow")


def _born_backwards(asked: SweepQuestion, step: Contribution) -> Reason:
    event = asked.history.records.get(step.output)
    cause = cause_of_slope(step.plan.op)
    if event is not None and _was_not_taken(asked, step, event):
        cause = "where-branch"
    line = event.line if event is not None else line_at(asked.place)
    return Reason(cause, line, cut=event)


def _was_not_taken(asked: SweepQuestion, step: Contribution, event: Event) -> bool:
    """Whether NaN came of zeros, which a choice gives to the branch that it did not take."""
    g, bad = plain(step.g), ~np.isfinite(plain(step.d))
    none_came = not g[bad].any() if g.shape == bad.shape else not g.all()
    below = {event.seq}
    for seq, each in sorted(ancestors(asked.targets).items()):
        if any(parent.seq in below for parent in each.parents):
            below.add(seq)
            if none_came and each.name in _CHOICES:
                return True
    return False


def _diverges(ledger: Ledger, led: dict[int, Event]) -> bool:
    """Whether a variable on the way grew at each of its last assignments."""
    for values in ledger.values.values():
        if not any(value.seq in led for value in values):
            continue
        if _grows([value.size for value in values if np.isfinite(value.size)]):
            return True
    return False


def _grows(sizes: Sequence[float]) -> bool:
    """Whether these sizes grow steadily, or by leaps."""
    last, leaps = sizes[-_GROWING:], sizes[-3:]
    steadily = len(last) == _GROWING and all(b > a for a, b in itertools.pairwise(last))
    if steadily and last[-1] > 10 * last[0]:
        return True
    return len(leaps) == 3 and all(b > _LEAP * a > 0 for a, b in itertools.pairwise(leaps))


def _left_out(asked: SweepQuestion, forward: Reason) -> Reason | None:
    """The reason if a choice has left out what is not finite, so that it is back in gradients."""
    assert forward.cut is not None
    below = {forward.cut.seq}
    for seq, event in sorted(ancestors(asked.targets).items()):
        if any(parent.seq in below for parent in event.parents):
            if event.fault is not None:
                below.add(seq)
            elif event.name in _CHOICES:
                return forward._replace(cause="where-branch")
    return None


def _meeting(asked: SweepQuestion, fork: int) -> Event | None:
    """The first step at which all ways from a value to the targets have met."""
    targets = {number for number, _ in asked.seeds}
    leading = _leading(asked.records, fork) - {fork}
    way, ends = [], set(targets)
    for record in reversed(asked.records):
        if record[2] in ends & leading:
            ends.update(_numbers_of(record[1]))
            way.append(record)
    way.reverse()
    last_use = {n: at for at, record in enumerate(way) for n in _numbers_of(record[1])}
    apart = {fork}  # values that further steps take
    for at, (_, _, output, _) in enumerate(way):
        apart = {n for n in apart if last_use.get(n, 0) > at or n in targets} | {output}
        if apart == {output}:
            return asked.history.records.get(output)
    return None


def _event_of_use(asked: SweepQuestion, number: int) -> Event | None:
    """The last recorded step that takes the source."""
    for _, inputs, output, _ in reversed(asked.records):
        if number in _numbers_of(inputs):
            return asked.history.records.get(output)
    return None


# -- the sweep -------------------------------------------------------------------------------------


def _steps(asked: SweepQuestion, source: int) -> Iterator[Contribution]:
    """The contributions of the records on the path to the source, from the last to the first."""
    needed = _leading(asked.records, source)
    gradients: dict[int, Any] = {}
    for number, seed in asked.seeds:
        _add(gradients, number, seed)
    for plan, inputs, output, saved in reversed(asked.records):
        g = gradients.get(output) if output == source else gradients.pop(output, None)
        if g is None or output not in needed:
            continue
        if type(g) is GradientRows and not plan.takes_rows:
            g = g.dense()
        pulled = _pulled(plan, inputs, g, saved)
        for number, d in zip(_numbers_of(inputs), pulled, strict=True):
            if d is not None and number in needed:
                yield Contribution(plan, output, number, g, d, saved, inputs)
                _add(gradients, number, d)


def _pulled(plan: Plan, inputs: Numbers, g: object, saved: object) -> Sequence[Any]:
    """The contributions of a record to its tracked inputs."""
    with np.errstate(all="ignore"):
        return (plan.pull(g, saved),) if isinstance(inputs, int) else plan.pull(g, saved, None)


def _leading(records: Any, source: int) -> set[int]:
    """The numbers of all values that depend on the source."""
    needed = {source}
    for _, inputs, output, _ in records:
        if not needed.isdisjoint(_numbers_of(inputs)):
            needed.add(output)
    return needed


def _numbers_of(inputs: Numbers) -> tuple[int, ...]:
    """The numbers of a record's inputs; it has a single one without a tuple."""
    return (inputs,) if isinstance(inputs, int) else inputs


def _add(gradients: dict[int, Any], number: int, d: object) -> None:
    old = gradients.get(number)
    with np.errstate(all="ignore"):
        gradients[number] = d if old is None else d + old if type(d) is GradientRows else old + d


def _arrays_in(saved: object) -> Iterator[Any]:
    for x in saved if type(saved) is tuple else (saved,):
        if isinstance(x, (np.ndarray, np.generic)):
            yield x
        elif isinstance(x, Tensor):
            yield x._array
