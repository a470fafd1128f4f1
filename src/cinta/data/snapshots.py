"""Snapshots whose parts a function of the program chooses, and another one puts in order."""

from __future__ import annotations

import os
from multiprocessing import cpu_count
from typing import TYPE_CHECKING

from .base import dataset_of
from .dataset import Dataset
from .saving import shard_number
from .stage import Flow, Stage

if TYPE_CHECKING:
    from collections.abc import Callable

    from .caching import FileCache
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
        cached, numbers = Dataset(self.cache), self._numbers()

        def part(number: object) -> Dataset:
            chosen = [each == number for each in numbers]
            return (
                Dataset.zip(Dataset.from_tensor_slices(chosen), cached)
                .filter(_is_chosen)
                .map(_element)
            )

        parts = Dataset.from_tensor_slices(sorted(set(numbers))).map(part)
        return dataset_of(self._read(parts), "reader_func")._stage

    def _numbers(self) -> list[int]:
        """The part to which each element belongs; they take turns if no function says so."""
        flow = self.cache.flow()
        numbers: list[int] = []
        while len(run := flow.run(1)):
            for element in run:
                turn = len(numbers) % cpu_count()
                numbers.append(turn if self._shard is None else shard_number(self._shard, element))
        return numbers


def _is_chosen(chosen: object, element: object) -> object:
    return chosen


def _element(chosen: object, element: object) -> object:
    return element


def _in_turns(parts: Dataset) -> Dataset:
    """The parts as TensorFlow reads them: one element of each in turn."""
    return parts.interleave(lambda part: part, cycle_length=cpu_count())


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
