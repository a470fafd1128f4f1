"""Elements that are there already, as those of windows are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .stage import Flow, Stage

if TYPE_CHECKING:
    from .stage import Run, Specs


class Listed(Stage):
    """Elements that are there already."""

    def __init__(self, elements: Run, spec: Specs) -> None:
        super().__init__()
        self.elements, self.known = elements, spec

    def flow(self) -> Flow:
        return ListedFlow(self.elements)

    def spec(self) -> Specs:
        return self.known

    def cardinality(self) -> int:
        return len(self.elements)


class ListedFlow(Flow):
    kept = ("position",)

    def __init__(self, elements: Run) -> None:
        super().__init__()
        self.elements, self.position = elements, 0

    def run(self, count: int) -> Run:
        first = self.position
        run = self.elements[first : first + count]
        self.position += len(run)
        return run
