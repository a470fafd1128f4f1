"""The parts of a dataset: stages, and flows through them.

A stage is a recipe: it knows what its elements look like and how many there are. `flow()` begins
one pass over them. A flow is asked for a run of elements at a time:

    run(count)      the next elements, at most `count`, and at least one unless the end is reached
    state()         where the flow stands, as nested dicts and lists of plain values and arrays
    restore(state)  go on from there; asked of a flow that has given nothing yet

Elements are NumPy arrays and scalars, or nests of them. They become tensors where people see them,
so whatever passes through a dataset is tracked by no tape.

A run is a list of elements, or an array where the elements are numbers that are counted, drawn or
put in order: those of `range`, and the numbers of rows behind `from_tensor_slices`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from ..public import public

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..programs.specs import TypeSpec
    from .randomness import StageSeeds

INFINITE = INFINITE_CARDINALITY = public(
    "data.INFINITE_CARDINALITY", "data.experimental.INFINITE_CARDINALITY"
)(-1)
UNKNOWN = UNKNOWN_CARDINALITY = public(
    "data.UNKNOWN_CARDINALITY", "data.experimental.UNKNOWN_CARDINALITY"
)(-2)
"""The values that stand for a number of elements that is infinite or unknown."""

Specs: TypeAlias = "TypeSpec | tuple[Specs, ...] | Mapping[str, Specs]"
"""The specs of every element, as a nest."""

Element: TypeAlias = Any
Run: TypeAlias = Any
State: TypeAlias = dict[str, Any]

EMPTY: Run = []


class Stage:
    """A step of a dataset; by default with the elements of its only input."""

    seeds: StageSeeds | None = None
    """The seeds of a stage that draws at random."""

    def __init__(self, *inputs: Stage) -> None:
        self.inputs = inputs

    def flow(self) -> Flow:
        """A new pass over the elements."""
        raise NotImplementedError

    def _content(self) -> list[tuple[str, object]]:
        """The things that it is made of, and not those that it finds on its passes."""
        return [
            (name, value)
            for name, value in vars(self).items()
            if not (
                name.startswith("_") or isinstance(getattr(type(self), name, None), cached_property)
            )
        ]

    def spec(self) -> Specs:
        """The spec of every element: a nest of specs."""
        return self.inputs[0].spec()

    def cardinality(self) -> int:
        """The number of elements, `INFINITE` or `UNKNOWN`."""
        return self.inputs[0].cardinality()

    @property
    def compared(self) -> tuple[Stage, ...]:
        """The inputs that the spec refuses if they do not fit, at once if their specs are known."""
        return ()

    def moved(self, change: Callable[[Stage], Stage]) -> Stage:
        """This stage changed by something that only moves elements about: picks, orders, batches.

        Stages that look elements up by number let it work on the numbers.
        """
        return change(self)


def is_known(stage: Stage) -> bool:
    """Whether the spec of the elements is known without a call of a user's function."""
    if isinstance(getattr(type(stage), "made", None), cached_property):
        return "made" in vars(stage)
    return all(map(is_known, stage.inputs))


class Flow:
    """One pass over the elements of a stage."""

    kept: ClassVar[tuple[str, ...]] = ()
    """The attributes that say where the flow stands, apart from those of its inputs."""

    def __init__(self, *inputs: Flow) -> None:
        self.inputs = inputs

    def run(self, count: int) -> Run:
        """The next elements: at most `count`, none only at the end."""
        raise NotImplementedError

    def state(self) -> State:
        """Where the flow stands."""
        own = {name: getattr(self, name) for name in self.kept}
        return {"flow": type(self).__name__, "inputs": [x.state() for x in self.inputs], **own}

    def restore(self, state: State) -> None:
        """Go on from where a flow through the same stages stood."""
        name = type(self).__name__
        if state.get("flow") != name or len(state["inputs"]) != len(self.inputs):
            raise ValueError(
                f"This state was taken from an iterator over another dataset: where it has "
                f"{state.get('flow')!r} with {len(state.get('inputs', ()))} inputs, this dataset "
                f"has {name!r} with {len(self.inputs)}."
            )
        for flow, saved in zip(self.inputs, state["inputs"], strict=True):
            flow.restore(saved)
        for name in self.kept:
            value, kind = state[name], type(getattr(self, name))
            if kind in (bool, int) and type(value) is not kind:
                raise ValueError(f"{type(self).__name__} cannot have {name}={repr(value)[:100]}.")
            setattr(self, name, value)


class LaterFlow(Flow):
    """A pass that begins when its first elements are asked for, and draws its seeds only then.

    TensorFlow begins the input of a shuffle so, and the second part of a concatenation.
    """

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self._stage = stage

    @cached_property
    def _flow(self) -> Flow:
        return self._stage.flow()

    def run(self, count: int) -> Run:
        return self._flow.run(count)

    def state(self) -> State:
        return self._flow.state()

    def restore(self, state: State) -> None:
        self._flow.restore(state)


def joined(runs: list[Run]) -> Run:
    """One run of several."""
    if len(runs) == 1:
        return runs[0]
    if runs and all(isinstance(run, np.ndarray) for run in runs):
        return np.concatenate(runs)
    return [element for run in runs for element in run]


def exactly(flow: Flow, count: int) -> Run:
    """As many elements as asked for, fewer only at the end."""
    runs = []
    while count > 0 and len(run := flow.run(count)):
        runs.append(run)
        count -= len(run)
    return joined(runs)
