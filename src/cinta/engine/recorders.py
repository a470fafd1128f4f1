"""Recorders of calls: tapes, and objects that follow what a tape does not record.

A recorder is a list of records. A record is a plain tuple, because one is made for every op that
runs under a tape:

    (plan, inputs, output, saved)

``plan`` says how the op is differentiated for the inputs that are tracked (see ``op.Plan``),
``inputs`` is the number of the one tracked input, or a tuple of numbers, ``output`` the number of
the result, and ``saved`` the values that the plan's rules asked to keep. Tensors and variables are
known to a record by number only, so a tensor that the user drops is freed, whatever tape is on.
"""

from __future__ import annotations

import itertools
import threading
from _thread import get_ident
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from .listeners import TapeListener, add, listeners, remove

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import FrameType

    from .counted_loops import CountedLoop
    from .device_values import DevicePlacement, Held
    from .gradient_plan import PartPlan, Plan
    from .made_up import MadeUpLengths
    from .op import Op
    from .tensor import Tensor
    from .variable import Variable

next_number = itertools.count(1).__next__
"""Numbers tensors and variables, once each, over all threads and recorders."""


class Record(NamedTuple):
    """A record with its fields named, for readers that are not in a hurry."""

    plan: Plan
    inputs: int | tuple[int, ...]
    output: int
    saved: object


class Recorder:
    """The records of one tape, and what that tape watches.

    ``owner`` is the thread that records here now, 0 without one: one comparison in the
    hot path then answers both "is it on?" and "is it mine?".
    """

    __slots__ = ("append", "groups", "leaves", "owner", "records", "variables", "watch_accessed")
    wide: ClassVar[bool] = False  # whether it is told of every op, differentiable or not
    relays: ClassVar[bool] = False  # whether it passes calls on to older recorders
    observer: ClassVar[None] = None  # as a group may have one
    tapes: ClassVar[tuple[()]] = ()

    def __init__(self, watch_accessed: bool = True) -> None:
        self.owner = 0
        self.watch_accessed = watch_accessed
        self.leaves: set[int] = set()
        self.variables: dict[int, Variable] = {}
        self.records: list[tuple[Any, Any, int, Any]] = []
        self.append = self.records.append
        self.groups: dict[tuple[Recorder, ...], RecorderGroup] = {}  # to be compared by identity

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Record]:
        return map(Record._make, list(self.records))

    def on_read(self, variable: Any, value: Held) -> bool:
        number = variable._number
        if number in self.variables:
            return number in self.leaves
        if not (self.watch_accessed and variable.trainable):
            return False
        return self.watch_variable(variable)

    def watch_variable(self, variable: Variable) -> bool:
        self.variables[variable._number] = variable
        if variable._differentiable:
            self.leaves.add(variable._number)
        return variable._differentiable

    def take_records(self, *, keep: bool) -> list[tuple[Any, Any, int, Any]]:
        """The records, to be popped by the caller; a recorder that must keep them gives a copy."""
        if keep:
            return self.records.copy()
        taken, self.records = self.records, []
        self.append = self.records.append
        return taken

    def close(self) -> None:
        """Forget everything, even if tensors that were tracked here live on."""
        stop(self)
        self.records.clear()
        self.leaves.clear()
        self.variables = {}  # the old one may have been handed out


class Call(NamedTuple):
    """A call of an op as followers are told of it.

    ``inputs`` are tensors if a recorder tracks them, else arrays; ``plan`` has the rules of those
    that the follower tracks.
    """

    op: Op
    inputs: Sequence[Any]
    attrs: dict[str, Any]
    result: Any
    plan: Plan


class Follower(Recorder):
    """A recorder that keeps no records: it is told of every call when the call has been made.

    Calls of ops in ``follow`` are recorded by listeners that are older than the follower, not by
    itself or by later ones.
    """

    def __init__(self, watch_accessed: bool = False) -> None:
        super().__init__(watch_accessed)
        self.append = _nothing

    def follow(self, call: Call) -> None:
        """Do what is to be done after a call."""
        raise NotImplementedError


