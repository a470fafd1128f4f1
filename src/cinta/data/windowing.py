"""Datasets of some elements: window, group_by_window."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..errors import InvalidArgumentError
from .elements import DatasetSpec, call, loaded, returned, saved, spec_of, zeros
from .listed import Listed
from .map_stages import name_element
from .randomness import undisturbed
from .stage import EMPTY, UNKNOWN, Flow, Stage, exactly

if TYPE_CHECKING:
    from collections.abc import Callable

    from .stage import Element, Run, Specs, State


class Window(Stage):
    """Datasets of so many elements; a dataset for each component, if elements have several."""

    def __init__(self, source: Stage, size: int, shift: int, stride: int, drop: bool) -> None:
        super().__init__(source)
        self.size, self.shift, self.stride, self.drop = size, shift, stride, drop
        self.reach = (size - 1) * stride + 1

    def flow(self) -> Flow:
        return WindowFlow(self)

    def spec(self) -> Specs:
        specs: Specs = nest.map_structure(DatasetSpec, self.inputs[0].spec())
        return specs

    def cardinality(self) -> int:
        there = self.inputs[0].cardinality()
        if there < 0:
            return there
        return max(0, there - self.reach + self.shift if self.drop else there + self.shift - 1) // (
            self.shift
        )


class WindowFlow(Flow):
    def __init__(self, stage: Window) -> None:
        super().__init__(stage.inputs[0].flow())
        self.stage = stage
        self.buffer: list[Element] = []

    def run(self, count: int) -> Run:
        stage = self.stage
        self.buffer += list(exactly(self.inputs[0], stage.reach - len(self.buffer)))
        window = self.buffer[: stage.reach : stage.stride]
        if not window or (stage.drop and len(window) < stage.size):
            return EMPTY
        exactly(self.inputs[0], stage.shift - len(self.buffer))  # between two windows
        del self.buffer[: stage.shift]
        return [_by_component(window)]

    def state(self) -> State:
        return {**super().state(), "buffer": saved(self.buffer)}

    def restore(self, state: State) -> None:
        super().restore(state)
        self.buffer = loaded(self.stage.inputs[0].spec, state["buffer"])


def _by_component(elements: list[Element]) -> Element:
    """The elements as one, with the dataset of each component in its place."""
    parts = zip(*map(nest.flatten, elements), strict=True)
    return nest.pack_sequence_as(
        elements[0], [Listed(list(part), spec_of(part[0])) for part in parts]
    )


class GroupByWindow(Stage):
    """The results of a function of windows of elements that have the same key.

    `key` is a function of an element, `reduce` of a key and a dataset of elements, `size` of a key.
    """

    name = "group_by_window"

    def __init__(
        self,
        source: Stage,
        key: Callable[..., Any],
        reduce: Callable[..., Any],
        size: Callable[..., Any],
    ) -> None:
        super().__init__(source)
        self.key, self.reduce, self.size = key, reduce, size

    def flow(self) -> Flow:
        return GroupByWindowFlow(self)

    def reduced(self, key: int, elements: list[Element]) -> Stage:
        """The dataset that the function makes of a window."""
        made = returned(call(self.reduce, np.int64(key), Listed(elements, self.inputs[0].spec())))
        if not isinstance(made, Stage):
            raise TypeError(f"`reduce_func` must return a `Dataset` object. Got {spec_of(made)}.")
        return made

    def key_of(self, element: Element) -> int:
        """The key of an element."""
        key = returned(call(self.key, element))
        if not isinstance(key, np.integer):
            raise ValueError(
                "Invalid `key_func`. Expected `key_func` to return a scalar tf.int64 tensor, but "
                f"it returned {spec_of(key)}."
            )
        return int(key)

    def size_of(self, key: int) -> int:
        """The size of the windows of a key."""
        size = int(call(self.size, np.int64(key)))
        if size <= 0:
            raise InvalidArgumentError(f"Window size must be greater than zero, but got {size}.")
        return size

    @cached_property
    def made(self) -> Specs:
        """The spec of the elements, as the window of a single one shows it."""
        source = self.inputs[0]
        with undisturbed(source):
            found = source.flow().run(1)
        element = found[0] if len(found) else zeros(source.spec())
        return self.reduced(self.key_of(element), [element]).spec()

    def spec(self) -> Specs:
        return self.made

    def cardinality(self) -> int:
        return UNKNOWN


class GroupByWindowFlow(Flow):
    kept = ("index", "key")

    def __init__(self, stage: GroupByWindow) -> None:
        super().__init__(stage.inputs[0].flow())
        self.stage, self.index = stage, 0
        self.groups: dict[int, list[Element]] = {}
        self.key = 0  # that of the window whose elements are given
        self.window: list[Element] = []
        self.opened: Flow | None = None

    def run(self, count: int) -> Run:
        while True:
            if self.opened:
                run = self.opened.run(count)
                if len(run):
                    return run
                self.opened = None
            if not self._gather():
                return EMPTY
            self.opened = self.stage.reduced(self.key, self.window).flow()

    def _gather(self) -> bool:
        """Find the next window: one that is full, or what is left at the end, by its key."""
        while len(run := self.inputs[0].run(1)):
            self.index += 1
            try:
                key = self.stage.key_of(run[0])
                group = self.groups.setdefault(key, [])
                group.append(run[0])
                full = len(group) == self.stage.size_of(key)
            except Exception as error:
                name_element(error, self.stage.name, self.index - 1)
                raise
            if full:
                break
        else:
            key = min(self.groups, default=0)
        self.key, self.window = key, self.groups.pop(key, [])
        return bool(self.window)

    def state(self) -> State:
        window = saved(self.window) if self.opened else []
        own = {
            "keys": list(self.groups),
            "groups": [saved(group) for group in self.groups.values()],
            "window": window,
            "opened": self.opened and self.opened.state(),
        }
        return {**super().state(), **own}

    def restore(self, state: State) -> None:
        super().restore(state)
        spec = self.stage.inputs[0].spec
        groups = [loaded(spec, group) for group in state["groups"]]
        self.groups = dict(zip(state["keys"], groups, strict=True))
        if state["opened"]:
            self.window = loaded(spec, state["window"])
            self.opened = self.stage.reduced(self.key, self.window).flow()
            self.opened.restore(state["opened"])
