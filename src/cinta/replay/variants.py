"""Variants: the recordings of one function, and the choice among them.

A variant serves calls with arguments of the same kind, as long as nothing that its Python refers to
has changed. Several variants of a kind differ in what Python saw on its way.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections import defaultdict
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from ..engine import recorders, settings
from ..engine.captured_arrays import captured
from ..engine.creators import noting_created
from ..engine.listeners import listeners
from ..engine.op import Op
from ..engine.transactions import all_or_nothing, leaving_no_trace
from ..engine.warning import warn
from ..errors import ResourceExhaustedError
from ..ops.random import op_numbering
from ..ops.random.state import owner_of_streams, seeds
from .agreement import Disagreed, agree_on_python
from .argument_structures import Results, independent, written_kind
from .captures import Captures, observed
from .captures.sites import watching
from .loops.code_positions import Frames
from .numpy.engine import Changed
from .report import CallReport
from .timing import parts_of_a_call
from .trace import Trace
from .variant import Variant, difference, other_way
from .verbosity import tell
from .without_gc import without_gc

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from ..engine.replicas import Processes
    from ..ops.random.op_numbering import NumberedGraph
    from .argument_structures import Arguments
    from .calls import Call
    from .engines import Program
    from .entry import Entry
    from .recording import Recording

MOST_VARIANTS = 64
"""How many recordings of one function are kept."""
MOST_TRIES, WITH_VARIABLES = 2, 0.25
"""How often a function is recorded in vain, and as what a try counts that makes variables."""
MOST_ENTRIES = 4
"""How many of them a call tries first, one after the other."""


on_recording: list[Callable[[str, Variant], None]] = []
"""Functions that want to hear of every recording, with the name of what was recorded."""


class Variants:
    """The recordings of one function, by the kind of its arguments."""

    def __init__(
        self, name: str, compile: Callable[[Recording], Program], has_signature: bool = False
    ) -> None:
        self.name = name
        self.has_signature = has_signature  # so that other sizes are expected
        self.recorded = 0
        self.python_calls = 0
        self.has_run = False  # whether a call has succeeded
        self._compile = compile
        self._programs: WeakSet[Program] = WeakSet()
        self._replays = 0  # of recordings that were dropped
        self._by_kind: dict[Any, list[Variant]] = {}
        self.entries: tuple[Entry, ...] = ()
        self._epoch = Op.epoch
        self._lock = threading.Lock()
        self._owner_of_streams = owner_of_streams(self)
        self._tries: dict[Any, float] = defaultdict(float)
        self._counting: dict[Hashable, set[int]] = {}  # as `Frames` takes it
        self._refused: dict[Any, str] = {}
        self._processes: Processes | None = None  # that have the mesh on which it computes

    def __iter__(self) -> Iterator[Variant]:
        return (variant for found in list(self._by_kind.values()) for variant in found)

    def report(self) -> CallReport:
        """The counts of the calls so far."""
        programs = list(self._programs)
        return CallReport(
            name=self.name,
            replays=self._replays + sum(variant.calls for variant in self),
            python_calls=self.python_calls,
            recordings=self.recorded,
            compile_seconds=sum(program.compile_seconds for program in programs),
            bytes_kept=sum(program.bytes_kept for program in programs),
            refused=tuple(dict.fromkeys(self._refused.values())),
            measure=self._parts_of_a_call,
        )

    def _parts_of_a_call(self) -> dict[str, float]:
        for entry in self.entries:
            return parts_of_a_call(entry)
        return {}

    def call(self, call: Call) -> object:
        """Run a recording that fits, or else the Python, which is recorded then."""
        if self._epoch != Op.epoch:  # kernels or rules have changed
            self._by_kind.clear()
            self.entries = ()
            self._epoch = Op.epoch
        found = self._by_kind.get(call.given.kind, ())
        if (
            found
            and op_numbering.current() is None
            and not any([variant.draws for variant in found])
        ):
            return self._called(call)
        return op_numbering.run_in(self.graph_for(call.given), self._called, call)

    def _graph_of_python(self, given: Arguments) -> NumberedGraph | None:
        """The graph in which the Python runs: that of the call, if it has one by now."""
        return op_numbering.current() or self.graph_for(given)

    def graph_for(self, given: Arguments) -> NumberedGraph | None:
        """The graph of a call with these arguments, in which its random ops are counted."""
        graph = op_numbering.within_another if is_watched() else op_numbering.of_call
        return graph(self._owner_of_streams, given.kind)

    def _called(self, call: Call) -> object:
        found = self._by_kind.get(call.given.kind, ())
        for variant in found:
            if variant.captures.hold():
                break
        else:
            return self._python_of_all(call, "")
        if recorders.recording() and (variant.is_on_mesh or variant.captures.watched()):
            # tapes shall see these tensors, and each op on a mesh
            agree_on_python(self._processes, self.name)
            graph = self._graph_of_python(call.given)
            return op_numbering.run_in(graph, all_or_nothing, call.returned)
        if variant.calls_python:
            return all_or_nothing(lambda: self._replayed(call, variant, found))
        return self._replayed(call, variant, found)

    def serving(self, kind: object) -> Variant | None:
        """The first recording that a call with arguments of this kind tries."""
        found = self._by_kind.get(kind, ())
        return next((variant for variant in found if variant.captures.hold()), None)

    def _replayed(self, call: Call, variant: Variant, found: Sequence[Variant]) -> object:
        """Call a variant, or another one if Python would go another way, or Python."""
        tried: set[int] = set()
        while True:
            try:
                returned = variant.run(call)
                self._enter(variant.entry(call))
                return returned
            except Disagreed:
                return self._run_python(call, "other processes did not replay it")
            except Changed as change:
                tried.add(id(variant))
                other = other_way(found, variant, change, tried)
                why = f"Python saw {difference(variant, change)}"
            except Exception as error:
                if isinstance(error, ResourceExhaustedError):
                    raise
                if not variant.captures.catches:
                    variant.raise_in_python(error, call)
                    raise
                other, why = None, "of an error"  # it may be caught
            if other is None:
                return self._python_of_all(call, why)
            variant = other

    def _enter(self, entry: Entry | None) -> None:
        """Let this be the first entry from now on."""
        if entry is not None:
            others = [each for each in self.entries if each is not entry]
            self.entries = (entry, *others[: MOST_ENTRIES - 1])

    def record(self, call: Call) -> Variant:
        """The recording for such arguments, made without a trace in variables if need be."""
        kind = call.given.kind
        for variant in self._by_kind.get(kind, ()):
            if variant.captures.hold() and not variant.captures.arrays:
                return variant
        variant = self.tried(call)
        self._add(kind, variant, "")
        return variant

    def tried(self, call: Call, new_trace: Callable[[], Trace] = Trace) -> Variant:
        """A recording that is not kept for calls, made without a trace in variables."""
        before = seeds.snapshot()
        try:
            variant, _ = op_numbering.run_in(
                self.graph_for(call.given),
                leaving_no_trace,
                lambda: self._recorded(new_trace(), call, Captures(*call.roots)),
            )
        finally:
            seeds.rewind(before)
        return variant

    def _python_of_all(self, call: Call, why: str) -> object:
        """Run the Python in all processes that have the mesh of the function, if it has one."""
        agree_on_python(self._processes, self.name)
        return self._run_python(call, why)

    def _run_python(self, call: Call, why: str) -> object:
        """Run the Python, and keep a recording of what it did if it can stand for it."""
        self.python_calls += 1

        def run() -> object:
            graph = self._graph_of_python(call.given)
            return call.attempts.another(
                op_numbering.run_in, graph, self._python_recorded, call, why
            )

        return all_or_nothing(run)

    def _python_recorded(self, call: Call, why: str) -> object:
        given, kind = call.given, call.given.kind
        if kind in self._refused or sum(1 for _ in self) >= MOST_VARIANTS:
            return call.returned()
        before, trace = call.captures(), Trace()
        if before.refused is not None and not before.calls_python:
            self._refuse(kind, before.refused)
            return call.returned()
        with noting_created() as made_variables:
            variant, returned = self._recorded(trace, call, before)
        apart = trace.called_anew()
        if apart:
            variant.captures = call.captures(apart)
        captures = variant.captures
        refused = captures.refused or trace.refused or trace.caught or before.difference(captures)
        if refused is None and given.changed():
            refused = "it changes its arguments"
        if refused is None:
            self._add(kind, variant, why)
        else:
            self._refuse(kind, refused, WITH_VARIABLES if made_variables else 1)
        for each in given.objects:
            with suppress(TypeError):  # not all objects can be followed
                weakref.finalize(each, _forget, weakref.ref(self), kind)
        return returned

    def _recorded(self, trace: Trace, call: Call, captures: Captures) -> tuple[Variant, Any]:
        """Run the Python under a trace: the recording, and what it returned."""
        given = call.given
        trace.as_before = captures.hold
        notes = trace.note_tapes()
        frames = trace.frames = Frames(
            sys._getframe(), captures.knows, self._counting, notes.mark_of
        )
        arrays = [array for ref in captures.arrays if (array := ref()) is not None]
        with (
            recorders.following(trace),
            captured(arrays, trace),
            watching(captures.sites, trace),
        ):
            tensors = [trace.argument(x) for x in given.tensors]
            attributes_were_set = given.lend_attributes(tensors)
            run = partial(given.passed_to, call.python, tensors)
            returned = observed(trace, run) if captures.makes_generators else run()
            if attributes_were_set(trace.result):
                trace.refuse("it sets attributes of a tensor that it was given")
            results = Results(returned)
            results.tensors[:] = [trace.own(x) for x in results.tensors]
            record = trace.finisher(self.name, results.tensors)
            found = [trace.result(x) for x in results.tensors]
        variant = Variant(record, trace, results.pack, captures, self._compiled)
        variant.returned, variant.is_settled = results.kind, not frames.has_learned
        if not notes.matter:
            trace.arrays.clear()
        variant.arguments, variant.draws = given.described(), trace.draws
        if trace.place is not None:
            variant.is_on_mesh, self._processes = True, trace.place.processes
        return variant, results.pack(independent(found))

    def _compiled(self, made: Recording) -> Program:
        with without_gc():
            program = self._compile(made)
        self._programs.add(program)
        return program

    def _add(self, kind: object, variant: Variant, why: str) -> None:
        with self._lock:
            why = why or self._why(kind)
            variant.why = why
            tell(f"recorded {self.name}, {why}")
            others = self._by_kind.get(kind, [])
            ways = [each for each in others if each.captures.hold()]
            settled = [each for each in ways if each.is_settled]
            for joined in (ways, settled) if variant.is_settled and settled else (ways,):
                gone = variant.joins(joined) if joined else None
                if gone is not None:
                    others = [each for each in others if each not in gone]
                    self._replays += sum(each.calls for each in gone)
                    self.entries = ()
                    break
            self._by_kind[kind] = [variant, *others]
            self._tries[kind] = 0
            for heard in on_recording:
                heard(self.name, variant)
            drop = partial(_drop, weakref.ref(self), kind, weakref.ref(variant))
            variant.captures.when_gone(drop)
            self.recorded += 1
        if sum(1 for _ in self) == MOST_VARIANTS:
            self._tell(
                f"has {MOST_VARIANTS} recordings, the last one made because {why}; from now "
                "on what is new runs as Python. Give numbers that change as tensors, and tensors "
                "of few shapes."
            )

    def _why(self, kind: Any) -> str:
        """Why a recording is made though there are others."""
        for variant in self._by_kind.get(kind, ()):
            return variant.captures.difference() or "Python went another way"
        for other in reversed(self._by_kind):
            pairs = [
                (i, was, now)
                for was_part, part in zip(other, kind, strict=True)
                for i, (was, now) in enumerate(zip(was_part[1:], part[1:], strict=False))
                if was != now
            ]
            for i, was, now in pairs:
                return f"argument {i} changed: {written_kind(was)} → {written_kind(now)}"
        return "the arguments are others" if self._by_kind else "for the first time"

    def _refuse(self, kind: object, why: str, tries: float = 1) -> None:
        """Do not record again what cannot be replayed, once it has been tried often enough."""
        self._tries[kind] += tries
        if self._tries[kind] >= MOST_TRIES:
            self._refused[kind] = why
            self._tell(f"runs its Python at every call: {why}.")

    def _tell(self, what: str) -> None:
        if settings.verbosity > 0:
            warn(f"tf.function {self.name} {what}")


def _forget(variants: weakref.ref[Variants], kind: object) -> None:
    """Drop the recordings for an object that was freed."""
    alive = variants()
    if alive is not None:
        gone = alive._by_kind.pop(kind, ())
        alive.entries = ()
        alive._tries.pop(kind, None)
        alive._refused.pop(kind, None)
        alive._replays += sum(variant.calls for variant in gone)


def _drop(variants: weakref.ref[Variants], kind: object, variant: weakref.ref[Variant]) -> None:
    """Drop a recording of which something is gone that it cannot do without."""
    alive, gone = variants(), variant()
    if alive is not None and gone is not None and gone in alive._by_kind.get(kind, ()):
        alive._by_kind[kind] = [each for each in alive._by_kind[kind] if each is not gone]
        alive.entries = ()
        alive._replays += gone.calls


def is_watched() -> bool:
    """Whether somebody on this thread wants to see each op: then the Python is to run."""
    return any(isinstance(x, recorders.Follower) for x in listeners())
