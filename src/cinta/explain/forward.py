"""Forward mode: why a derivative along a direction is None."""

from __future__ import annotations

from _thread import get_ident
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from ..derivatives.forward import ForwardAccumulator, Tangents
from ..derivatives.tape_arguments import checked, wants_zero
from .asking import explained
from .life import Life, Moment
from .lines import here, user_frame
from .names import name_of
from .none import Question, why_none

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..engine.tensor import Tensor
    from ..engine.variable import Variable
    from .asking import Findings
    from .ledger import Ledger


class ForwardObserver:
    """Makes wrappers of the methods of accumulators; each has a life as tapes have."""

    def __init__(self, book: Ledger, findings: Findings) -> None:
        self._book, self._findings = book, findings
        self._lives: WeakKeyDictionary[ForwardAccumulator, Life] = WeakKeyDictionary()
        self._primals: WeakKeyDictionary[ForwardAccumulator, list[ref[Any]]] = WeakKeyDictionary()

    def exchanges(self) -> Iterator[tuple[Any, str, Callable[[Any], Any]]]:
        """The methods to replace: owner, name, and a function from the plain one to its wrapper."""
        yield ForwardAccumulator, "_watch", self._watching
        yield ForwardAccumulator, "__enter__", self._entering
        yield ForwardAccumulator, "__exit__", self._leaving
        yield ForwardAccumulator, "jvp", self._asking
        yield Tangents, "follow", self._following

    def _watching(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def watching(acc: ForwardAccumulator, primal: Tensor | Variable, tangent: Tensor) -> None:
            life = self._lives.setdefault(acc, Life(watches_variables=False))
            life.watched[life.key(primal)] = Moment(self._book.count, here())
            self._primals.setdefault(acc, []).append(ref(primal))
            self._book.event_of(primal)
            plain(acc, primal, tangent)

        return watching

    def _entering(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def entering(acc: ForwardAccumulator) -> object:
            if (life := self._lives.get(acc)) is not None:
                life.spans.append([self._book.count, None])
            return plain(acc)

        return entering

    def _leaving(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def leaving(acc: ForwardAccumulator, *error: object) -> object:
            life = self._lives.get(acc)
            if life is not None and life.spans:
                life.spans[-1][1] = self._book.count
            return plain(acc, *error)

        return leaving

    def _following(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def following(tangents: Tangents, call: Any) -> None:
            event = self._book.latest.get(get_ident())  # that of the call: pushing makes others
            if event is not None and any(tangents.of(x) is not None for x in call.inputs):
                lives = (life for acc, life in self._lives.items() if acc._tangents is tangents)
                event.tapes += tuple(life.number for life in lives)
            plain(tangents, call)

        return following

    def _asking(self, plain: Callable[..., Any]) -> Callable[..., object]:
        def asking(
            acc: ForwardAccumulator, primals: Any, unconnected_gradients: Any = "none"
        ) -> Any:
            result = plain(acc, primals, unconnected_gradients)
            if not wants_zero(unconnected_gradients):
                for target in checked(primals, "primals"):
                    if acc._tangents.of(target) is None:
                        self._explain(acc, target)
            return result

        return asking

    def _explain(self, acc: ForwardAccumulator, target: Tensor | Variable) -> None:
        """Explain why nothing that has a direction leads to this value."""
        place, frame = here(3), user_frame(3)
        life = self._lives.get(acc)
        key = "none", *place
        if life is None or self._findings.again(key):
            return
        primals = [primal for ref in self._primals[acc] if (primal := ref()) is not None]
        targets = [self._book.event_of(target)]
        found = [(p, why_none(self._book, Question(life, targets, p, place))) for p in primals]
        if not found:
            return
        primal, reason = next((each for each in found if each[1].cause != "no-path"), found[0])
        names = {"source": name_of(primal, frame), "target": name_of(target, frame)}
        self._findings.add(key, explained("none", reason, names, life.number))