class Observer(Follower):
    """A follower of all that happens: to values of every dtype, to variables, in Python.

    It is told of ops, whatever their gradients; of what Python looked at, because what Python did
    then depends on it; and of whatever cannot be told as an op.
    """

    wide = True
    caller: FrameType | None = None  # the frame of the program that waits, if that is known
    made_up: MadeUpLengths | None = None  # for results, where the values of arguments are made up
    tape_listener: TapeListener = TapeListener()

    def __init__(self) -> None:
        super().__init__(watch_accessed=True)
        self.alone = RecorderGroup((self,))
        self.groups[(self,)] = self.alone

    def note(self, op: Op, values: Sequence[Any], attrs: dict[str, Any], result: object) -> None:
        """An op was called. Values are tensors if a recorder tracks them, else constants."""
        raise NotImplementedError

    def follows(self, tensor: Tensor) -> bool:
        """Whether a tensor comes of what is observed: of arguments, variables, random numbers."""
        raise NotImplementedError

    def value_read(self, tensor: object, look: Callable[[Any], Any], found: object) -> object:
        """Python looks at a tensor in this way and finds this; the answer is what it gets."""
        raise NotImplementedError

    def follower_of_loop(self, frame: FrameType, loop: int) -> Callable[[CountedLoop], None] | None:
        """Tells this recorder of the iterator of a loop; None if it cannot follow the loop.

        ``loop`` is the offset in the frame's code at which the iterator is asked for elements.
        """
        return None

    def assigned(self, variable: Any, value: Tensor) -> None:
        """A variable is about to be given the value of a tensor."""
        raise NotImplementedError

    def converts(self, part: bool) -> bool:
        """An array that was captured, or a part of it, is converted to a tensor.

        Whether it is known that this was to come: a part must not be read otherwise.
        """
        raise NotImplementedError

    def failed(self, op: Op) -> None:
        """A call of an op raises an error."""
        raise NotImplementedError

    def spread(self, place: DevicePlacement) -> None:
        """The result of a call lies on a mesh of devices."""

    def refuse(self, why: str) -> None:
        """Something happened that will not happen again by itself, such as reading a file."""
        raise NotImplementedError


def _nothing(record: tuple[PartPlan | int, ...]) -> None:
    """Where the records of followers go."""


class RecorderGroup:
    """Several recorders that track the same tensor, as nested tapes do; or one follower.

    ``is_simple`` says that they are tapes and at most one observer, as in a function that is
    recorded, which is ``observer`` then.
    """

    __slots__ = ("is_simple", "members", "observer", "tapes")
    owner = 0  # never a thread: sends the hot path to the general one

    def __init__(self, members: tuple[Recorder, ...]) -> None:
        self.members = members
        self.tapes = [r for r in members if type(r) is Recorder]
        others = [r for r in members if type(r) is not Recorder]
        alone = len(others) == 1 and isinstance(others[0], Observer)
        self.observer = next((r for r in others if alone and isinstance(r, Observer)), None)
        self.is_simple = alone or not others


Tracker: TypeAlias = Recorder | RecorderGroup | None
"""The attribute by which a tensor says which recorders track it."""

SEVERAL_TRACKERS = RecorderGroup(())
"""Stands for "not one and the same tracker"; never a thread's own."""


def wider(
    one: Recorder | RecorderGroup, other: Recorder | RecorderGroup
) -> Recorder | RecorderGroup:
    """The tracker of inputs that these two track: one of them if it has all of the other."""
    observer = one.observer
    if observer is not None and observer is other.observer:
        if one is observer.alone:
            return other
        if other is observer.alone:
            return one
    return SEVERAL_TRACKERS


_lock = threading.Lock()


def observers() -> list[Observer]:
    """The listeners of this thread that are told of every call, the latest first."""
    present = listeners()
    return [x for x in reversed(present) if isinstance(x, Observer)] if present else []


def direct_recorders(recorders: Iterable[Recorder]) -> list[Recorder]:
    """The listeners that a call is reported to: an observer that relays reports to older ones."""
    present = list(recorders)
    if not any([r.relays for r in present]):
        return present
    order = listeners()
    first = max(order.index(r) for r in present if r.relays)
    return [r for r in present if order.index(r) >= first]


def is_observed(tensor: Tensor) -> bool:
    """Whether a function is being recorded for other values of this tensor than its present one."""
    return tensor._recorder is not None and any([r.wide for r in active(tensor._recorder)])


def lies_on_mesh(place: DevicePlacement) -> None:
    """Tell recorders of functions that the op that is called gives a value on a mesh."""
    for observer in observers():
        observer.spread(place)


def cannot_be_replayed(why: str) -> None:
    """Tell recorders of functions that the function did something that replays cannot repeat."""
    for observer in observers():
        observer.refuse(why)


