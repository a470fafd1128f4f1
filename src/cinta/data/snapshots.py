"""Snapshots whose parts a function of the program chooses, and another one puts in order."""

from __future__ import annotations

import os
from itertools import cycle
from multiprocessing import cpu_count
from typing import TYPE_CHECKING

from .base import dataset_of
from .dataset import Dataset
from .saving import shard_number
from .stage import EMPTY, UNKNOWN, Flow, Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import SupportsInt

    from .caching import FileCache, Place
    from .stage import Run, Specs, State


class Snapshot(Stage):
    """The elements of a cache; once it is whole, in the order that ``read`` gives to its parts."""

    def __init__(
        self,
        cache: FileCache,
        shard: Callable[..., object] | None,
        read: Callable[..., object] | None,
    ) -> None:
        super().__init__(cache)
        self.cache, self._shard, self._read = cache, shard, read or _in_turns

    def flow(self) -> Flow:
        return SnapshotFlow(self)

    def spec(self) -> Specs:
        return self.cache.spec()

    def parts(self) -> Stage:
        """The elements of all parts, as they are read."""
        places = self._places()

        def part(number: SupportsInt) -> Dataset:
            return Dataset(Part(self.cache, places.get(int(number), [])))

        parts = Dataset.from_tensor_slices(sorted(places)).map(part)
        return dataset_of(self._read(parts), "reader_func")._stage

    def _places(self) -> dict[int, list[Place]]:
        """Where the elements of each part begin; they take turns if no function says so."""
        flow, turns = self.cache.flow(), cycle(range(cpu_count()))
        places: dict[int, list[Place]] = {}
        place = flow.place
        while len(run := flow.run(1)):
            number = next(turns) if self._shard is None else shard_number(self._shard, run[0])
            places.setdefault(number, []).append(place)
            place = flow.place
        return places


def _in_turns(parts: Dataset) -> Dataset:
    """The parts as TensorFlow reads them: one element of each in turn."""
    return parts.interleave(lambda part: part, cycle_length=cpu_count())


class Part(Stage):
    """The elements of a cache that begin at these places of its file."""

    def __init__(self, cache: FileCache, places: Sequence[Place]) -> None:
        super().__init__(cache)
        self.cache, self.places = cache, places

    def flow(self) -> Flow:
        return PartFlow(self)

    def cardinality(self) -> int:
        return UNKNOWN


class PartFlow(Flow):
    """A pass that reads the elements of a part alone."""

    kept = ("index",)

    def __init__(self, stage: Part) -> None:
        self.stage, self.index = stage, 0
        self._cached = stage.cache.flow()
        super().__init__(self._cached)

    def run(self, count: int) -> Run:
        if self.index >= len(self.stage.places):
            return EMPTY
        self._cached.read_from(self.stage.places[self.index])
        self.index += 1
        return self._cached.run(1)


class SnapshotFlow(Flow):
    """A pass that fills the cache, or one that reads its parts."""

    kept = ("reading",)

    def __init__(self, stage: Snapshot) -> None:
        self.stage, self.reading = stage, os.path.exists(stage.cache.path)
        super().__init__(self._begun())

    def _begun(self) -> Flow:
        return (self.stage.parts() if self.reading else self.stage.cache).flow()

    def run(self, count: int) -> Run:
        return self.inputs[0].run(count)

    def restore(self, state: State) -> None:
        if self.reading != state.get("reading"):
            self.reading = state.get("reading") is True
            self.inputs = (self._begun(),)
        super().restore(state)
