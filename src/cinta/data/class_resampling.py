"""Elements of classes, some left out, so that the classes are distributed as wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..engine.convert import as_tensor
from ..engine.tensor import seen
from ..errors import InvalidArgumentError
from .map_stages import Each, EachFlow
from .randomness import StageSeeds, Words
from .stage import UNKNOWN

if TYPE_CHECKING:
    from ..engine.annotations import NumericLike
    from ..engine.tensor import Array
    from .stage import Element, Stage, State

_AT_FIRST = 10
"""How many elements of each class are taken for seen before the first one, for an estimate."""


class Resample(Each):
    """The pairs of a class and an element, as many of each class as the target wants.

    A pair is kept with a chance in proportion to how much more frequent its class is to become. The
    class that gains most is always kept, so no element is left out without need. If the
    distribution of the classes is not given, it is estimated from those that have come in.
    """

    name = "rejection_resample"
    seeds: StageSeeds

    def __init__(
        self, source: Stage, target: Array, initial: Array | None, seed: int | None
    ) -> None:
        super().__init__(source)
        self.target, self.initial = target, initial
        self.seeds = StageSeeds(seed, anew=True)

    def flow(self) -> ResampleFlow:
        return ResampleFlow(self)

    def cardinality(self) -> int:
        keeps_all = self.initial is not None and (_chances(self.target, self.initial) == 1).all()
        return self.inputs[0].cardinality() if keeps_all else UNKNOWN


class ResampleFlow(EachFlow):
    def __init__(self, stage: Resample) -> None:
        super().__init__(stage)
        self.counts = [_AT_FIRST] * len(stage.target)
        self.words = Words(*stage.seeds.next())

    def handle(self, element: Element) -> list[Element]:
        label, classes = element[0], len(self.counts)
        if np.shape(label) or np.asarray(label).dtype.kind not in "iu":
            raise TypeError(f"`class_func` must return a class as one integer, got {label!r}.")
        if not 0 <= label < classes:
            raise InvalidArgumentError(
                f"`class_func` returned {label}, which is not in [0, {classes}): `target_dist` "
                f"has {classes} classes."
            )
        initial = self.stage.initial
        if initial is None:
            self.counts[label] += 1
            initial = np.array(self.counts) / sum(self.counts)
        chance = _chances(self.stage.target, initial)[label]
        return [element] if self.words.take(1)[0] < chance * 2**32 else []

    def state(self) -> State:
        return {**super().state(), "words": self.words.state(), "counts": self.counts}

    def restore(self, state: State) -> None:
        super().restore(state)
        self.words, self.counts = Words(*state["words"]), list(state["counts"])


def _chances(target: Array, initial: Array) -> Array:
    """The chance of each class to be kept."""
    gains = np.divide(target, initial, out=np.zeros_like(target), where=initial > 0)
    chances: Array = gains / (gains.max() or 1)
    return chances


def distribution(value: NumericLike, argument: str) -> Array:
    """The share of each class."""
    shares = np.asarray(seen(as_tensor(value)))
    if shares.ndim != 1 or not shares.size or shares.dtype.kind not in "iuf":
        raise ValueError(
            f"`{argument}` must be a vector with a share for each class, got {value!r}."
        )
    if not (shares >= 0).all():
        raise ValueError(f"`{argument}` must have shares of at least 0, got {shares.tolist()}.")
    return shares.astype(np.float64)
