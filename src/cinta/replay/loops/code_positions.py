"""The position of the code that looks at a value, and what the code knows there.

If Python stands twice at the same place, and all that it knows is the same but for tensors that are
recorded, then it goes on in the same way for as long as it finds the same: what it does is a
function of these tensors. That is how a ``while`` loop is known to be one, and that is where the
two ways behind an ``if`` meet again.
"""

from __future__ import annotations

import sys
from abc import ABCMeta
from collections import OrderedDict
from functools import partial
from itertools import pairwise
from types import BuiltinFunctionType, FrameType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np

from ...derivatives.tape import GradientTape
from ...dtypes import DType
from ...engine.counted_loops import CountedLoop
from ...engine.module import Module
from ...engine.name_scopes import name_scope
from ...engine.shapes import TensorShape
from ...engine.tensor import Tensor
from ...engine.variable import Variable
from ...engine.with_blocks import FollowedBlock
from ...ops.random import op_numbering
from ...ops.random.op_numbering import NumberedGraph
from ..argument_structures import Same, attributes, exactly
from ..captures.instances import base_of
from ..captures.ownership import owner_of
from .code_places import place_in

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence
    from types import CodeType

    from ...engine.recorders import Recorder
    from ..recording import Ref

_UNKNOWN = object()
_SMALL = 256
"""Arrays of so many elements are compared, and so much that Python knows in a frame."""
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


class Opaque(Exception):
    """Python knows something of which it cannot be told whether it changes."""


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
        known = _Known(ref_of, self._is_compared, self._loops, self._entered, self._mark_of_tape)
        known.counted(op_numbering.current())
        try:
            known.held(marks, held)
            known.frame(looking, called)
            own = known.position(whole=False)
        except Opaque:
            return None
        try:
            for frame, inner in around:
                known.around(frame, inner)
        except Opaque:
            alone = self._met.setdefault(looking, object())
            return own._replace(state=(alone, own.state), counts=(*known.counts,))
        found = known.position(whole=True)
        return found._replace(counting=self._counting(known)) if known.constants else found

    def _counting(self, known: _Known) -> tuple[Tensor, ...]:
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


