"""A recording as one entry on a tape, whose gradient is a recording too.

The first time that a tape listens, all values that were computed are kept. When the gradient is
asked for, the rules of all steps run once, under a trace: what they do is the backward recording.
From then on only those values are kept which it takes. It is called as any recording is, on inputs,
values from within the forward one, and upstream gradients; that is how a gradient is recorded by a
tape, and differentiated again. For tapes the values from within are results of the forward call: so
the gradients that second derivatives bring to them arrive there together with all others, and a
gradient function that somebody wrote is asked once, with the sum, whether it is linear or not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..derivatives.custom import ToldGradient, UserGradient
from ..engine import recorders
from ..engine.committing import commit
from ..engine.computed_once import computed_once
from ..engine.device_values import on_host
from ..engine.gradient_plan import Plan
from ..engine.indexed_slices import GradientRows
from ..engine.record_calls import begin, enter, enter_results
from ..engine.recorders import Recorder, active, join, next_number
from ..engine.tensor import Tensor, as_wrapped, wrap, wrap_held
from ..engine.transactions import Holding, all_or_nothing, leaving_no_trace
from ..ops.random.state import seeds
from .captures import Captures
from .gradient_steps import gradient_steps, parts_of, reached
from .numpy.engine import Changed, interpret
from .on_tape import Values
from .recording import Recording

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ..engine.device_values import Held
    from ..engine.gradient_plan import Parts
    from ..engine.tensor import Array
    from .engines import Program


MOST_BACKWARDS = 16
"""How many recordings of gradients are kept of one recording, for each set of arguments with tapes.

