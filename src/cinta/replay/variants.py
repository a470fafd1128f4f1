"""Variants: the recordings of one function, and the choice among them.

A variant serves calls with arguments of the same kind, as long as nothing that its Python refers to
has changed. Several variants of a kind differ in what Python saw on its way.
"""

from __future__ import annotations

import threading
import weakref
from collections import Counter
from contextlib import nullcontext, suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from ..engine import recorders, settings
from ..engine.captured_arrays import ReadCapturedArray, captured
from ..engine.committing import commit
from ..engine.listeners import listeners
from ..engine.op import Op
from ..engine.tensor import held, wrap_held
from ..engine.transactions import Holding, all_or_nothing, leaving_no_trace
from ..engine.warning import warn
from ..errors import ResourceExhaustedError
from ..ops.random import places
from ..ops.random.state import NextRandomState, owner_of_streams, seeds
from .argument_structures import Arguments, Results, independent, returned_by, written_kind
from .call_once import Attempts
from .differentiate import Differentiable
from .entry import entry_to
from .loops.whiles import has_gradients, with_whiles
from .numpy.engine import Changed
from .passes import simplified
from .recording import Constant
from .report import Report
from .timing import parts_of_a_call
from .trace import Trace
from .verbosity import tell
from .world import Captures, observed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from ..engine.away import Held
    from ..engine.tensor import Tensor
    from .engines import Program
    from .entry import Call, Entry, Layout
    from .loops.whiles import Course
    from .recording import Recording

MOST_VARIANTS = 64
"""How many recordings of one function are kept."""
MOST_ENTRIES = 4
"""How many of them a call tries first, one after the other."""


class Variant:
    """One recording of a function, ready to run."""

    def __init__(
        self,
        record: Callable[[], Recording],
        courses: Sequence[Course],
        pack: Callable[[Sequence[Any]], Any],
        captures: Captures,
        compile: Callable[[Recording], Program],
    ) -> None:
        self._record = record
        self._courses = courses
        self.pack = pack
        self.captures = captures
        self._compile = compile
        self._entries: dict[Layout, Entry | None] = {}
        self.general: Recording | None = None  # with loops of any number of turns, if there are
        self.is_general_for_tapes = False
        self._runners: dict[Recording, Runner] = {}
        self.arguments: Any = None  # as `Arguments.described` gives them
        self.why = ""  # it was recorded though there were others
        self.draws = False  # random numbers, by streams that this function counts
        self.calls = 0

    @cached_property
    def recording(self) -> Recording:
        """The recording, put in order when it is first needed: a first call is to be quick."""
        made = self._record()
        del self._record  # with the arrays that the trace has kept
        general = with_whiles(made, self._courses) if self._courses else None
        if general is not None:
            self.general = simplified(general)
            self.is_general_for_tapes = has_gradients(general)
        return simplified(made)

    def serves(self) -> Recording:
        """The program of a call made now: some loops are known to tapes by their turns alone."""
        exact, general = self.recording, self.general
        if general is None or (recorders.recording() and not self.is_general_for_tapes):
            return exact
        return general

    @property
    def calls_python(self) -> bool:
        """Whether Python that people wrote is called in a replay."""
        return self.runner.may_call_in_vain

    @property
    def runner(self) -> Runner:
        """The program that runs a call now."""
        made = self.serves()
        found = self._runners.get(made)
        if found is None:
            found = self._runners[made] = Runner(made, self._compile)
        return found

    def run(self, tensors: Sequence[Tensor], attempts: Attempts) -> Any:
        """The function's results for these tensors; takes effect only if every guard holds."""
        runner = self.runner
        if runner.may_call_in_vain:
            with attempts.another():
                results = runner(tensors)
        else:
            results = runner(tensors)
        self.calls += 1
        return self.pack(results)

    def entry(self, given: Arguments, call: Call) -> Entry | None:
        """The short way to this variant, for calls that are like this one and no tape hears."""
        layout = call.layout
        new = layout not in self._entries and not recorders.recording()
        if new and not self.runner.has_effects and call.gives(given):
            self._entries[layout] = entry_to(given.kind, call, self)
        return self._entries.get(layout)

    def raise_in_python(
        self, error: Exception, given: Arguments, python: Callable[..., Any], attempts: Attempts
    ) -> None:
        """Raise an error of the recording where the Python makes it, whose line it then shows.

        Nothing else comes of it. A function that has printed does not run twice.
        """
        if self.runner.may_print:
            return
        before = seeds.snapshot()

        def run() -> None:
            with recorders.paused(), attempts.another():
                given.passed_to(python)

        try:
            leaving_no_trace(run)
        except type(error) as same:
            same.__suppress_context__ = True
            raise
        finally:
            seeds.rewind(before)