def value_read(tensor: Tensor, look: Callable[[Any], Any], found: object) -> Any:
    """The answer that Python gets where it looks at a tracked tensor."""
    for recorder in active(tensor._recorder):
        if isinstance(recorder, Observer):
            found = recorder.value_read(tensor, look, found)
    return found


def start(recorder: Recorder) -> bool:
    """Record on this thread from now on; whether others do already."""
    recorder.owner = get_ident()
    if not add(recorder, recorder.owner):
        return False
    if type(recorder) is Recorder:
        for observer in observers():
            observer.tape_listener.starts(recorder)
    return True


def stop(recorder: Recorder) -> None:
    """Record no more; what was recorded stays."""
    owner, recorder.owner = recorder.owner, 0
    if not recorder.wide:
        recorder.groups.clear()  # they refer to it
    if owner and remove(recorder, owner) and type(recorder) is Recorder:
        for observer in observers():
            observer.tape_listener.stops(recorder)


@contextmanager
def following(recorder: Recorder) -> Iterator[None]:
    """Let the recorder record on this thread in the block."""
    try:
        start(recorder)
        yield
    finally:
        try:
            stop(recorder)
        except BaseException:  # an interrupt: nobody may go on hearing of the thread
            remove(recorder, get_ident())
            raise


@contextmanager
def unless_in_vain() -> Iterator[None]:
    """Let tapes forget the variables that they came to know in the block if it raises."""
    tapes = [x for x in listeners() if isinstance(x, Recorder)]
    counts = [len(tape.variables) for tape in tapes]
    try:
        yield
    except BaseException:
        for tape, count in zip(tapes, counts, strict=True):
            for number in [*tape.variables][count:]:
                del tape.variables[number]
                tape.leaves.discard(number)
        raise


@contextmanager
def paused(first: Recorder | None = None, *, observers: bool = True) -> Iterator[None]:
    """Let no recorder record on this thread in the block; or only those older than ``first``.

    ``observers`` says whether that includes recorders of functions.
    """
    present = listeners()
    since = 0 if first is None else present.index(first)
    resting = [x for x in present[since:] if isinstance(x, Recorder) and (observers or not x.wide)]
    for recorder in resting:
        stop(recorder)
    try:
        yield
    finally:
        for recorder in resting:
            start(recorder)


@contextmanager
def called_from(frame: FrameType | None) -> Iterator[None]:
    """Let observers know that this frame of the program waits for all that is called in the block.

    None says that the block may call the program: then they look each time.
    """
    before = [(observer, observer.caller) for observer in observers()]
    for observer, _ in before:
        observer.caller = frame
    try:
        yield
    finally:
        for observer, caller in before:
            observer.caller = caller


def recording() -> bool:
    """Whether any tape records on this thread."""
    return any([isinstance(x, Recorder) for x in listeners()])


def active(tracker: Tracker) -> tuple[Recorder, ...]:
    """Those of a tensor's recorders that record on this thread."""
    if tracker is None:
        return ()
    thread = get_ident()
    if tracker.owner == thread:
        return (tracker,)  # type: ignore[return-value]
    if type(tracker) is RecorderGroup:
        return tuple([r for r in tracker.members if r.owner == thread])
    return ()


def join(recorders: Sequence[Recorder]) -> Tracker:
    """The tracker of a tensor that all of these track."""
    if len(recorders) == 1 and type(recorders[0]) is Recorder:
        return recorders[0]
    members = tuple(dict.fromkeys(recorders))
    if not members:
        return None
    keeper = next((r for r in members if r.wide), members[-1])
    found = keeper.groups.get(members)
    if found is None:
        found = RecorderGroup(members)
        if keeper.owner:  # one that does not record is not stopped again, which ends the cycle
            keeper.groups[members] = found
    return found


def watch(tensor: Tensor, recorder: Recorder) -> None:
    """Let the recorder track a tensor from now on, in addition to other recorders."""
    with _lock:
        tracker = tensor._recorder
        if tracker is None:
            tensor._number = next_number()
            tensor._recorder = join([recorder])
        else:
            members = tracker.members if isinstance(tracker, RecorderGroup) else (tracker,)
            if recorder in members:
                return
            alive = [r for r in members if r.leaves or r.records or r.wide]
            tensor._recorder = join([*alive, recorder])
        recorder.leaves.add(tensor._number)
