"""Datasets that take turns as another dataset says, or as numbers are drawn."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from ..engine.convert import as_tensor
from ..engine.tensor import seen
from ..errors import InvalidArgumentError
from ..ops.elementwise.unary import log
from ..ops.random.stateless import stateless_categorical
from .batching import Batch
from .elements import common
from .map_stages import Map
from .source_stages import Random, Single
from .stage import EMPTY, INFINITE, UNKNOWN, Flow, Stage
from .subsets import ALL, Repeat, zipped

if TYPE_CHECKING:
    from ..engine.annotations import NumericLike
    from ..engine.tensor import Array, Tensor
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


def sampled(
    sources: list[Stage],
    weights: NumericLike | Stage | None,
    seed: int | None,
    anew: bool,
    stop_on_empty: bool,
) -> Stage:
    """The elements of several datasets, each from one that is drawn by weights."""
    if not isinstance(weights, Stage):
        shares = _weights(weights, len(sources))
        sources = [source for source, share in zip(sources, shares, strict=True) if share]
        if len(sources) == 1:
            return sources[0]
        weights = Repeat(Single(shares[shares != 0]), ALL)
    pairs = Batch(Random(seed, anew), [2], False)
    return Choose(Map(zipped((pairs, weights)), _drawn), sources, stop_on_empty)


def _weights(weights: NumericLike | None, count: int) -> Array:
    """How likely each dataset is, as numbers that need not sum to 1."""
    weighed = np.ones(count) if weights is None else np.asarray(seen(as_tensor(weights)))
    if weighed.shape != (count,):
        raise ValueError(
            "Invalid `weights`. `weights` should have the same length as `datasets`: its shape "
            f"should be [{count}], one for each dataset, but is {list(weighed.shape)}."
        )
    if weighed.dtype.kind != "f":
        raise TypeError(
            "Invalid `weights`. `weights` must be of type `tf.float32` or `tf.float64`, got "
            f"{weighed.tolist()}."
        )
    if not ((weighed >= 0).all() and weighed.any()):
        raise ValueError(
            "Invalid `weights`. They must be at least 0, and one of them more, got "
            f"{weighed.tolist()}."
        )
    return weighed.astype(np.float64)


def _drawn(pair: Tensor, weights: NumericLike) -> Tensor:
    """The number of a dataset, drawn by the two words of a pair."""
    return stateless_categorical(log(as_tensor(weights))[None], 1, pair)[0, 0]