Each number of turns of a loop may have one of its own, where the rules look at values."""


class Saved(NamedTuple):
    """The values that an entry on a tape keeps: its inputs, as tapes know them, and some results.

    ``number`` is the entry's own, by which tapes know what comes from within.
    """

    number: int
    inputs: Sequence[Tensor]
    values: Values

    def within(self, numbers: Iterable[int]) -> dict[int, Tensor]:
        """Values from within as tensors, known to the tapes that record the call."""
        tensors = {n: wrap(self.values[n]) for n in numbers}
        tapes = dict.fromkeys([r for x in self.inputs for r in active(x._recorder)])
        _connect(tensors.items(), self.number, tapes)
        return tensors


class Differentiable:
    """A recording that can be called on tensors while tapes listen."""

    def __init__(self, made: Recording, compile: Callable[[Recording], Program]) -> None:
        self.recording = made
        self.compile = compile
        self.takes = made.takes
        self.gives = made.gives
        self._calls: dict[tuple[int, ...], CalledRecording] = {}

    @computed_once
    def program(self) -> Program:
        """The program for calls without a tape; made when it is first needed."""
        return self.compile(self.recording)

    def __call__(self, tensors: Sequence[Tensor]) -> tuple[list[Tensor], list[Array]]:
        """The results, and the new values of variables, for the inputs and what variables hold.

        Raises ``Changed`` if a guard does not hold; nothing has happened then.
        """
        arrays = [x._array for x in tensors]
        trackers = [active(x._recorder) for x in tensors]
        if not any(trackers):
            results, values = self.program(arrays)
            return [wrap_held(x) for x in results], values
        positions = tuple([i for i, each in enumerate(trackers) if each])
        call = self._calls.get(positions)
        if call is None:
            call = self._calls[positions] = CalledRecording(self, positions)
        return call(tensors, arrays, trackers)


class CalledRecording:
    """A recording called with tapes that know the inputs at these positions."""

    def __init__(self, of: Differentiable, positions: tuple[int, ...]) -> None:
        self.of = of
        self.recording = of.recording
        self.flows, self.depends = reached(of.recording, {of.takes[i] for i in positions})
        self.has_user_rule = any([step.op.has_user_rule for step in of.recording.calls])
        self._keeping: tuple[tuple[int, ...], Program] | None = None  # changed by other threads too
        self._backwards: list[tuple[object, Backward]] = []  # by their kinds, the latest first
        self._plans: dict[tuple[int, ...], FunctionPlan] = {}

    def __call__(
        self, tensors: Sequence[Tensor], arrays: Sequence[Array], trackers: Sequence[Any]
    ) -> tuple[list[Tensor], list[Array]]:
        results, assigned, values = self._run(arrays)
        outputs = [wrap(x) for x in results]
        listeners = dict.fromkeys([r for each in trackers for r in each])
        pairs = [*zip(self.recording.results, outputs, strict=True)]
        connected = [(ref, x) for ref, x in pairs if isinstance(ref, int) and ref in self.flows]
        for ref, output in pairs:
            if ref in self.depends and ref not in self.flows:
                begin(output, listeners)
        if connected:
            saved = Saved(next_number(), tensors, values)
            for recorder in listeners:
                tracked = tuple([i for i, each in enumerate(trackers) if recorder in each])
                numbers = tuple([tensors[i]._number for i in tracked])
                enter(recorder, self._plan(tracked), numbers, saved.number, saved)
            _connect(connected, saved.number, listeners)
        return outputs, assigned

    def _run(self, arrays: Sequence[Array]) -> tuple[list[Array], list[Array], Values]:
        """The results, the new values of variables, and the values that are to be kept."""
        keeping = self._keeping
        if keeping is None:
            values = interpret(self.recording, dict(zip(self.of.takes, arrays, strict=True)))
            found = [values[ref] if isinstance(ref, int) else ref.value for ref in self.of.gives]
            count = len(self.recording.results)
            return found[:count], found[count:], values
        kept, program = keeping
        found, assigned = program(arrays)
        results = [on_host(x) for x in found]
        count = len(self.recording.results)
        return results[:count], assigned, dict(zip(kept, results[count:], strict=True))

    def _plan(self, tracked: tuple[int, ...]) -> FunctionPlan:
        if tracked not in self._plans:
            self._plans[tracked] = FunctionPlan(self, tracked)
        return self._plans[tracked]

    def gradients(
        self, wanted: tuple[int, ...], upstream: dict[int, Array], saved: Saved
    ) -> list[Any]:
        """The gradients of inputs at these positions, for those of some values by number."""
        known = self._known(saved)
        for backward in self._fitting(wanted, upstream):
            try:
                return backward.run(self._completed(known, backward.kept), upstream)
            except Changed:
                continue
        known = self._completed(known, None)
        return all_or_nothing(lambda: self._new(wanted, upstream, known)).first

    def recorded(
        self, wanted: tuple[int, ...], upstream: dict[int, Tensor], saved: Saved
    ) -> list[Any]:
        """The same as tensors, where tapes hear how they are computed."""
        known, arrays = self._known(saved), {n: g._array for n, g in upstream.items()}
        for backward in self._fitting(wanted, arrays):
            try:
                return self._called(backward, upstream, saved, known)
            except Changed:
                continue
        before, known = seeds.snapshot(), self._completed(known, None)
        backward = leaving_no_trace(lambda: self._new(wanted, arrays, known))
        seeds.rewind(before)
        return self._called(backward, upstream, saved, known)

    def _called(
        self, backward: Backward, upstream: dict[int, Tensor], saved: Saved, known: Values
    ) -> list[Any]:
        """The gradients by calling the backward recording on what the tapes know."""
        saved = saved._replace(values=self._completed(known, backward.kept))
        inputs = dict(zip(self.of.takes, saved.inputs, strict=True))
        inner = [n for n in backward.kept if n not in inputs]
        flowing = saved.within([n for n in inner if n in self.flows])
        constant = {n: wrap(saved.values[n]) for n in inner if n not in flowing}
        return backward.called(inputs | flowing | constant, upstream)

    def _known(self, saved: Saved) -> Values:
        arrays = [x._array for x in saved.inputs]
        return dict(zip(self.of.takes, arrays, strict=True)) | saved.values

    def _fitting(self, wanted: tuple[int, ...], upstream: dict[int, Array]) -> list[Backward]:
        """The backward recordings for gradients of this kind that may stand for the rules."""
        kind = _kind(wanted, upstream)
        return [backward for k, backward in self._backwards if k == kind and backward.holds()]

    def _new(self, wanted: tuple[int, ...], upstream: dict[int, Array], known: Values) -> Backward:
        backward = Backward(self.of, known, wanted, upstream)
        self._backwards.insert(0, (_kind(wanted, upstream), backward))
        del self._backwards[MOST_BACKWARDS:]
        self._keep(backward.kept)
        return backward

    def _completed(self, known: Values, needed: Sequence[int] | None) -> Values:
        """These values, and if any are missing of those needed, all that follow from them."""
        if needed is not None and all([n in known for n in needed]):
            return known
        return interpret(self.recording, known, again=True)

    def _keep(self, numbers: Sequence[int]) -> None:
        """Keep these values too when the recording runs."""
        effects = [n for step in self.recording.calls if step.op.effects for n in step.outputs]
        before = () if self._keeping is None else self._keeping[0]
        fresh = {*before, *numbers, *effects} - {*self.of.takes}
        if self._keeping is None or fresh != {*before}:
            kept = tuple(sorted(fresh))
            made = replace(self.recording, results=(*self.recording.results, *kept))
            self._keeping = kept, self.of.compile(made)


class Backward:
    """The gradients of some inputs as a recording on values of the forward one."""

    def __init__(
        self, of: Differentiable, values: Values, wanted: tuple[int, ...], upstream: dict[int, Any]
    ) -> None:
        sources = [of.takes[i] for i in wanted]
        found = gradient_steps(of.recording, of.takes, values, sources, upstream.items())
        made, self.kept = found.made, found.kept
        self._assigned = [variable for variable, _ in made.assigns]
        self._hold = Holding(self._assigned)
        self._captures = Captures(*_gradient_functions(of.recording))
        self.refused = found.refused or self._captures.refused
        self._forms = [_form(g) for g in found.gradients]
        flat = [x._array for g in found.gradients for x in parts_of(g)]
        self.first = self._packed(flat)
        self._callable = Differentiable(
            replace(made, inputs=(*self.kept, *made.inputs)), of.compile
        )

    def holds(self) -> bool:
        """Whether it can stand for the rules, gradient functions of people's included."""
        return self.refused is None and self._captures.hold()

    def run(self, values: Values, upstream: dict[int, Array]) -> list[Any]:
        """The gradients; if gradient functions assign variables, that takes effect."""
        given = [values[n] for n in self.kept]

        def run() -> list[Held]:
            read = [variable._array for variable, _ in self._callable.recording.reads]
            found, assigned = self._callable.program([*given, *upstream.values(), *read])
            commit(self._assigned, assigned)
            return found

        return self._packed([on_host(x) for x in self._hold.call(run)])

    def called(self, values: dict[int, Tensor], upstream: dict[int, Tensor]) -> list[Any]:
        """The same on tensors, where tapes listen."""
        given = [values[n] for n in self.kept]

        def run() -> list[Tensor]:
            with recorders.unless_in_vain():
                read = [variable._read() for variable, _ in self._callable.recording.reads]
                results, assigned = self._callable([*given, *upstream.values(), *read])
            commit(self._assigned, assigned)
            return results

        return self._packed(self._hold.call(run))

    def _packed(self, flat: Sequence[Any]) -> list[Any]:
        """The gradients as the sweep takes them: None, an array or tensor, or rows."""
        given = iter(flat)
        return [form(given) for form in self._forms]


