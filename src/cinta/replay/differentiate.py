"""A recording as one entry on a tape, whose gradient is a recording too.

The first time that a tape listens, all values that were computed are kept. When the gradient is
asked for, the rules of all steps run once, under a trace: what they do is the backward recording.
From then on only those values are kept which it takes. The forward and the backward steps together
are a recording as well, of the gradient as a function of inputs and upstream gradients; that is how
a gradient is recorded by a tape, differentiated again, and compiled again.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ..derivatives.custom import ToldGradient, UserGradient
from ..dtypes import is_differentiable
from ..engine import recording
from ..engine.indexed_slices import Rows
from ..engine.journal import note
from ..engine.marking import begin, mark
from ..engine.plan import Plan
from ..engine.recording import Recorder, active, next_number
from ..engine.sweep import sweep
from ..engine.tensor import Tensor, as_wrapped, wrap
from .captures import Captures
from .hearing import Values, played
from .numpy_engine import Changed, interpret
from .passes import simplified
from .recording import Recording, Step, uses
from .trace import Trace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.plan import Parts
    from ..engine.tensor import Array
    from .engines import Program


class Saved(NamedTuple):
    """What an entry on a tape keeps: the inputs as the tapes know them, and some values."""

    inputs: Sequence[Tensor]
    values: Values


class Differentiable:
    """A recording that can be called on tensors while tapes listen."""

    def __init__(self, made: Recording, compile: Callable[[Recording], Program]) -> None:
        self.recording = made
        self.compile = compile
        self.inputs = (*made.inputs, *[number for _, number in made.reads])
        self.ends = (*made.results, *[ref for _, ref in made.assigns])
        self._calls: dict[tuple[int, ...], CalledRecording] = {}

    @cached_property
    def program(self) -> Program:
        """What runs where no tape listens; made when it is first needed, as recording is no run."""
        return self.compile(self.recording)

    def __call__(self, tensors: Sequence[Tensor]) -> tuple[list[Tensor], list[Array]]:
        """The results, and the new values of variables, for the inputs and what variables hold.

        Raises ``Changed`` if a guard does not hold; nothing has happened then.
        """
        arrays = [x._array for x in tensors]
        heard = [active(x._recorder) for x in tensors]
        if not any(heard):
            results, values = self.program(arrays)
            return [wrap(x) for x in results], values
        positions = tuple([i for i, each in enumerate(heard) if each])
        call = self._calls.get(positions)
        if call is None:
            call = self._calls[positions] = CalledRecording(self, positions)
        return call(tensors, arrays, heard)


class CalledRecording:
    """A recording called with tapes that know the inputs at these positions."""

    def __init__(self, of: Differentiable, positions: tuple[int, ...]) -> None:
        self.of = of
        self.recording = of.recording
        self.flows, self.depends = _reached(of.recording, {of.inputs[i] for i in positions})
        self._program: Program | None = None
        self._kept: tuple[int, ...] = ()
        self._backwards: dict[Any, list[Backward]] = {}
        self._plans: dict[tuple[int, ...], FunctionPlan] = {}

    def __call__(
        self, tensors: Sequence[Tensor], arrays: Sequence[Array], heard: Sequence[Any]
    ) -> tuple[list[Tensor], list[Array]]:
        results, assigned, values = self._run(arrays)
        outputs = [wrap(x) for x in results]
        recorders = dict.fromkeys([r for each in heard for r in each])
        connected: dict[int, Tensor] = {}
        for i, ref in enumerate(self.recording.results):
            if ref in self.flows:
                outputs[i] = connected.setdefault(ref, outputs[i])
            elif ref in self.depends:
                begin(outputs[i], recorders)
        if connected:
            number, saved = next_number(), Saved(tensors, values)
            for recorder in recorders:
                tracked = tuple([i for i, each in enumerate(heard) if recorder in each])
                numbers = tuple([tensors[i]._number for i in tracked])
                plan = self._plan(tracked, tuple(connected))
                recorder.append((plan, numbers, number, saved))
            mark(tuple(connected.values()), number, [*recorders])
        return outputs, assigned

    def _run(self, arrays: Sequence[Array]) -> tuple[list[Array], list[Array], Values]:
        """The results, the new values of variables, and the values that are to be kept."""
        if self._program is None:
            values = interpret(self.recording, dict(zip(self.of.inputs, arrays, strict=True)))
            found = [values[ref] if isinstance(ref, int) else ref.value for ref in self.of.ends]
            count = len(self.recording.results)
            return found[:count], found[count:], values
        results, assigned = self._program(arrays)
        count = len(self.recording.results)
        return results[:count], assigned, dict(zip(self._kept, results[count:], strict=True))

    def _plan(self, tracked: tuple[int, ...], results: tuple[int, ...]) -> FunctionPlan:
        if tracked not in self._plans:
            self._plans[tracked] = FunctionPlan(self, tracked, results)
        return self._plans[tracked]

    def backward(
        self, wanted: tuple[int, ...], upstream: dict[int, Array], saved: Saved
    ) -> tuple[Backward, list[Array]]:
        """The gradients of inputs at these positions, for those of some results by number."""
        key = wanted, *[(n, g.dtype, g.shape) for n, g in upstream.items()]
        arrays = [x._array for x in saved.inputs]
        known = dict(zip(self.of.inputs, arrays, strict=True)) | saved.values
        for backward in self._backwards.setdefault(key, []):
            if not backward.holds():
                continue
            try:
                return backward, backward.run(self._completed(known, backward.kept), upstream)
            except Changed:
                continue
        known = self._completed(known, None)
        backward = Backward(self.of, known, wanted, upstream)
        self._backwards[key].append(backward)
        self._keep(backward.kept)
        return backward, backward.first

    def _completed(self, known: Values, needed: Sequence[int] | None) -> Values:
        """These values, and if any are missing of those needed, all that follow from them."""
        if needed is not None and all([n in known for n in needed]):
            return known
        return interpret(self.recording, known, again=True)

    def _keep(self, numbers: Sequence[int]) -> None:
        """Keep these values too when the recording runs."""
        effects = [n for step in self.recording.calls if step.op.effects for n in step.outputs]
        fresh = {*self._kept, *numbers, *effects} - {*self.of.inputs}
        if self._program is None or fresh != {*self._kept}:
            self._kept = tuple(sorted(fresh))
            results = (*self.recording.results, *self._kept)
            self._program = self.of.compile(replace(self.recording, results=results))


class Backward:
    """The gradients of some inputs as a recording on values of the forward one."""

    def __init__(
        self, of: Differentiable, values: Values, wanted: tuple[int, ...], upstream: dict[int, Any]
    ) -> None:
        forward = of.recording
        sources = [of.inputs[i] for i in wanted]
        with recording.paused():
            trace, tape = Trace(), Recorder(watch_accessed=False)
            with recording.following(trace):
                tensors = played(forward, of.inputs, values, sources, trace, tape)
                arriving = [trace.argument(wrap(g)) for g in upstream.values()]
                # a variable that was read again is known to the tape by its own number
                numbers = [forward.rereads.get(n, n) for n in upstream]
                found = sweep(tape, zip(numbers, arriving, strict=True), set(sources), keep=False)
                del tensors
                gradients = [found.get(n) for n in sources]
                flat = [x for g in gradients for x in _flat(g)]
                self.first = [x._array for x in flat]
                made = trace.finisher(f"gradient of {forward.name}", flat)()
        self.refused = trace.refused
        self._captures = Captures(*_gradient_functions(forward))
        made = simplified(replace(made, specs=forward.specs | made.specs))
        arriving_numbers = made.inputs
        needed = {n for step in made.steps for n in uses(step)} | {*made.ends}
        self.kept = tuple(sorted(needed & forward.specs.keys() - {*made.inputs}))
        self.forms = [_form(g) for g in gradients]
        self.recording = replace(made, inputs=(*self.kept, *arriving_numbers))
        self._run = of.compile(self.recording)
        self.drawn = drawn(forward)
        whole = replace(
            made,
            inputs=(*of.inputs, *self.drawn, *arriving_numbers),
            steps=(*[s for s in forward.calls if not _is_drawn(s)], *made.steps),
            rereads=forward.rereads | made.rereads,
        )
        self.whole = Differentiable(simplified(whole), of.compile)

    def holds(self) -> bool:
        """Whether it can stand for the rules, gradient functions of people's included."""
        return self.refused is None and self._captures.hold()

    def run(self, values: Values, upstream: dict[int, Array]) -> list[Array]:
        """The gradients; if gradient functions assign variables, that takes effect."""
        given = [values[n] for n in self.kept]
        read = [variable._array for variable, _ in self.recording.reads]
        results, assigned = self._run([*given, *upstream.values(), *read])
        for (variable, _), value in zip(self.recording.assigns, assigned, strict=True):
            note(variable)
            variable._hold(value)
        return results

    def packed(self, flat: Sequence[Any]) -> list[Any]:
        """The gradients as the sweep takes them: None, an array or tensor, or rows."""
        given = iter(flat)
        return [form(given) for form in self.forms]


