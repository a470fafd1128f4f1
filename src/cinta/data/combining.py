"""Datasets that take turns as another dataset says."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InvalidArgumentError
from .elements import common
from .stage import EMPTY, INFINITE, UNKNOWN, Flow, Stage

if TYPE_CHECKING:
    from .stage import Run, Specs


class Choose(Stage):
    """The next element of the dataset whose number the first dataset gives."""

    def __init__(self, choice: Stage, sources: list[Stage], stop_on_empty: bool) -> None:
        super().__init__(choice, *sources)
        self.stop_on_empty = stop_on_empty

    @property
    def compared(self) -> tuple[Stage, ...]:
        return self.inputs[1:]

    def flow(self) -> Flow:
        return ChooseFlow(self.stop_on_empty, *[source.flow() for source in self.inputs])

    def spec(self) -> Specs:
        first, *others = [source.spec() for source in self.compared]
        try:
            return reduce(common, others, first)
        except TypeError as error:
            raise TypeError(
                f"Invalid `datasets`. `datasets` must have compatible element specs. {error}"
            ) from None

    def cardinality(self) -> int:
        """As many as the choices, if no source ends.

        One source that does not end is enough for choices without end, unless the first source
        that is empty ends the dataset.
        """
        choices, *counts = [source.cardinality() for source in self.inputs]
        endless = [count == INFINITE for count in counts]
        if all(endless):
            return choices
        goes_on = any(endless) and not self.stop_on_empty and choices == INFINITE
        return INFINITE if goes_on else UNKNOWN


class ChooseFlow(Flow):
    kept = ("ended", "empty")

    def __init__(self, stop_on_empty: bool, *inputs: Flow) -> None:
        super().__init__(*inputs)
        self.stop_on_empty, self.ended = stop_on_empty, False
        self.empty: list[int] = []

    def run(self, count: int) -> Run:
        choices, *sources = self.inputs
        while not self.ended:
            choice = choices.run(1)
            if not len(choice):
                break
            picked = self._checked(choice[0], len(sources))
            run = sources[picked].run(1)
            if len(run):
                return run
            if picked not in self.empty:
                self.empty = [*self.empty, picked]
            self.ended = self.stop_on_empty or len(self.empty) == len(sources)
        return EMPTY

    def _checked(self, choice: object, sources: int) -> int:
        if not isinstance(choice, np.int64):
            raise TypeError(
                "Invalid `choice_dataset`. Elements of `choice_dataset` must be scalar `tf.int64` "
                f"tensors, got {choice!r}."
            )
        if not 0 <= choice < sources:
            raise InvalidArgumentError(f"Selector index out of range: {choice} >= {sources}")
        return int(choice)