class FunctionPlan(Plan):
    """How a called recording is differentiated, for a tape that knows the inputs at ``tracked``."""

    __slots__ = ("call",)

    def __init__(self, call: CalledRecording, tracked: tuple[int, ...]) -> None:
        self.call, self.tracked = call, tracked
        self.op: Any = None
        self.takes_rows, self.has_user_rule = True, call.has_user_rule
        self.pull, self.traced = self._pull, self._traced

    def restore_tensors(
        self, saved: object, inputs: object, output: int, recorder: Recorder
    ) -> object:
        return saved

    def _pull(self, g: Parts, saved: Saved, wanted: Sequence[bool] | None = None) -> list[Any]:
        positions = self._positions(wanted)
        return self._spread(positions, self.call.gradients(positions, _dense(g), saved))

    def _traced(self, g: Parts, saved: Saved, wanted: Sequence[bool] | None = None) -> list[Any]:
        positions = self._positions(wanted)
        upstream = {n: as_wrapped(d) for n, d in _dense(g).items()}
        return self._spread(positions, self.call.recorded(positions, upstream, saved))

    def _positions(self, wanted: Sequence[bool] | None) -> tuple[int, ...]:
        """The positions of the inputs whose gradients are wanted."""
        return tuple([i for k, i in enumerate(self.tracked) if wanted is None or wanted[k]])

    def _spread(self, positions: tuple[int, ...], gradients: Sequence[Any]) -> list[Any]:
        found = dict(zip(positions, gradients, strict=True))
        return [found.get(i) for i in self.tracked]


def _connect(values: Iterable[tuple[int, Tensor]], entry: int, tapes: Iterable[Recorder]) -> None:
    """Let tapes know these tensors as values of the call that this entry of theirs stands for."""
    tapes, values = [*tapes], [*values]
    for _, tensor in values:
        tensor._recorder, tensor._number = join(tapes), next_number()
    enter_results(tapes, entry, values)


def _dense(g: Parts) -> dict[int, Any]:
    """The gradients of values by their numbers, in order."""
    return {n: d.dense() if type(d) is GradientRows else d for n, d in sorted(g.items())}


def _kind(wanted: tuple[int, ...], upstream: dict[int, Array]) -> object:
    """Of what kind gradients are: one backward recording serves those of one kind."""
    return wanted, *[(n, g.dtype, g.shape) for n, g in upstream.items()]


def _gradient_functions(made: Recording) -> list[Any]:
    """The functions that `custom_gradient` was given, whose code is in the backward recording."""
    backwards = [s.attrs["backward"] for s in made.calls if s.op is ToldGradient]
    return [each.function for each in backwards if isinstance(each, UserGradient)]


def _form(gradient: object) -> Callable[[Any], Any]:
    """How to build such a gradient of what it is made of."""
    if gradient is None:
        return lambda given: None
    if type(gradient) is GradientRows:
        count, shape = len(gradient.pieces), gradient.shape
        return lambda given: GradientRows([(next(given), next(given)) for _ in range(count)], shape)
    return next
