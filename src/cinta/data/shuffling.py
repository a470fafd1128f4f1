"""Elements in random order: TensorFlow's for the same seeds."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .elements import loaded, saved
from .randomness import StageSeeds, Words
from .stage import Flow, LaterFlow, Stage

if TYPE_CHECKING:
    from .stage import Element, Run, State


class Shuffle(Stage):
    """Of a buffer of elements one is drawn, and the next one takes its place.

    A size of None is that of all elements.
    """

    seeds: StageSeeds

    def __init__(self, source: Stage, size: int | None, seed: int | None, anew: bool) -> None:
        super().__init__(source)
        self.size, self.seeds = size, StageSeeds(seed, anew)

    def flow(self) -> Flow:
        return ShuffleFlow(self)

    @cached_property
    def order(self) -> list[int]:
        """The numbers of all elements in the order in which random access finds them."""
        order = list(range(self.cardinality()))
        for i, word in enumerate(Words(*self.seeds.pair).take(len(order))):
            picked = i + word % (len(order) - i)
            order[i], order[picked] = order[picked], order[i]
        return order


class ShuffleFlow(Flow):
    def __init__(self, stage: Shuffle) -> None:
        super().__init__(LaterFlow(stage.inputs[0]))
        self.stage, self.words = stage, Words(*stage.seeds.next())
        # The buffer is a ring: its first element stands at `start`.
        self.buffer: list[Element] = []
        self.start = 0
        self.full = self.ended = False
        self.dtype: np.dtype | None = None  # that of numbers, which come and go as arrays

    def run(self, count: int) -> Run:
        if not self.full:
            self._fill()
        news = self._next(count)
        drawn = self._exchange(news) if news else self._last(count)
        return drawn if self.dtype is None else np.array(drawn, self.dtype)

    def _fill(self) -> None:
        size = self.stage.size
        while size is None or len(self.buffer) < size:
            news = self._next(1024 if size is None else size - len(self.buffer))
            if not news:
                break
            self.buffer += news
        self.full = True

    def _next(self, count: int) -> list[Element]:
        run = self.inputs[0].run(count)
        if isinstance(run, np.ndarray):
            self.dtype = run.dtype
        elements: list[Element] = run.tolist() if isinstance(run, np.ndarray) else run
        return elements

    def _exchange(self, news: list[Element]) -> list[Element]:
        """Draw an element for each new one, which is put where the first one was."""
        buffer, start, drawn = self.buffer, self.start, []
        size = len(buffer)
        if not size:
            raise ValueError("The state that was restored is not one of this iterator.")
        for new, word in zip(news, self.words.take(len(news)), strict=True):
            picked = (start + word % size) % size
            drawn.append(buffer[picked])
            buffer[picked] = buffer[start]
            buffer[start] = new
            start = (start + 1) % size
        self.start = start
        return drawn

    def _last(self, count: int) -> list[Element]:
        """Draw elements when no more come in; the rest begins at `start`."""
        if not self.ended:
            self.buffer, self.start, self.ended = self._in_order(), 0, True
        buffer, start, drawn = self.buffer, self.start, []
        end = len(buffer)
        for word in self.words.take(min(count, end - start)):
            picked = start + word % (end - start)
            drawn.append(buffer[picked])
            buffer[picked] = buffer[start]
            buffer[start] = None
            start += 1
        self.start = start
        return drawn

    def _in_order(self) -> list[Element]:
        """The buffer from its first element on."""
        if self.ended:
            return self.buffer[self.start :]
        return self.buffer[self.start :] + self.buffer[: self.start]

    def state(self) -> State:
        there = self._in_order()
        own = {
            "buffer": saved(there) if self.dtype is None else np.array(there, self.dtype),
            "full": self.full,
            "words": self.words.state(),
            "passes": self.stage.seeds.passes,
        }
        return {**super().state(), **own}

    def restore(self, state: State) -> None:
        super().restore(state)
        self.words, self.stage.seeds.passes = Words(*state["words"]), state["passes"]
        self.full, buffer = state["full"], state["buffer"]
        if isinstance(buffer, np.ndarray):
            self.buffer, self.dtype = buffer.tolist(), buffer.dtype
        else:
            self.buffer = loaded(self.stage.spec, buffer)
