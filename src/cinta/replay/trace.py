"""Trace: the observer that records a function while its Python runs."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.device_values import Spread
from ..engine.listeners import listeners
from ..engine.primitives import Identity, StopGradient
from ..engine.recorders import Observer, Recorder, RecorderGroup, active, join, next_number, stop
from ..engine.tensor import Tensor, tracked, truth
from ..ops.random.state import NextRandomState
from ..user_frames import NOWHERE, user_frame
from .loops.code_positions import Frames
from .loops.tape_notes import TapeNotes
from .loops.way import Look
from .recording import Constant, Guard, Recording, Spec, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence
    from types import CodeType, FrameType

    from ..engine.counted_loops import CountedLoop
    from ..engine.device_values import DevicePlacement, Held
    from ..engine.variable import Variable
    from ..user_frames import CodePlace
    from .captures.sites import Watch
    from .loops.code_positions import CodePosition
    from .recording import Ref


class Trace(Observer):
    """Hears of every op on arguments, variables and random numbers, and on what follows of them.

    Variables are read and assigned as the Python runs. ``refused`` says why the recording cannot be
    run in place of the Python, if it cannot.
    """

    def __init__(self) -> None:
        super().__init__()
        self.refused: str | None = None
        self.caught: str | None = None  # if the function goes on after it
        self.inputs: list[int] = []
        self.arrays: dict[int, Held] = {}  # of the inputs, and of variables as they are first read
        self._log: list[Any] = []  # all steps in a row: guards, and calls as `_call` takes them
        self._extend = self._log.extend
        self.noted = 0  # how many steps
        self._kinds: dict[tuple[Any, ...], Spec] = {}  # one for all values of a kind
        self._specs: dict[int, Spec] = {}  # of all but the single results of steps
        self._functions: list[object] = []  # that ops call
        self.draws = False  # whether it has drawn random numbers
        self._reads: list[tuple[Variable, int]] = []
        self._assigns: dict[int, tuple[Variable, Ref]] = {}
        self._at: dict[tuple[int, int], Ref] = {}  # variables' values, by their arrays
        self._variables: set[int] = set()  # the numbers that stand for several values
        self._first: dict[int, int] = {}  # the numbers of variables' first values
        self._unread: dict[tuple[int, int], Ref] = {}  # values that were assigned, not read yet
        self._rereads: dict[int, int] = {}
        self._kept: list[Held] = []  # those arrays: no other shall get their identity
        self._looks: dict[tuple[int, Any], Guard] = {}
        self.by_formula: set[int] = set()  # values that need no guards: formulas of sizes say them
        self.has_guards = False  # whether Python has looked at values
        self._met = self.alone  # the tracker of a value that was known here
        self.as_before: Callable[[], bool] = lambda: False  # whether what Python refers to is
        self.watch: Watch | None = None
        self.frames: Frames | None = None  # of the function, if it is to be known where it looks
        self.tape_notes: TapeNotes | None = None
        self.all_looks: list[Look] = []
        self._held_values: dict[int, tuple[int, Spread]] = {}  # constants on a mesh
        self._spread: set[int] = set()  # values on a mesh
        self.place: DevicePlacement | None = None  # on that mesh

    # -- inputs and results --------------------------------------------------------------------

    def argument(self, tensor: Tensor) -> Tensor:
        """A tensor as the recorded function gets it: known to whoever knew it, and here."""
        others = active(tensor._recorder)
        if others:  # with a number of its own, which no variable and no other argument has
            tensor = Identity(tensor)
        number = tensor._number if others else next_number()
        self.arrays[number] = tensor._array
        self._specs[number] = Spec.of(tensor._array)
        self._note_place(number, tensor._array)
        self.inputs.append(number)
        return tracked(tensor._array, join([*others, self]), number)

    def own(self, value: Tensor) -> Tensor:
        """A result as a tensor of its own, if it is an argument."""
        return Identity(value) if self.ref(value) in self.inputs else value

    def result(self, value: object) -> Any:
        """A tensor as the caller gets it: not known here any more."""
        if type(value) is not Tensor or self not in active(value._recorder):
            return value
        others = [r for r in active(value._recorder) if r is not self]
        return tracked(value._array, join(others), value._number)

    def finisher(self, name: str, results: Sequence[Tensor]) -> Callable[[], Recording]:
        """The recording, for a function that returned these tensors."""
        refs = tuple([self.ref(x) for x in results])
        if self.frames:
            self.frames.clear()

        def finish() -> Recording:
            steps = tuple(_steps(self._log, self._specs))
            return Recording(
                name,
                tuple(self.inputs),
                tuple(self._reads),
                steps,
                refs,
                tuple(self._assigns.values()),
                self._rereads,
                self._specs,
                dict(self._held_values.values()),
                frozenset(self._spread),
                self.place,
            )

        return finish

    @property
    def looks(self) -> tuple[Look, ...]:
        """Where Python looked at values, as far as it could be told by the steps alone."""
        return tuple([look for look in self.all_looks if not look.has_tapes])

    def called_anew(self) -> set[CodeType]:
        """The code of functions that replays call themselves, such as that of py_function."""
        return {f.__code__ for f in self._functions if isinstance(f, FunctionType)}

    def ref(self, value: object) -> Ref:
        """How steps name a value."""
        if type(value) is not Tensor:
            return Constant(value)
        tracker = value._recorder
        if type(tracker) is not RecorderGroup or (
            tracker.observer is not self and self not in tracker.members
        ):
            return self._constant(value._array)
        self._met = tracker
        number = value._number
        return self._at[number, id(value._array)] if number in self._variables else number

    def follows(self, tensor: Tensor) -> bool:
        return not isinstance(self.ref(tensor), Constant)

    def _constant(self, array: Held) -> Ref:
        if not isinstance(array, Spread):
            return Constant(array)
        number, _ = self._held_values.setdefault(id(array), (next_number(), array))
        self._specs[number] = Spec.of(array)
        self._note_place(number, array)
        return number

    def _note_place(self, number: int, array: Held) -> None:
        if isinstance(array, Spread):
            self._spread.add(number)
            self.place = self.place or array.place

    def spread(self, place: DevicePlacement) -> None:
        self.place = self.place or place

    # -- notices of a listener -----------------------------------------------------------------

    def note(self, op: Any, values: Sequence[Any], attrs: dict[str, Any], result: Any) -> None:
        alone, met, variables = self.alone, self._met, self._variables
        refs: list[Ref] = []
        for x in values:
            if type(x) is not Tensor:
                refs.append(Constant(x))
            elif ((tracker := x._recorder) is alone or tracker is met) and (
                (number := x._number) not in variables
            ):
                refs.append(number)
            else:
                refs.append(self.ref(x))
        if self.place is not None:
            for part in (result,) if type(result) is Tensor else result:
                self._note_place(part._number, part._array)
        if attrs and "func" in attrs:
            self._functions.append(attrs["func"])
        elif op is NextRandomState:
            self.draws = True
        place = _place(self.caller or user_frame(3))
        if type(result) is Tensor:
            self._call(op, refs, attrs, result._number, result._array, place)
            if op.sized_by_values:
                self._guard(Guard(result._number, np.shape, result._array.shape))
            return
        for part in result:
            self._specs[part._number] = Spec.of(part._array)
        numbers = tuple([part._number for part in result])
        self._call(op, refs, attrs, numbers, None, place)
        if op.sized_by_values:
            for part in result:
                self._guard(Guard(part._number, np.shape, part._array.shape))

    def _call(
        self,
        op: Any,
        refs: list[Ref],
        attrs: dict[str, Any],
        outputs: int | tuple[int, ...],
        array: Held | None,
        place: CodePlace,
    ) -> None:
        """Log a call. Nothing is made that stays: Python's garbage collector would go through it.

        ``array`` is the result, if there is one alone.
        """
        spec = None
        if array is not None:
            kind = array.dtype, array.shape
            try:
                spec = self._kinds[kind]
            except KeyError:
                spec = self._kinds[kind] = Spec(*kind)
        self._extend((op, attrs or _NO_ATTRS, outputs, spec, *place, len(refs), *refs))
        self.noted += 1

    def _guard(self, guard: Guard) -> None:
        self._log.append(guard)
        self.noted += 1

    def value_read(self, tensor: object, look: Callable[[Any], Any], found: object) -> object:
        ref = self.ref(tensor)
        if isinstance(ref, Constant):
            return found
        # Each look is a guard, the second one of a value too: a way that is joined behind the first
        # one may come from where it found something else.
        if look is truth:
            self.has_guards = True
            return self._decided(ref, bool(found))
        if ref not in self.by_formula:
            self.has_guards = True
            guard = self._looks.get((ref, look))
            if guard is None:
                kept = np.array(found) if isinstance(found, np.ndarray) else found
                guard = self._looks[ref, look] = Guard(ref, look, kept)
            self._guard(guard)
        return found

    def _decided(self, ref: int, found: bool) -> bool:
        """The way that Python goes at a look at a truth, in a position that may come back."""
        stood, tapes = None, self._tapes_on()
        if tapes is not None and self.frames and self.as_before():
            stood = self._position()
            if stood is not None and stood.counting:
                for tensor in stood.counting:
                    self.note_constant(tensor)
                stood = self._position()
        answer = self.answer(stood, found)
        if stood is not None:
            refs, has_tapes = (ref, *stood.refs), stood.has_tapes or bool(tapes)
            self.all_looks.append(
                Look(self.noted, stood.state, refs, stood.whole, stood.counts, has_tapes)
            )
            if tapes and self.tape_notes is not None:
                self.tape_notes.looked(tapes)
        self._guard(Guard(ref, truth, answer))
        return answer

    def _position(self) -> CodePosition | None:
        assert self.frames is not None
        return self.frames.position(self.ref, *self._held())

    def _tapes_on(self) -> list[Recorder] | None:
        """The tapes that record beside it; None if what else listens since it began to is more."""
        present = listeners()
        if self not in present:
            return None
        later = present[present.index(self) + 1 :]
        tapes = [x for x in later if type(x) is Recorder]
        return tapes if len(tapes) == len(later) and (self.tape_notes or not tapes) else None

    def note_tapes(self) -> TapeNotes:
        """Note from here on what the function does with tapes."""
        self.tape_listener = self.tape_notes = TapeNotes(self)
        return self.tape_notes

    def follower_of_loop(self, frame: FrameType, loop: int) -> Callable[[CountedLoop], None] | None:
        return self.frames.follower_of_loop(frame, loop) if self.frames else None

    def note_constant(self, tensor: Tensor) -> None:
        """Record a tensor from here on, as what it holds counts: another turn makes it anew."""
        if tensor._recorder is None:
            array, number = tensor._array, next_number()
            tensor._recorder, tensor._number = join([self]), number
            self._call(Identity, [Constant(array)], {}, number, array, _place(user_frame(3)))

    def answer(self, stood: CodePosition | None, found: bool) -> bool:
        """The answer that Python gets where it looks at a truth: the value that is there."""
        return found

    def _held(self) -> tuple[list[Hashable], list[Ref]]:
        """The state of variables, which were read and assigned."""
        unread = [number for number, _ in self._unread]
        # that others were read changes nothing: they were not assigned, and no step was noted
        read = [v._number for v, _ in self._reads if not v.shape.is_fully_defined()]
        marks: list[Hashable] = [(*read,), (*self._assigns,), (*unread,)]
        held = [(ref, self._at[v._number, id(v._array)]) for v, ref in self._assigns.values()]
        return marks, [ref for pair in held for ref in pair]

    def on_read(self, variable: Variable, array: Held) -> bool:
        number = variable._number
        place = number, id(array)
        if place in self._unread:
            self._reread(number, array, self._unread.pop(place))
        elif place not in self._at:
            if number in self._first:
                self.refuse(f"{variable.name} was changed by something that is not recorded")
            self._read(variable, array)
        return True

    def assigned(self, variable: Variable, value: Any) -> None:
        ref, number = self.ref(value), variable._number
        self.on_read(variable, variable._array)
        self._stands(number, value._array, ref)
        self._unread[number, id(value._array)] = ref
        self._assigns[number] = variable, ref

    def _read(self, variable: Variable, array: Held) -> None:
        """The variable is read for the first time."""
        value = next_number()
        self.arrays[value] = array
        self._specs[value] = Spec.of(array)
        self._note_place(value, array)
        self._first[variable._number] = value
        self._reads.append((variable, value))
        if not variable.shape.is_fully_defined():
            self._guard(Guard(value, np.shape, array.shape))
        self._stands(variable._number, array, value)

    def _reread(self, number: int, array: Held, ref: Ref) -> None:
        """A variable is read after it was assigned: no gradient goes to what was assigned."""
        value = next_number()
        self._rereads[value] = self._first[number]
        self._note_place(value, array)
        self._call(StopGradient, [ref], {}, value, array, _place(user_frame(3)))
        self._at[number, id(array)] = value

    def _stands(self, variable: int, array: Held, ref: Ref) -> None:
        """Know that tensors of a variable with this array are this value."""
        self._variables.add(variable)
        self._at[variable, id(array)] = ref
        self._kept.append(array)

    def known(self, number: int, variable: int, array: Held) -> None:
        """Know tensors with the number of a variable by this one, if they have this array."""
        self._stands(variable, array, number)

    def converts(self, part: bool) -> bool:
        return self.watch is not None and self.watch.converted(part)

    def failed(self, op: Any) -> None:
        self.caught = f"it catches an error of {op.name}"

    def refuse(self, why: str) -> None:
        """Listen no more: functions that are called from here on may be replayed themselves."""
        self.refused = self.refused or why
        stop(self)


_NO_ATTRS: dict[str, Any] = {}


def _place(frame: FrameType | None) -> CodePlace:
    return NOWHERE if frame is None else (frame.f_code, frame.f_lasti)


def _steps(log: list[Any], specs: dict[int, Spec]) -> Iterator[Step | Guard]:
    """The steps of a log as a recording has them; the specs of single results join the others."""
    begin, end = 0, len(log)
    new = tuple.__new__  # `Step` itself takes twice as long, and there may be a million
    while begin < end:
        first = log[begin]
        if type(first) is Guard:
            begin += 1
            yield first
            continue
        op, attrs, outputs, spec, code, at, count = log[begin : begin + 7]
        begin += 7 + count
        if spec is not None:
            specs[outputs] = spec
            outputs = (outputs,)
        refs = (*log[begin - count : begin],)
        yield new(Step, (op, refs, attrs, outputs, spec is None, (code, at)))
