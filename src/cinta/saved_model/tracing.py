"""Record functions for a saved model, and the gradients in them that people wrote."""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import nest
from ..derivatives.custom import ToldGradient, UserGradient
from ..engine import recorders
from ..engine.convert import as_tensor, is_tensor
from ..engine.tensor import Tensor
from ..engine.transactions import leaving_no_trace
from ..ops.random import op_numbering
from ..ops.random.state import seeds
from ..replay.argument_structures import Arguments, Results
from ..replay.captures import Captures
from ..replay.examples import KINDS, example
from ..replay.exploring import Endless, LimitedTrace, on_all_ways
from ..replay.loops.code_positions import Frames
from ..replay.loops.way import Way, has_gradients
from ..replay.passes import simplified
from ..replay.recording import Spec, Step
from ..replay.size_sums import as_constants
from ..replay.trace import Trace
from .custom_gradients import RecordedGradient, SavedGradient, UnsavedGradient
from .plain_structures import Argument, CannotBeSaved, Result, template
from .size_formulas import is_same

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..engine.made_up import MadeUpLengths
    from ..replay.recording import Recording, Ref


class Traced(NamedTuple):
    """A recording, the structure of what the function returned, and the tensors in it."""

    recording: Recording
    returned: object
    outputs: tuple[Argument, ...]


class Run(NamedTuple):
    """One run of a function: the way that its Python went, and what it returned."""

    way: Way
    returned: object

    def traced(self, made: Recording) -> Traced:
        """A recording of this way, and perhaps of others, for what it returned."""
        return Traced(as_constants(simplified(made)), self.returned, outputs_of(made))


def traced(
    python: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    made_up: MadeUpLengths | None = None,
) -> Traced:
    """The recording of the function for these arguments; variables keep their values."""
    try:
        found = run(python, args, kwargs, made_up=made_up)
    except Endless:
        raise CannotBeSaved("it has a loop that does not end for made up values") from None
    return found.traced(found.way.made)


def run(
    python: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    roots: Sequence[object] = (),
    new_trace: Callable[[], Trace] = LimitedTrace,
    made_up: MadeUpLengths | None = None,
) -> Run:
    """Run the function for these arguments; variables keep their values.

    ``made_up`` has the lengths that values would decide, if those of the arguments are made up.
    With its ``roots``, the functions and objects from which all is in reach to which Python
    refers, the way tells in which states Python stood where it looked at values.
    """
    given = Arguments((), tuple(args), kwargs)

    def call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return python(*args, **kwargs)

    def record() -> tuple[Trace, Any, Results, Recording]:
        trace = new_trace()
        trace.made_up = made_up
        if roots:
            captures = Captures(*roots, *given.objects)
            if captures.refused is None:
                trace.as_before = captures.hold
                trace.frames = Frames(sys._getframe(), captures.knows)
        with recorders.paused(), recorders.following(trace):
            inside = [trace.argument(x) for x in given.tensors]
            returned = op_numbering.run_in(op_numbering.of_call(), given.passed_to, call, inside)
            results = Results(returned)
            return trace, returned, results, trace.finisher("function", results.tensors)()

    for attempt in range(2):
        before = seeds.snapshot()
        try:
            trace, returned, results, made = leaving_no_trace(record)
        finally:
            seeds.rewind(before)
        if trace.refused is None:
            way = Way(made, trace.looks, results.kind)
            return Run(way, with_places(returned, results.tensors))
        if attempt:  # the first one may have made the variables
            raise CannotBeSaved(trace.refused)
    raise AssertionError("the second attempt returns or raises")


def traced_on_all_ways(run_by: Callable[[Callable[[], Trace], str], Run]) -> Traced:
    """One recording of all ways of a function; ``CannotBeSaved`` if there is none.

    ``run_by`` runs it under such a trace, for examples of such a kind.
    """
    tried = [_unless_it_fails(run_by, LimitedTrace, kind) for kind in KINDS]
    runs = [each for each in tried if each is not None]

    def led(new_trace: Callable[[], Trace]) -> Way | None:
        found = _unless_it_fails(run_by, new_trace, KINDS[0])
        return None if found is None else found.way

    made = on_all_ways([each.way for each in runs], led)
    if made is None or not has_gradients(made):
        raise CannotBeSaved("its ways cannot be joined")
    return runs[0].traced(made)


