"""Forward mode: why a derivative along a direction is None or not finite."""

from __future__ import annotations

from _thread import get_ident
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from ..derivatives.forward import ForwardAccumulator, Tangents
from ..derivatives.tape_arguments import checked, wants_zero
from ..user_frames import here, user_frame
from .events import ancestors
from .findings import explained
from .lines import line_at
from .not_finite import is_finite
from .program_names import name_of
from .tape_history import Moment, TapeHistory
from .why_none import Question, Reason, why_none
from .why_zero_or_nan import cause_of_slope, first_fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..engine.tensor import Tensor
    from ..engine.variable import Variable
    from .findings import Findings
    from .ledger import Ledger


class ForwardObserver:
    """Makes wrappers of the methods of accumulators; each has a history as tapes have."""

    def __init__(self, ledger: Ledger, findings: Findings) -> None:
        self._ledger, self._findings = ledger, findings
        self._histories: WeakKeyDictionary[ForwardAccumulator, TapeHistory] = WeakKeyDictionary()
        self._primals: WeakKeyDictionary[ForwardAccumulator, list[ref[Any]]] = WeakKeyDictionary()
        self._born: WeakKeyDictionary[ForwardAccumulator, set[int]] = WeakKeyDictionary()
        """The numbers of the events whose directions are not finite, though those before were."""

    def patches(self) -> Iterator[tuple[Any, str, Callable[[Any], Any]]]:
        """The methods to replace: owner, name, and a function from the plain one to its wrapper."""
        yield ForwardAccumulator, "_watch", self._watching
        yield ForwardAccumulator, "__enter__", self._entering
        yield ForwardAccumulator, "__exit__", self._leaving
        yield ForwardAccumulator, "jvp", self._asking
        yield Tangents, "follow", self._following

    def _watching(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def watching(acc: ForwardAccumulator, primal: Tensor | Variable, tangent: Tensor) -> None:
            history = self._histories.setdefault(acc, TapeHistory(watches_variables=False))
            history.watched[history.key(primal)] = Moment(self._ledger.count, here())
            self._primals.setdefault(acc, []).append(ref(primal))
            self._ledger.event_of(primal)
            plain(acc, primal, tangent)

        return watching

    def _entering(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def entering(acc: ForwardAccumulator) -> object:
            if (history := self._histories.get(acc)) is not None:
                history.spans.append([self._ledger.count, None])
            return plain(acc)

        return entering

    def _leaving(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def leaving(acc: ForwardAccumulator, *error: object) -> object:
            history = self._histories.get(acc)
            if history is not None and history.spans:
                history.spans[-1][1] = self._ledger.count
            return plain(acc, *error)

        return leaving

    def _following(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def following(tangents: Tangents, call: Any) -> None:
            event = self._ledger.latest.get(get_ident())  # that of the call: pushing makes others
            given = [t for x in call.inputs if (t := tangents.of(x)) is not None]
            plain(tangents, call)
            if event is None or not given:
                return
            accumulators = [acc for acc in self._histories if acc._tangents is tangents]
            event.tapes += tuple(self._histories[acc].number for acc in accumulators)
            if _all_finite(given) and not _all_finite(_tangents_of(call.result, tangents)):
                for acc in accumulators:
                    self._born.setdefault(acc, set()).add(event.seq)

        return following

    def _asking(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def asking(
            acc: ForwardAccumulator, primals: Any, unconnected_gradients: Any = "none"
        ) -> Any:
            result = plain(acc, primals, unconnected_gradients)
            for target in checked(primals, "primals"):
                tangent = acc._tangents.of(target)
                if tangent is not None and not _all_finite([tangent]):
                    self._explain_not_finite(acc, target)
                elif tangent is None and not wants_zero(unconnected_gradients):
                    self._explain(acc, target)
            return result

        return asking

    def _explain_not_finite(self, acc: ForwardAccumulator, target: Tensor | Variable) -> None:
        """Explain which step gave this value a direction that is not finite."""
        place, frame = here(3), user_frame(3)
        key = "nan", *place
        if self._findings.again(key):
            return
        event = self._ledger.event_of(target)
        reason = first_fault(self._ledger, [event])
        if reason is None:
            led = ancestors([event])
            born = [led[seq] for seq in sorted(self._born.get(acc, ())) if seq in led]
            first = next(iter(born), event)
            reason = Reason(cause_of_slope(first.op), first.line or line_at(place), cut=first)
        names = {"target": name_of(target, frame)}
        self._findings.add(key, explained("nan", reason, names, None))

    def _explain(self, acc: ForwardAccumulator, target: Tensor | Variable) -> None:
        """Explain why nothing that has a direction leads to this value."""
        place, frame = here(3), user_frame(3)
        history = self._histories.get(acc)
        key = "none", *place
        if history is None or self._findings.again(key):
            return
        primals = [primal for ref in self._primals[acc] if (primal := ref()) is not None]
        targets = [self._ledger.event_of(target)]
        found = [(p, why_none(self._ledger, Question(history, targets, p, place))) for p in primals]
        if not found:
            return
        primal, reason = next((each for each in found if each[1].cause != "no-path"), found[0])
        names = {"source": name_of(primal, frame), "target": name_of(target, frame)}
        self._findings.add(key, explained("none", reason, names, history.number))


def _tangents_of(result: object, tangents: Tangents) -> list[Any]:
    parts = result if type(result) is tuple else (result,)
    return [t for part in parts if (t := tangents.of(part)) is not None]


def _all_finite(tangents: Iterable[Any]) -> bool:
    return all(is_finite(getattr(t, "_array", t)) for t in tangents)