class FunctionPlan(Plan):
    """How a called recording is differentiated, for a tape that knows the inputs at ``tracked``."""

    __slots__ = ("call", "results")

    def __init__(
        self, call: CalledRecording, tracked: tuple[int, ...], results: tuple[int, ...]
    ) -> None:
        self.call, self.tracked, self.results = call, tracked, results
        self.op: Any = None
        self.takes_rows = True
        self.pull, self.traced = self._pull, self._traced

    def lift(self, saved: Any, inputs: Any, output: int, recorder: Recorder) -> Any:
        return saved

    def _asked(self, g: Parts, wanted: Sequence[bool] | None) -> tuple[tuple[int, ...], Any]:
        """The positions whose gradients are wanted, and the gradients of results by number."""
        positions = [i for k, i in enumerate(self.tracked) if wanted is None or wanted[k]]
        upstream = {self.results[k]: d.dense() if type(d) is Rows else d for k, d in g.items()}
        return tuple(positions), dict(sorted(upstream.items()))

    def _spread(self, positions: tuple[int, ...], gradients: Sequence[Any]) -> list[Any]:
        found = dict(zip(positions, gradients, strict=True))
        return [found.get(i) for i in self.tracked]

    def _pull(self, g: Parts, saved: Saved, wanted: Sequence[bool] | None = None) -> list[Any]:
        positions, upstream = self._asked(g, wanted)
        backward, flat = self.call.backward(positions, upstream, saved)
        return self._spread(positions, backward.packed(flat))

    def _traced(self, g: Parts, saved: Saved, wanted: Sequence[bool] | None = None) -> list[Any]:
        positions, upstream = self._asked(g, wanted)
        tensors = {n: as_wrapped(d) for n, d in upstream.items()}
        arrays = {n: d._array for n, d in tensors.items()}
        backward, _ = self.call.backward(positions, arrays, saved)
        read = [variable.__tf_tensor__() for variable, _ in backward.recording.reads]
        drawn = [wrap(saved.values[n]) for n in backward.drawn]
        flat, _ = backward.whole([*saved.inputs, *drawn, *tensors.values(), *read])
        return self._spread(positions, backward.packed(flat))