class Runner:
    """Runs a recording, and lets it take effect."""

    def __init__(self, made: Recording, compile: Callable[[Recording], Program]) -> None:
        self.callable = Differentiable(made, compile)
        self.variables = [variable for variable, _ in made.reads]
        self.assigned = [variable for variable, _ in made.assigns]
        self.holding = Holding(self.assigned)
        calls = [step for step in made.calls if step.op.effects]
        happen = [step for step in calls if step.op is not ReadCapturedArray]
        is_random = [step.op is NextRandomState for step in happen if step.outputs]
        self.may_draw_in_vain = any(is_random) and bool(made.guards)
        self.may_call_in_vain = not all(is_random)
        self.may_print = len(is_random) < len(happen)
        self.has_effects = bool(happen)

    def __call__(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """The results, with the variables assigned, which nobody else changes meanwhile."""
        return self.holding.call(self._run, tensors) if self.assigned else self._run(tensors)

    def _run(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        before = seeds.snapshot() if self.may_draw_in_vain else None
        try:
            if recorders.recording():
                with recorders.unless_in_vain():
                    read = [variable.__tf_tensor__() for variable in self.variables]
                    results, values = self.callable([*tensors, *read])
            else:
                return self.compute([held(x) for x in tensors])
        except BaseException:
            if before is not None:
                seeds.rewind(before)
            raise
        if values:
            commit(self.assigned, values)
        return results

    def compute(self, values: Sequence[Held]) -> list[Tensor]:
        """The results for these values of the inputs, where no tape listens."""
        program = self.callable.program
        read: list[Held]
        if program.knows_devices:
            read = [variable._held() for variable in self.variables]
        else:
            read = [variable._array for variable in self.variables]
        for listener in listeners():
            for variable, value in zip(self.variables, read, strict=True):
                listener.hears(variable, value)
        found, assigned = program([*values, *read])
        if assigned:
            commit(self.assigned, assigned)
        return [wrap_held(x) for x in found]


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
        self._tries: Counter[Any] = Counter()
        self._refused: dict[Any, str] = {}

    def __iter__(self) -> Iterator[Variant]:
        return (variant for found in list(self._by_kind.values()) for variant in found)

    def report(self) -> Report:
        """The counts of the calls so far."""
        programs = list(self._programs)
        return Report(
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

    def call(
        self, given: Arguments, python: Callable[..., Any], roots: Sequence[Any], call: Call
    ) -> Any:
        """Run a recording that fits, or else the Python, which is recorded then."""
        if self._epoch != Op.epoch:  # kernels or rules have changed
            self._by_kind.clear()
            self.entries = ()
            self._epoch = Op.epoch
        found = self._by_kind.get(given.kind, ())
        if found and places.current() is None and not any([variant.draws for variant in found]):
            return self._called(given, python, roots, call)
        with self.graph_for(given):
            return self._called(given, python, roots, call)

    def _graph_of_python(self, given: Arguments) -> AbstractContextManager[None]:
        """The graph in which the Python runs: that of the call, if it has one by now."""
        return self.graph_for(given) if places.current() is None else nullcontext()

    def graph_for(self, given: Arguments) -> AbstractContextManager[None]:
        """The graph of a call with these arguments, in which its random ops are counted."""
        graph = places.within_another if is_watched() else places.of_call
        return graph(self._owner_of_streams, given.kind)

    def _called(
        self, given: Arguments, python: Callable[..., Any], roots: Sequence[Any], call: Call
    ) -> Any:
        found = self._by_kind.get(given.kind, ())
        for variant in found:
            if variant.captures.hold():
                break
        else:
            return self._run_python(given, python, roots, "", Attempts())
        if recorders.recording() and variant.captures.watched():  # tapes shall see these tensors
            with self._graph_of_python(given):
                return all_or_nothing(lambda: returned_by(given.passed_to, python))
        if variant.calls_python:
            return all_or_nothing(
                lambda: self._replayed(variant, found, given, python, roots, call)
            )
        return self._replayed(variant, found, given, python, roots, call)

    def _replayed(
        self,
        variant: Variant,
        found: Sequence[Variant],
        given: Arguments,
        python: Callable[..., Any],
        roots: Sequence[Any],
        call: Call,
    ) -> Any:
        """Call a variant, or another one if Python would go another way, or Python."""
        tried: set[int] = set()
        attempts = Attempts()
        while True:
            try:
                returned = variant.run(given.tensors, attempts)
                self._enter(variant.entry(given, call))
                return returned
            except Changed as change:
                tried.add(id(variant))
                other = _other(found, variant, change, tried)
                why = f"Python saw {_difference(variant, change)}"
            except Exception as error:
                if isinstance(error, ResourceExhaustedError):
                    raise
                if not variant.captures.catches:
                    variant.raise_in_python(error, given, python, attempts)
                    raise
                other, why = None, "of an error"  # it may be caught
            if other is None:
                return self._run_python(given, python, roots, why, attempts)
            variant = other

    def _enter(self, entry: Entry | None) -> None:
        """Let this be the first entry from now on."""
        if entry is not None:
            others = [each for each in self.entries if each is not entry]
            self.entries = (entry, *others[: MOST_ENTRIES - 1])

    def record(self, given: Arguments, python: Callable[..., Any], roots: Sequence[Any]) -> Variant:
        """The recording for such arguments, made without a trace in variables if need be."""
        for variant in self._by_kind.get(given.kind, ()):
            if variant.captures.hold() and not variant.captures.arrays:
                return variant
        variant = self.tried(given, python, roots)
        self._add(given.kind, variant, "")
        return variant

    def tried(self, given: Arguments, python: Callable[..., Any], roots: Sequence[Any]) -> Variant:
        """A recording that is not kept for calls, made without a trace in variables."""
        before = seeds.snapshot()
        try:
            with self.graph_for(given):
                variant, _ = leaving_no_trace(
                    lambda: self._recorded(Trace(), given, python, Captures(*roots))
                )
        finally:
            seeds.rewind(before)
        return variant

    def _run_python(
        self,
        given: Arguments,
        python: Callable[..., Any],
        roots: Sequence[Any],
        why: str,
        attempts: Attempts,
    ) -> Any:
        """Run the Python, and keep a recording of what it did if it can stand for it."""
        self.python_calls += 1

        def run() -> Any:
            with attempts.another(), self._graph_of_python(given):
                return self._python_recorded(given, python, roots, why)

        return all_or_nothing(run)

    def _python_recorded(
        self, given: Arguments, python: Callable[..., Any], roots: Sequence[Any], why: str
    ) -> Any:
        kind = given.kind
        if kind in self._refused or sum(1 for _ in self) >= MOST_VARIANTS:
            return returned_by(given.passed_to, python)
        before, trace = Captures(*roots, *given.objects, reads_arrays=True), Trace()
        if before.refused is not None and not before.calls_python:
            self._refuse(kind, before.refused)
            return returned_by(given.passed_to, python)
        variant, returned = self._recorded(trace, given, python, before)
        apart = trace.called_anew()
        if apart:
            variant.captures = Captures(*roots, *given.objects, apart=apart, reads_arrays=True)
        captures = variant.captures
        refused = captures.refused or trace.refused or trace.caught or before.difference(captures)
        if refused is None and given.changed():
            refused = "it changes its arguments"
        if refused is None:
            self._add(kind, variant, why)
        else:
            self._refuse(kind, refused)
        for each in given.objects:
            with suppress(TypeError):  # not all objects can be followed
                weakref.finalize(each, _forget, weakref.ref(self), kind)
        return returned

    def _recorded(
        self, trace: Trace, given: Arguments, python: Callable[..., Any], captures: Captures
    ) -> tuple[Variant, Any]:
        """Run the Python under a trace: the recording, and what it returned."""
        trace.as_before = captures.hold
        arrays = [array for ref in captures.arrays if (array := ref()) is not None]
        with recorders.following(trace), captured(arrays, trace):
            tensors = [trace.argument(x) for x in given.tensors]
            run = partial(given.passed_to, python, tensors)
            returned = observed(trace, run) if captures.makes_generators else run()
            results = Results(returned)
            results.tensors[:] = [trace.own(x) for x in results.tensors]
            record = trace.finisher(self.name, results.tensors)
            found = [trace.result(x) for x in results.tensors]
        variant = Variant(record, trace.courses(), results.pack, captures, self._compiled)
        variant.arguments, variant.draws = given.described(), trace.draws()
        return variant, results.pack(independent(found))

    def _compiled(self, made: Recording) -> Program:
        program = self._compile(made)
        self._programs.add(program)
        return program

    def _add(self, kind: Any, variant: Variant, why: str) -> None:
        with self._lock:
            why = why or self._why(kind)
            variant.why = why
            tell(f"recorded {self.name}, {why}")
            self._by_kind.setdefault(kind, []).insert(0, variant)
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

    def _refuse(self, kind: Any, why: str) -> None:
        """Do not record again what cannot be replayed, once it has been tried twice."""
        self._tries[kind] += 1
        if self._tries[kind] == 2:
            self._refused[kind] = why
            self._tell(f"runs its Python at every call: {why}.")

    def _tell(self, what: str) -> None:
        if settings.verbosity > 0:
            warn(f"tf.function {self.name} {what}")


def _forget(variants: weakref.ref[Variants], kind: Any) -> None:
    """Drop the recordings for an object that was freed."""
    alive = variants()
    if alive is not None:
        gone = alive._by_kind.pop(kind, ())
        alive.entries = ()
        alive._tries.pop(kind, None)
        alive._refused.pop(kind, None)
        alive._replays += sum(variant.calls for variant in gone)


def _drop(variants: weakref.ref[Variants], kind: Any, variant: weakref.ref[Variant]) -> None:
    """Drop a recording of which something is gone that it cannot do without."""
    alive, gone = variants(), variant()
    if alive is not None and gone is not None and gone in alive._by_kind.get(kind, ()):
        alive._by_kind[kind] = [each for each in alive._by_kind[kind] if each is not gone]
        alive.entries = ()
        alive._replays += gone.calls


def _other(
    found: Sequence[Variant], variant: Variant, change: Changed, tried: set[int]
) -> Variant | None:
    """A variant whose Python went the same way up to this guard, and then the other way."""
    guards = variant.serves().guards
    for other in found:
        if id(other) in tried or not other.captures.hold():
            continue
        if variant.serves() is not variant.recording or other.serves() is not other.recording:
            return other  # loops take the place of guards: whether it goes this way must be tried
        theirs = other.recording.guards
        if len(theirs) <= change.position:
            continue
        pairs = zip(guards[: change.position + 1], theirs, strict=False)
        if any(mine.look != yours.look for mine, yours in pairs):
            continue
        before = zip(guards[: change.position], theirs, strict=False)
        same_way = all(mine.holds(yours.found) for mine, yours in before)
        if same_way and theirs[change.position].holds(change.found):
            return other
    return None


def _difference(variant: Variant, change: Changed) -> str:
    """The value that Python would see now, and the value when the variant was recorded."""
    was = variant.serves().guards[change.position].found
    return f"{Constant(was)!r}, and would see {Constant(change.found)!r}"


def is_watched() -> bool:
    """Whether somebody on this thread wants to see each op: then the Python is to run."""
    return any(isinstance(x, recorders.Follower) for x in listeners())