class _Known:
    """Python's state, as marks that are equal if it is the same. They keep nothing alive."""

    def __init__(
        self,
        ref_of: Callable[[Tensor], Ref],
        is_compared: Callable[[object], bool],
        loops: Mapping[tuple[FrameType, int], CountedLoop],
        entered: Mapping[tuple[FrameType, int], object],
        mark_of_tape: Callable[[Recorder | None], Hashable] | None,
    ) -> None:
        self.marks: list[Hashable] = []
        self.refs: list[Ref] = []
        self.constants: list[tuple[int, Tensor]] = []  # with the places of their marks
        self.counts: list[Hashable] = []
        self._ref_of, self._is_compared, self._loops = ref_of, is_compared, loops
        self._entered, self._mark_of_tape = entered, mark_of_tape
        self._has_tapes = False
        self._met: dict[int, int] = {}
        self._places: dict[int, int] = {}
        self._most = _SMALL
        self._add = self.marks.append

    def position(self, *, whole: bool) -> CodePosition:
        """The position with all that is known by now."""
        return CodePosition((*self.marks,), (*self.refs,), whole, (*self.counts,), self._has_tapes)

    def counted(self, graph: NumberedGraph | None) -> None:
        """Add what has been counted in a graph."""
        self.counts.append(None if graph is None else graph.counts)

    def held(self, marks: Sequence[Hashable], refs: Sequence[Ref]) -> None:
        """Add what is known beside what frames know."""
        self.marks += marks
        for ref in refs:
            self._ref(ref)

    def around(self, frame: FrameType, inner: CodeType) -> None:
        """Add what a frame knows around the one that looks.

        Between a function and another recorded one that it calls are frames that only hand the
        arguments and the results on, and count random ops.
        """
        if _module(frame) not in _OF_CALLS:
            self.frame(frame, inner)
            return
        for value in frame.f_locals.values():
            if type(value) is NumberedGraph:
                self.counted(value)

    def frame(self, frame: FrameType, inner: CodeType) -> None:
        """Add what a frame knows that has called this code."""
        place = place_in(frame, inner)
        if place is None:
            raise Opaque
        self._most = len(self.marks) + _SMALL
        self._add(frame.f_code)
        self._add(place.offset)
        for loop in place.loops:
            iterator = self._loops.get((frame, loop))
            if iterator is None:
                raise Opaque
            for tensor in iterator.known:
                self._look_at(tensor)
        for offset in place.withs:
            self._look_at(self._entered.get((frame, offset), _UNKNOWN))
        for name, value in frame.f_locals.items():
            if name not in place.dead:
                self._add(name)
                self._look_at(value)

    def _look_at(self, value: Any) -> None:
        """Add what is known by a value; ``Opaque`` if it may change unseen."""
        if len(self.marks) > self._most:
            raise Opaque
        kind = type(value)
        self._add((kind,))
        if kind is Tensor:
            self._tensor(value)
        elif kind in _ROWS or _is_named_tuple(kind):
            self._items(value, [*value])
        elif kind is dict or kind is OrderedDict:
            self._pairs(value, value)
        elif kind is slice:
            self._items(value, (value.start, value.stop, value.step))
        elif kind is FunctionType:
            self._function(value)
        elif kind is partial:
            self._items(value, (value.func, value.args, value.keywords))
        elif kind is NumberedGraph:
            self.counted(value)
        elif isinstance(value, np.ndarray):
            if self._is_compared(value):
                self._add(Same(value))
            else:
                self._array(value)
        elif kind in _NUMBERS:
            self._add(exactly(value))
        elif isinstance(value, np.generic):
            self._add((value.dtype, value.tobytes()))
        elif kind in _ATOMS or isinstance(value, (np.dtype, DType)):
            self._add(value)
        elif kind is TensorShape:
            self._add(None if value.rank is None else (*value.as_list(),))
        elif isinstance(value, Variable) or _is_of_module(value) or self._is_compared(value):
            self._add(Same(value))  # somebody else looks at its content
        elif isinstance(value, Module):
            self._add(Same(value))
            self._pairs(value, vars(value))
        elif _is_of_program(kind):
            self._pairs(value, vars(value))
        elif kind is GradientTape:
            self._tape(value)
        elif kind is FollowedBlock or kind is name_scope:
            self._items(value, value._parts)
        else:
            raise Opaque

    def _tape(self, value: GradientTape) -> None:
        """Add what Python can know of a tape, but for what is on it."""
        if self._mark_of_tape is None:
            raise Opaque
        self._has_tapes = True
        self._add((value._persistent, value._watch_accessed, value._recording, value._broken))
        self._add(self._mark_of_tape(value._recorder))

    def _tensor(self, value: Tensor) -> None:
        if value.__dict__ and attributes(value):
            raise Opaque
        ref, array = self._ref_of(value), value._array
        self._add((array.dtype, array.shape))
        if type(ref) is int:
            self._recorded(ref)
            return
        self._ref(ref)
        if not isinstance(ref, int) and value._recorder is None and not self._is_compared(value):
            self.constants.append((len(self.marks) - 1, value))

    def _ref(self, ref: Ref) -> None:
        if isinstance(ref, int):
            self._recorded(ref)
        else:
            self._array(np.asarray(ref.value), changes=False)

    def _recorded(self, ref: int) -> None:
        """Add a recorded value, of which the state tells only where it was met before.

        Python may ask whether two names are one tensor, and a tape that watches it watches both.
        """
        self._add((self._places.setdefault(ref, len(self.refs)),))
        self.refs.append(ref)

    def _array(self, value: Any, changes: bool = True) -> None:
        if value.dtype.hasobject or (changes and value.size > _SMALL):
            raise Opaque
        if value.size > _SMALL:
            self._add(Same(value))
        else:
            from hashlib import blake2b

            digest = blake2b(value.tobytes()).digest()
            self._add((value.dtype, value.shape, value.strides, digest))

    def _items(self, whole: object, parts: Any) -> None:
        if not self._is_new(whole):
            return
        self._add(len(parts))
        for part in parts:
            self._look_at(part)

    def _pairs(self, whole: object, pairs: Mapping[Any, Any]) -> None:
        self._items(whole, [part for pair in pairs.items() for part in pair])

    def _function(self, value: FunctionType) -> None:
        if not self._is_new(value):
            return
        self._add(value.__code__)
        self._add(id(value.__globals__))
        try:
            inside = [cell.cell_contents for cell in value.__closure__ or ()]
        except ValueError:  # a cell that is not bound yet
            raise Opaque from None
        for part in (*inside, value.__defaults__, value.__kwdefaults__, value.__dict__):
            self._look_at(part)

    def _is_new(self, whole: object) -> bool:
        """Whether it was not met before; if it was, it is known by when that was."""
        before = self._met.get(id(whole), -1)
        self._add(before)
        self._met.setdefault(id(whole), len(self._met))
        return before < 0


def _is_of_module(value: object) -> bool:
    """Whether it is a module, or a class or function of one: these are compared by whoever looks
    at what a function refers to."""
    if isinstance(value, type):
        return "<locals>" not in value.__qualname__
    if isinstance(value, BuiltinFunctionType):
        return isinstance(value.__self__, (ModuleType, type(None)))
    return isinstance(value, ModuleType)


def _is_named_tuple(kind: type) -> bool:
    """Whether its objects are tuples of fields, and nothing else."""
    fields = getattr(kind, "_fields", None)
    return issubclass(kind, tuple) and isinstance(fields, tuple) and not kind.__dictoffset__


def _is_of_program(kind: type) -> bool:
    """Whether it is a class of the program whose objects are their attributes, and nothing else."""
    return (
        type(kind) in (type, ABCMeta)
        and owner_of(kind) is None
        and base_of(kind) is object
        and kind.__dictoffset__ != 0
        and not any([vars(each).get("__slots__") for each in kind.__mro__])
    )


_NUMBERS = frozenset((int, float, complex))
_ATOMS = frozenset((bool, str, bytes, type(None), type(...), range))
_ROWS = frozenset((tuple, list, set, frozenset))