def drawn(made: Recording) -> list[int]:
    """The values that another run of a recording would not give again."""
    return [n for step in made.calls if _is_drawn(step) for n in step.outputs]


def _is_drawn(step: Step) -> bool:
    return step.op.effects and step.op.differentiable is False


def _gradient_functions(made: Recording) -> list[Any]:
    """The functions that `custom_gradient` was given, whose code is in the backward recording."""
    backwards = [s.attrs["backward"] for s in made.calls if s.op is ToldGradient]
    return [each.function for each in backwards if isinstance(each, UserGradient)]


def _reached(made: Recording, sources: set[int]) -> tuple[set[int], set[int]]:
    """The values through which a gradient can flow to the sources, and all that depend on them."""
    sources = sources | {n for n, first in made.rereads.items() if first in sources}
    flows = {n for n in sources if is_differentiable(made.specs[n].dtype)}
    depends = set(sources)
    for step in made.calls:
        used = uses(step)
        floating = [n for n in step.outputs if is_differentiable(made.specs[n].dtype)]
        if not depends.isdisjoint(used):
            depends.update(floating)
        tracked = [i for i, ref in enumerate(step.inputs) if ref in flows]
        if tracked and step.op.passes_gradients(tracked):
            flows.update(floating)
    return flows, depends


def _flat(gradient: Any) -> list[Any]:
    """The tensors that a gradient is made of."""
    if gradient is None:
        return []
    if type(gradient) is Rows:
        return [as_wrapped(x) for piece in gradient.pieces for x in piece]
    return [as_wrapped(gradient)]


def _form(gradient: Any) -> Callable[[Any], Any]:
    """How to build such a gradient of what it is made of."""
    if gradient is None:
        return lambda given: None
    if type(gradient) is Rows:
        count, shape = len(gradient.pieces), gradient.shape
        return lambda given: Rows([(next(given), next(given)) for _ in range(count)], shape)
    return next
