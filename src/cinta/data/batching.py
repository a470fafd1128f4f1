"""Elements put together, and taken apart."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .. import nest
from .composite_elements import SparseArray, check_rows, reshaped
from .elements import OF_TENSORS, batched, loaded, mapped, row, saved, with_axis, zeros
from .source_stages import TableRows
from .stage import EMPTY, UNKNOWN, Flow, Stage, exactly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..dtypes import DType
    from ..programs.composite_specs import SparseTensorSpec
    from ..programs.specs import TensorSpec, TypeSpec
    from .stage import Element, Run, Specs, State


class Batch(Stage):
    """So many elements as one, by sizes that take turns; the last ones are fewer, or dropped."""

    def __init__(self, source: Stage, sizes: Sequence[int], drop_remainder: bool) -> None:
        super().__init__(source)
        self.sizes, self.drop_remainder = sizes, drop_remainder

    def together(self, run: Run) -> Element:
        """The elements of a run as one."""
        return batched(run)

    def nothing(self) -> Element:
        """A batch without elements."""
        one = self.together([zeros(self.inputs[0].spec())])
        return nest.map_structure(lambda leaf: leaf[:0], one)

    def flow(self) -> Flow:
        return BatchFlow(self)

    def spec(self) -> Specs:
        return with_axis(self.inputs[0].spec(), self.length)

    @property
    def length(self) -> int | None:
        """The length of all batches, if it is one."""
        return self.sizes[0] if self.drop_remainder and len(set(self.sizes)) == 1 else None

    def cardinality(self) -> int:
        there = self.inputs[0].cardinality()
        if there < 0 or len(self.sizes) > 1:
            return min(there, UNKNOWN) if there != -1 else there
        return there // self.sizes[0] if self.drop_remainder else -(-there // self.sizes[0])


class RaggedBatch(Batch):
    """Batches of elements of different shapes, as rows of ragged tensors."""

    def __init__(self, source: Stage, size: int, drop_remainder: bool, splits: DType) -> None:
        super().__init__(source, [size], drop_remainder)
        self.splits = splits

    @cached_property
    def _ragged(self) -> Specs:
        """The spec of the elements, with rows where a length is not known."""
        from .ragged_arrays import ragged_spec

        spec = self.inputs[0].spec()
        specs: Specs = nest.map_structure(lambda leaf: ragged_spec(leaf, self.splits), spec)
        return specs

    def spec(self) -> Specs:
        return with_axis(self._ragged, self.length)

    def together(self, run: Run) -> Element:
        from .ragged_arrays import as_ragged

        elements = [nest.map_structure(as_ragged, element, self._ragged) for element in run]
        return batched(elements)


class BatchFlow(Flow):
    kept = ("turn", "ended")

    def __init__(self, stage: Batch) -> None:
        super().__init__(stage.inputs[0].flow())
        self.stage, self.turn = stage, 0
        self.ended = False  # as far as a batch that was not full has shown

    def run(self, count: int) -> Run:
        size = self.stage.sizes[self.turn]
        run = EMPTY if self.ended else exactly(self.inputs[0], size)
        self.ended = self.ended or len(run) < size
        if self.ended and (self.stage.drop_remainder or not len(run)):
            return EMPTY
        self.turn = (self.turn + 1) % len(self.stage.sizes)
        return [self.stage.together(run) if size else self.stage.nothing()]


def batch_size(stage: Stage) -> int | None:
    """How many elements stand in the batches that a stage gives; None if that cannot be told."""
    while isinstance(stage, TableRows) or (stage.inputs and type(stage).spec is Stage.spec):
        stage = stage.inputs[0]
    return stage.sizes[0] if isinstance(stage, Batch) else None


class Unbatch(Stage):
    """The rows of elements."""

    @property
    def compared(self) -> tuple[Stage, ...]:
        return self.inputs

    def flow(self) -> Flow:
        return UnbatchFlow(self)

    def spec(self) -> Specs:
        _check_lengths([length for length in self._lengths() if length is not None])
        return mapped(_without_axis, self.inputs[0].spec())

    def _lengths(self) -> list[int | None]:
        """The numbers of rows of the parts of every element."""
        specs = nest.flatten(self.inputs[0].spec())
        return [s.shape[0] for s in specs if isinstance(s, OF_TENSORS) and s.shape.rank]

    @cached_property
    def length(self) -> int | None:
        """The number of rows of every element, if it is one."""
        return next((length for length in self._lengths() if length is not None), None)

    def cardinality(self) -> int:
        there = self.inputs[0].cardinality()
        if there < 0:
            return there
        return UNKNOWN if self.length is None else there * self.length


def unbatched(stage: Stage) -> Stage:
    """The rows of elements; rows of a table that were put together are picked one by one."""
    if isinstance(stage, TableRows) and stage.numbers().shape.rank:
        return stage.moved(Unbatch)
    return Unbatch(stage)


class UnbatchFlow(Flow):
    def __init__(self, stage: Unbatch) -> None:
        super().__init__(stage.inputs[0].flow())
        self.stage = stage
        self.element: Element = ()
        self.position = self.length = 0

    def run(self, count: int) -> Run:
        while self.position == self.length:
            run = self.inputs[0].run(1)
            if not len(run):
                return EMPTY
            self._begin(run[0])
        first, stop = self.position, min(self.position + count, self.length)
        self.position = stop
        if isinstance(self.element, np.ndarray):
            return [row(self.element, i) for i in range(first, stop)]
        return [
            nest.map_structure(lambda x, i=i: row(x, i), self.element) for i in range(first, stop)
        ]

    def _begin(self, element: Element) -> None:
        leaves = [leaf for leaf in nest.flatten(element) if leaf is not None]
        for leaf in leaves:
            if not leaf.ndim:
                raise ValueError("Cannot unbatch an input with scalar components.")
            if isinstance(leaf, SparseArray):
                check_rows(leaf)
        _check_lengths([len(leaf) for leaf in leaves])
        self.element, self.position, self.length = element, 0, len(leaves[0])

    def state(self) -> State:
        rest = saved([self.element]) if self.position < self.length else []
        return {**super().state(), "rest": rest, "position": self.position}

    def restore(self, state: State) -> None:
        super().restore(state)
        for element in loaded(self.stage.inputs[0].spec, state["rest"]):
            self._begin(element)
            self.position = state["position"]


def _check_lengths(lengths: list[int]) -> None:
    """Refuse parts of elements that are not as many rows as the first one."""
    other = next((length for length in lengths if length != lengths[0]), None)
    if other is not None:
        raise ValueError(
            "`unbatch()` is only supported for datasets of elements whose components have a "
            f"matching leading dimension. Encountered both {lengths[0]} and {other}."
        )


def _without_axis(spec: SparseTensorSpec | TensorSpec) -> TypeSpec:
    if spec.shape.rank == 0:
        raise ValueError("Cannot unbatch an input with scalar components.")
    found: TypeSpec = reshaped(spec, spec.shape[1:])
    return found
