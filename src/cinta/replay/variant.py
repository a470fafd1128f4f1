"""A variant: one recording of a function, and what runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine import recorders
from ..engine.captured_arrays import ReadCapturedArray
from ..engine.committing import commit, values_of
from ..engine.computed_once import computed_once
from ..engine.listeners import listeners
from ..engine.tensor import held, wrap_held
from ..engine.transactions import Holding, leaving_no_trace
from ..ops.random.state import NextRandomState, seeds
from .differentiate import Differentiable
from .entry import entry_to
from .loops.way import Way, has_gradients
from .loops.ways import in_one
from .loops.written_out import CallValues, in_one_with_tapes, with_tapes_as_steps
from .passes import simplified
from .recording import Constant
from .without_gc import without_gc

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from ..engine.device_values import Held
    from ..engine.tensor import Tensor
    from .calls import Call
    from .captures import Captures
    from .engines import Program
    from .entry import Entry, Layout
    from .numpy.engine import Changed
    from .recording import Recording
    from .trace import Trace


_MOST_STEPS = 100_000
"""Ways of more steps are not joined, which would take longer than a second."""
_FEW = 4
"""With so many other variants it is tried one by one, if not with all."""


class Variant:
    """One recording of a function, ready to run."""

    def __init__(
        self,
        record: Callable[[], Recording],
        trace: Trace,
        pack: Callable[[Sequence[Any]], Any],
        captures: Captures,
        compile: Callable[[Recording], Program],
    ) -> None:
        self._record, self._trace = record, trace
        self.pack = pack
        self.captures = captures
        self._compile = compile
        self._entries: dict[Layout, Entry | None] = {}
        self.general: Recording | None = None  # with loops of any number of turns, if there are
        self.is_general_for_tapes = False
        self._runners: dict[Recording, Runner] = {}
        self.arguments: object = None  # as `Arguments.described` gives them
        self.is_settled = True  # it recorded from the first on what counts in loops
        self.returned: Hashable = None  # equal for variants that return the same but for tensors
        self._others: list[Way] = []  # of other variants, which the general recording goes too
        self._values: CallValues | None = None  # of the call that was recorded, if they are of use
        self._answers: tuple[bool, ...] = ()  # of looks of rules, in the general recording
        self.why = ""  # it was recorded though there were others
        self.is_on_mesh = False
        self.draws = False  # random numbers, by streams that this function counts
        self.calls = 0

    @computed_once
    def way(self) -> Way:
        """The way of Python, put in order when it is first needed: a first call is to be quick."""
        with without_gc():
            way = vars(self)["way"] = self._put_in_order()  # an interrupt may come right behind it
            del self._record, self._trace  # with the arrays that the trace has kept
            return way

    def _put_in_order(self) -> Way:
        made, trace = self._record(), self._trace
        exact = Way(made, trace.looks, self.returned)
        notes = trace.tape_notes
        if notes is None or not notes.matter:
            return exact
        read = {variable._number: trace.arrays[n] for variable, n in made.reads}
        self._values = CallValues([trace.arrays[n] for n in made.inputs], read)
        return with_tapes_as_steps(exact, notes, self._values)

    @computed_once
    def recording(self) -> Recording:
        """The recording of this way alone."""
        with without_gc():
            if self.general is None and not self._with_tapes([self.way]):
                self._exact([self.way])
            made = vars(self)["recording"] = simplified(self.way.made)
            self._values = None  # not before: after an interrupt all this is done again
            return made

    @property
    def recordings(self) -> list[Recording]:
        """The recordings of each way that it knows, its own first."""
        return [self.recording, *[simplified(way.made) for way in self._others]]

    def joins(self, others: Sequence[Variant]) -> list[Variant] | None:
        """Serve whatever Python sees, if there is a recording of the ways of all; None if not.

        The answer are those in whose place this one is now. Where tapes are steps, some ways may
        be left to the others, in whose loops rules find something else, such as no turn at all.
        """
        with without_gc():
            if self.way.on_tapes is not None:
                for group in (others, *[[each] for each in others[:_FEW]], []):
                    if (gone := self._joins(group, self._with_tapes)) is not None:
                        return gone
            return self._joins(others, self._exact)

    def _joins(
        self, others: Sequence[Variant], join: Callable[[Sequence[Way]], bool]
    ) -> list[Variant] | None:
        ways = [self.way, *[way for other in others for way in (other.way, *other._others)]]
        if sum(len(way.made.steps) for way in ways) > _MOST_STEPS:
            return None
        if not join(ways) or not self.is_general_for_tapes:
            self.general = None
            return None
        self._others = ways[1:]
        return [each for each in others if self._answers in ((), each._answers)]

    def _exact(self, ways: Sequence[Way]) -> bool:
        """Whether there is a recording of all ways; then it is the general one."""
        return self._generalize(in_one(ways), ())

    def _with_tapes(self, ways: Sequence[Way]) -> bool:
        """The same of the ways on which tapes are steps."""
        found = None if self._values is None else in_one_with_tapes(ways, self._values)
        return found is not None and self._generalize(*found)

    def _generalize(self, general: Recording | None, answers: tuple[bool, ...]) -> bool:
        if general is None:
            return False
        self.general, self._answers = simplified(general), answers
        self.is_general_for_tapes = has_gradients(general)
        return True

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

    def run(self, call: Call) -> object:
        """The function's results for these tensors; takes effect only if every guard holds."""
        runner = self.runner
        if runner.may_call_in_vain:
            results = call.attempts.another(runner, call.given.tensors)
        else:
            results = runner(call.given.tensors)
        self.calls += 1
        return self.pack(results)

    def entry(self, call: Call) -> Entry | None:
        """The short way to this variant, for calls that are like this one and no tape records."""
        written = call.written
        if written is None or self.is_on_mesh:
            return None
        layout = written.layout
        new = layout not in self._entries and not recorders.recording()
        if new and not self.runner.has_effects and written.gives(call.given):
            self._entries[layout] = entry_to(call.given.kind, written, self)
        return self._entries.get(layout)

    def raise_in_python(self, error: Exception, call: Call) -> None:
        """Raise an error of the recording where the Python makes it, whose line it then shows.

        Nothing else comes of it. A function that has printed does not run twice.
        """
        if self.runner.may_print:
            return
        before = seeds.snapshot()

        def run() -> None:
            with recorders.paused():
                call.attempts.another(call.given.passed_to, call.python)

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
                    read = [variable._read() for variable in self.variables]
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

    def read(self) -> list[Held]:
        """The values of its variables, as its program takes them."""
        if self.callable.program.knows_devices:
            return values_of(self.variables)
        return [variable._array for variable in self.variables]

    def compute(self, values: Sequence[Held]) -> list[Tensor]:
        """The results for these values of the inputs, where no tape listens."""
        program, read = self.callable.program, self.read()
        for listener in listeners():
            for variable, value in zip(self.variables, read, strict=True):
                listener.on_read(variable, value)
        found, assigned = program([*values, *read])
        if assigned:
            commit(self.assigned, assigned)
        return [wrap_held(x) for x in found]


def other_way(
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


def difference(variant: Variant, change: Changed) -> str:
    """The value that Python would see now, and the value when the variant was recorded."""
    was = variant.serves().guards[change.position].found
    return f"{Constant(was)!r}, and would see {Constant(change.found)!r}"
