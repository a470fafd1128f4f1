"""A dataset for every element: flat_map, interleave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import nest
from ..engine.composites import opened_specs
from .elements import call, loaded, returned, saved, spec_of
from .map_stages import Map, name_element
from .stage import EMPTY, INFINITE, UNKNOWN, Flow, Stage
from .threads import AheadFlow

if TYPE_CHECKING:
    from collections.abc import Callable

    from .stage import Element, Run, Specs, State


class FlatMap(Map):
    """The elements of the datasets that a function makes of elements, one after the other."""

    name = "flat_map"

    def flow(self) -> Flow:
        return FlatMapFlow(self)

    def apply(self, element: Element) -> Stage:
        made = returned(call(self.function, element))
        if not isinstance(made, Stage):
            raise TypeError(
                f"`map_func` must return a `Dataset` object, as Dataset.{self.name} needs it. Got "
                f"{spec_of(made)}."
            )
        return made

    def spec(self) -> Specs:
        (dataset,) = nest.flatten(self.made)
        specs: Specs = opened_specs(dataset.element_spec)
        return specs

    def cardinality(self) -> int:
        return UNKNOWN


class Opened:
    """The flow through the dataset of an element, and the element."""

    def __init__(self, stage: FlatMap, element: Element, index: int, ahead: int) -> None:
        self.element = element
        try:
            self.flow = stage.apply(element).flow()
        except Exception as error:
            name_element(error, stage.name, index)
            raise
        if ahead:
            self.flow = AheadFlow(self.flow, stage.spec, ahead)

    def state(self) -> State:
        """The state that `reopened` needs."""
        return {"element": saved([self.element]), "flow": self.flow.state()}


def reopened(stage: FlatMap, state: State, ahead: int = 0) -> Opened:
    """The inner dataset that was open when the state was taken."""
    (element,) = loaded(stage.inputs[0].spec, state["element"])
    opened = Opened(stage, element, 0, ahead)
    opened.flow.restore(state["flow"])
    return opened


class FlatMapFlow(Flow):
    kept = ("index",)

    def __init__(self, stage: FlatMap) -> None:
        super().__init__(stage.inputs[0].flow())
        self.stage, self.index = stage, 0
        self.opened: Opened | None = None

    def run(self, count: int) -> Run:
        while True:
            if not self.opened:
                run = self.inputs[0].run(1)
                if not len(run):
                    return EMPTY
                self.index += 1
                self.opened = Opened(self.stage, run[0], self.index - 1, 0)
            run = self.opened.flow.run(count)
            if len(run):
                return run
            self.opened = None

    def state(self) -> State:
        return {**super().state(), "opened": self.opened and self.opened.state()}

    def restore(self, state: State) -> None:
        super().restore(state)
        self.opened = state["opened"] and reopened(self.stage, state["opened"])


class Interleave(FlatMap):
    """Blocks of elements in turn from so many datasets that a function makes of elements.

    With `ahead`, a thread for each of them reads so many elements before they are asked for.
    """

    name = "interleave"

    def __init__(
        self, source: Stage, function: Callable[..., Any], cycle: int, block: int, ahead: int
    ) -> None:
        super().__init__(source, function)
        self.cycle, self.block, self.ahead = cycle, block, ahead

    def flow(self) -> Flow:
        return InterleaveFlow(self)

    def cardinality(self) -> int:
        """TensorFlow knows it where threads read ahead from datasets without end."""
        endless = self.ahead and self.inputs[0].cardinality() == INFINITE
        return INFINITE if endless else UNKNOWN


class InterleaveFlow(Flow):
    kept = ("index", "turn", "given", "ended")

    def __init__(self, stage: Interleave) -> None:
        super().__init__(stage.inputs[0].flow())
        self.stage = stage
        self.index = self.turn = self.given = 0  # `given` of the block whose turn it is
        self.ended = False  # no more datasets come in
        self.slots: list[Opened | None] = [None] * stage.cycle

    def run(self, count: int) -> Run:
        while not self.ended or any(self.slots):
            opened = self.slots[self.turn] or self._open()
            run = opened.flow.run(min(count, self.stage.block - self.given)) if opened else EMPTY
            self.given += len(run)
            if opened and not len(run):
                self.slots[self.turn] = None
            if not len(run) or self.given == self.stage.block:
                self.turn, self.given = (self.turn + 1) % self.stage.cycle, 0
            if len(run):
                return run
        return EMPTY

    def _open(self) -> Opened | None:
        run = EMPTY if self.ended else self.inputs[0].run(1)
        if not len(run):
            self.ended = True
            return None
        self.index += 1
        opened = Opened(self.stage, run[0], self.index - 1, self.stage.ahead)
        self.slots[self.turn] = opened
        return opened

    def state(self) -> State:
        return {**super().state(), "slots": [slot and slot.state() for slot in self.slots]}

    def restore(self, state: State) -> None:
        super().restore(state)
        ahead = self.stage.ahead
        self.slots = [each and reopened(self.stage, each, ahead) for each in state["slots"]]
