"""The position of the code that looks at a value, and what the code knows there.

If Python stands twice at the same place, and all that it knows is the same but for tensors that are
recorded, then it goes on in the same way for as long as it finds the same: what it does is a
function of these tensors. That is how a ``while`` loop is known to be one, and that is where the
two ways behind an ``if`` meet again.
"""

from __future__ import annotations

import sys
from functools import partial
from itertools import pairwise
from types import FrameType
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakValueDictionary

from ...engine.counted_loops import CountedLoop
from ...engine.tensor import Tensor
from ...ops.random import op_numbering
from ...ops.random.op_numbering import NumberedGraph
from .code_places import place_in
from .known_values import KnownValues, Opaque

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from types import CodeType

    from ...engine.recorders import Recorder
    from ..recording import Ref

_UNKNOWN = object()
_WITHIN = "cinta.engine."
_AROUND = (
    *("cinta.replay.", "cinta.programs.", "cinta.saved_model.", "cinta.export."),
    "cinta.ops.random.op_numbering",
)
_OF_CALLS = frozenset(
    (
        *("cinta.programs.function", "cinta.programs.gradients_in_functions"),
        *("cinta.replay.argument_structures", "cinta.engine.transactions"),
        "cinta.ops.random.op_numbering",
    )
)
"""The modules that call the Python of a recorded function from within another one, once."""


class CodePosition(NamedTuple):
    """A state, equal to another if Python goes on in the same way from it, and recorded values.

    ``counts`` are those of the graphs in which random ops are numbered. ``counting`` are tensors
    that are not recorded, but for which Python stood here before. ``has_tapes`` tells that Python
    knows tapes, of which the state does not tell what is on them.
    """

    state: Hashable
    refs: tuple[Ref, ...]
    whole: bool
    counts: Hashable
    has_tapes: bool
    counting: tuple[Tensor, ...] = ()


class Frames:
    """The frames of a function's Python, from that which called it."""

    def __init__(
        self,
        caller: FrameType,
        is_compared: Callable[[object], bool] = lambda value: False,
        counting: dict[Hashable, set[int]] | None = None,
        mark_of_tape: Callable[[Recorder | None], Hashable] | None = None,
    ) -> None:
        """``is_compared`` tells of an object whether somebody else looks at what is in it.

        ``counting`` has the places of tensors that have counted before, by states without these.
        ``mark_of_tape`` tells tapes from each other, if somebody else notes what is done with them.
        """
        self._caller: FrameType | None = caller
        self._is_compared = is_compared
        self._counting_in = {} if counting is None else counting
        self.has_learned = False  # that something counts
        self._met: dict[FrameType, object] = {}
        self._constants: dict[Hashable, Sequence[Hashable]] = {}
        # a loop alone holds its iterator: it is under way as long as that is alive
        self._loops = WeakValueDictionary[tuple[FrameType, int], CountedLoop]()
        self._mark_of_tape = mark_of_tape
        self._entered: dict[tuple[FrameType, int], object] = {}

    def clear(self) -> None:
        """Let go of all frames."""
        self._met.clear()
        self._constants.clear()
        self._loops.clear()
        self._entered.clear()
        self._caller = None

    def entered(self, manager: object, frame: FrameType) -> None:
        """A ``with`` at which this frame stands has entered a manager."""
        self._entered[frame, frame.f_lasti] = manager

    def left(self, manager: object) -> None:
        """It is left."""
        self._entered = {place: x for place, x in self._entered.items() if x is not manager}

    def follower_of_loop(self, frame: FrameType, loop: int) -> Callable[[CountedLoop], None]:
        """Tells of the iterator of the loop in a frame that takes its elements at this offset."""
        return partial(self._loops.__setitem__, (frame, loop))

    def position(
        self, ref_of: Callable[[Tensor], Ref], marks: Sequence[Hashable], held: Sequence[Ref]
    ) -> CodePosition | None:
        """Where Python stands, if it can be told whether it stands there again.

        ``marks`` and ``held`` are of what is known beside what the frames know. If the frames
        around the one that looks are opaque, then it stands there again only in the same frame.
        """
        (looking, called), *around = self._frames()
        known = KnownValues(ref_of, self._is_compared, self._mark_of_tape)
        known.counted(op_numbering.current())
        try:
            known.held(marks, held)
            self._frame(known, looking, called)
            own = _position(known, whole=False)
        except Opaque:
            return None
        try:
            for frame, inner in around:
                self._around(known, frame, inner)
        except Opaque:
            alone = self._met.setdefault(looking, object())
            return own._replace(state=(alone, own.state), counts=(*known.counts,))
        found = _position(known, whole=True)
        return found._replace(counting=self._counting(known)) if known.constants else found

    def _counting(self, known: KnownValues) -> tuple[Tensor, ...]:
        """The tensors but for which Python stood in this state the last time."""
        places = [place for place, _ in known.constants]
        values = [known.marks[place] for place in places]
        for place in places:
            known.marks[place] = None
        state = (*places, *known.marks)  # elsewhere, what is recorded has the same mark
        before = self._constants.get(state, values)
        self._constants[state] = values
        counting = self._counting_in.get(state, set())
        fresh = {i for i, (now, was) in enumerate(zip(values, before, strict=True)) if now != was}
        if not fresh <= counting:
            self.has_learned = True
            counting = self._counting_in[state] = counting | fresh
        return tuple([tensor for i, (_, tensor) in enumerate(known.constants) if i in counting])

    def _around(self, known: KnownValues, frame: FrameType, inner: CodeType) -> None:
        """Add what a frame knows around the one that looks.

        Between a function and another recorded one that it calls are frames that only hand the
        arguments and the results on, and count random ops.
        """
        if _module(frame) not in _OF_CALLS:
            self._frame(known, frame, inner)
            return
        for value in frame.f_locals.values():
            if type(value) is NumberedGraph:
                known.counted(value)

    def _frame(self, known: KnownValues, frame: FrameType, inner: CodeType) -> None:
        """Add what a frame knows that has called this code."""
        place = place_in(frame, inner)
        if place is None:
            raise Opaque
        known.begin(frame.f_code, place.offset)
        for loop in place.loops:
            iterator = self._loops.get((frame, loop))
            if iterator is None:
                raise Opaque
            for tensor in iterator.known:
                known.look_at(tensor)
        for offset in place.withs:
            known.look_at(self._entered.get((frame, offset), _UNKNOWN))
        for name, value in frame.f_locals.items():
            if name not in place.dead:
                known.marks.append(name)
                known.look_at(value)

    def _frames(self) -> list[tuple[FrameType, CodeType]]:
        """The frame that looks at a tensor, and those around it, each with the code it called."""
        found: list[FrameType] = []
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame is not self._caller:
            found.append(frame)
            frame = frame.f_back
        first = next(i for i, each in enumerate(found) if not _is_inside(each))
        while len(found) > first + 1 and _module(found[-1]).startswith(_AROUND):
            found.pop()
        return [(frame, inner.f_code) for inner, frame in pairwise(found[first - 1 :])]


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _is_inside(frame: FrameType) -> bool:
    name = _module(frame)
    return name.startswith(_WITHIN) or name in (__name__, "cinta.replay.trace")


def _position(known: KnownValues, *, whole: bool) -> CodePosition:
    """The position with all that is known by now."""
    state, refs, counts = (*known.marks,), (*known.refs,), (*known.counts,)
    return CodePosition(state, refs, whole, counts, known.has_tapes)
