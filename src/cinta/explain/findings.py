"""The explanations found so far, each told once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .explanation import Explanation, Explanations, path_of
from .function_names import called, remedy_for
from .layers import Layers
from .not_finite import left_over
from .why_zero_or_nan import first_fault

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    from ..derivatives.tape import GradientTape
    from .events import Event
    from .ledger import Ledger
    from .tape_history import TapeHistory
    from .why_none import Reason


class Findings:
    """The explanations so far; ``tell`` is called with each new explanation."""

    def __init__(self, tell: Callable[[Explanation], None] | None = None) -> None:
        self.found = Explanations()
        self.histories: MutableMapping[GradientTape, TapeHistory] = {}
        self.layers = Layers()
        self._tell = tell
        self._known: dict[Any, Explanation] = {}
        self.busy: set[int] = set()  # threads on which a gradient is asked for
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

    def saw_trouble(self, ledger: Ledger, event: Event, name: str) -> None:
        """A value that matters is not finite."""
        key = "nan", event.code, event.offset
        if self.again(key):
            return
        reason = first_fault(ledger, [event])
        if reason is not None:
            self.add(key, explained("nan", reason, {"target": name}, None))

    def saw_end(self, ledger: Ledger, since: int = 0) -> None:
        """Explanations end: explain results of ops since then that stay and are not finite."""
        for event in left_over(ledger.after(since - 1)):
            reason = first_fault(ledger, [event])
            if reason is None or reason.cause == "nan-input":  # data may have gaps that are known
                continue
            found = explained("nan", reason, {"opening": "result"}, None)
            if not any(map(found.is_like, self.found)):
                self.add(event, found)


def explained(kind: str, reason: Reason, names: dict[str, str], tape: int | None) -> Explanation:
    """The explanation that states a reason."""
    cut = reason.cut
    if cut is not None and (name := getattr(cut.op or cut.detail, "name", "")):
        names = {"op": called(name), **names}
    if reason.cause == "left-to-numpy":
        names = {"remedy": remedy_for(reason.line), **names}
    path = path_of(reason.way, tape)
    return Explanation(kind, reason.cause, reason.line, path, reason.certain, names)