def _unless_it_fails(
    run_by: Callable[[Callable[[], Trace], str], Run], new_trace: Callable[[], Trace], kind: str
) -> Run | None:
    """A run of a function for examples, which may raise an error for some."""
    try:
        return run_by(new_trace, kind)
    except (Exception, Endless):
        return None


def with_places(returned: object, tensors: Sequence[Tensor]) -> object:
    """The structure of what was returned, where these are its tensors."""
    places: dict[int, deque[Result]] = {}  # of a tensor that was returned twice, in order
    for i, tensor in enumerate(tensors):
        places.setdefault(id(tensor), deque()).append(Result(i))
    return template(returned, lambda tensor: places[id(tensor)].popleft())


# -- gradients of one's own ------------------------------------------------------------------------


def with_gradients_recorded(made: Recording, wanted: bool) -> Recording:
    """The recording with gradient functions in Python replaced by recordings of them."""
    steps = []
    for step in made.steps:
        if isinstance(step, Step) and step.op is ToldGradient:
            step = step._replace(attrs={**step.attrs, "backward": _saved(step, made, wanted)})
        if isinstance(step, Step):
            _check_calls_nothing(step)
        steps.append(step)
    return replace(made, steps=tuple(steps))


def _check_calls_nothing(step: Step) -> None:
    for value in step.attrs.values():
        if callable(value):
            raise CannotBeSaved(
                f"{step.op.name} calls {value!r}, which is Python, and no file can hold Python"
            )


def _saved(step: Step, made: Recording, wanted: bool) -> SavedGradient | UnsavedGradient:
    backward = step.attrs["backward"]
    if isinstance(backward, (SavedGradient, UnsavedGradient)):
        return backward
    if not wanted:
        return UnsavedGradient()
    count = sum(step.attrs["counts"])
    enclosed = [_spec(ref, made) for ref in step.inputs[count:]]
    upstream = [made.specs[number] for number in step.outputs]
    return recorded_gradient(backward, enclosed, upstream)


def recorded_gradient(
    backward: UserGradient, enclosed: Sequence[Spec], upstream: Sequence[Spec]
) -> SavedGradient:
    """A gradient function as recordings of what it encloses and of the gradients of results."""

    def gradients(*tensors: Tensor) -> list[Any]:
        found = backward.enclosing(tensors[: len(enclosed)])(*tensors[len(enclosed) :])
        return [nest.map_structure(_gradient, each) for each in found]

    ways: list[RecordedGradient] = []
    for kind in KINDS:
        made, returned, _ = traced(
            gradients, [example(s, kind) for s in (*enclosed, *upstream)], {}
        )
        ways.append(RecordedGradient(with_gradients_recorded(made, wanted=True), returned))
        if not made.guards:
            break
    return SavedGradient(tuple(_different(ways)), len(enclosed))


def _different(ways: Sequence[RecordedGradient]) -> Iterator[RecordedGradient]:
    """The ways on which Python saw different things, each once."""
    seen: list[Any] = []
    for way in ways:
        found = [guard.found for guard in way.recording.guards]
        if not any(is_same(found, others) for others in seen):
            seen.append(found)
            yield way


def _gradient(value: Tensor) -> Tensor:
    return value if value is None or is_tensor(value) else as_tensor(value)


def outputs_of(made: Recording) -> tuple[Argument, ...]:
    """The specs of the results of a recording."""
    specs = [_spec(ref, made) for ref in made.results]
    return tuple([Argument(each.dtype, each.shape, None) for each in specs])


def _spec(ref: Ref, made: Recording) -> Spec:
    return made.specs[ref] if isinstance(ref, int) else Spec.of(ref.value)
