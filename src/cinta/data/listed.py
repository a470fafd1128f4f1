"""Elements that are there already, as those of windows are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .stage import Flow, Stage

if TYPE_CHECKING:
    from ..programs.composite_specs import SparseTensorSpec
    from ..programs.specs import TensorSpec
    from .stage import Run


class Listed(Stage):
    """Elements that are there already."""

    def __init__(self, elements: Run, spec: TensorSpec | SparseTensorSpec) -> None:
        super().__init__()
        self.elements, self.known = elements, spec

    def flow(self) -> Flow:
        return ListedFlow(self.elements)

    def spec(self) -> TensorSpec | SparseTensorSpec:
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
