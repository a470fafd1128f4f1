"""Where elements come from."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..engine.composites import opened_specs
from ..engine.convert import as_tensor
from ..engine.free_memory import check_memory
from ..errors import InvalidArgumentError
from ..programs.composite_specs import (
    NoneTensorSpec,
    RowsSpec,
    SparseTensorSpec,
    StructuredSpec,
)
from ..programs.specs import TensorSpec
from .base import Face
from .composite_elements import SparseArray, check_rows, reshaped
from .elements import call, common, element_of, mapped, row, spec_of, unrecorded
from .listed import Listed
from .randomness import StageSeeds, Words
from .stage import EMPTY, INFINITE, UNKNOWN, Flow, Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..engine.annotations import DTypeLike
    from ..engine.tensor import Array
    from .stage import Element, Run, Specs, State


class Range(Stage):
    """Numbers at equal distances; without end if no count is given."""

    def __init__(
        self, start: int, step: int, count: int | None, dtype: DTypeLike = np.int64
    ) -> None:
        super().__init__()
        self.start, self.step, self.count, self.dtype = start, step, count, np.dtype(dtype)

    def flow(self) -> Flow:
        return RangeFlow(self)

    def spec(self) -> TensorSpec:
        return TensorSpec([], self.dtype)

    def cardinality(self) -> int:
        return INFINITE if self.count is None else self.count


class RangeFlow(Flow):
    kept = ("position",)

    def __init__(self, stage: Range) -> None:
        super().__init__()
        self.stage, self.position = stage, 0

    def run(self, count: int) -> Run:
        stage, first = self.stage, self.position
        stop = first + count if stage.count is None else min(first + count, stage.count)
        check_memory("RangeDataset", (stop - first,))
        self.position = stop
        return (np.arange(first, stop) * stage.step + stage.start).astype(stage.dtype, copy=False)


class Single(Stage):
    """One element."""

    def __init__(self, element: Element) -> None:
        super().__init__()
        self.element = element

    def flow(self) -> Flow:
        return SingleFlow(self.element)

    def spec(self) -> Specs:
        return spec_of(self.element)

    def cardinality(self) -> int:
        return 1


class SingleFlow(Flow):
    kept = ("given",)

    def __init__(self, element: Element) -> None:
        super().__init__()
        self.element, self.given = element, False

    def run(self, count: int) -> Run:
        if self.given or count < 1:
            return EMPTY
        self.given = True
        return [self.element]


class TableRows(Stage):
    """The rows of a table, a nest of arrays, in the order of a dataset of their numbers.

    Stages that only move elements move the numbers instead, and a batch of numbers gives batches of
    rows: each row is touched once, when all is known of where it goes.
    """

    def __init__(self, table: object, order: Stage) -> None:
        super().__init__(order)
        self.table = table

    def flow(self) -> Flow:
        return RowsFlow(self.table, self.inputs[0].flow())

    def numbers(self) -> TensorSpec:
        """The spec of the numbers of rows."""
        (found,) = nest.flatten(self.inputs[0].spec())
        return TensorSpec.from_spec(found)

    def spec(self) -> Specs:
        numbers = self.numbers().shape
        return mapped(
            lambda spec: reshaped(spec, numbers.concatenate(spec.shape[1:])), spec_of(self.table)
        )

    def is_whole(self) -> bool:
        """Whether these are the rows as they stand in the table."""
        order = self.inputs[0]
        return isinstance(order, Range) and order.start == 0 and order.step == 1

    def first(self, count: int) -> object:
        """The first rows of the table."""
        return nest.map_structure(
            lambda array: None if array is None else array[:count], self.table
        )

    def moved(self, change: Callable[[Stage], Stage]) -> Stage:
        return TableRows(self.table, change(self.inputs[0]))


class RowsFlow(Flow):
    def __init__(self, table: object, order: Flow) -> None:
        super().__init__(order)
        self.table, self.arrays = table, nest.flatten(table)

    def run(self, count: int) -> Run:
        (order,) = self.inputs
        return [self._rows(index) for index in order.run(count)]

    def _rows(self, index: Array) -> Element:
        if type(self.table) is np.ndarray:
            return row(self.table, index)
        return nest.pack_sequence_as(self.table, [row(array, index) for array in self.arrays])


def slices_of(value: object) -> Stage:
    """The rows of tensors, in the order in which they stand there; or the datasets of a list."""
    if isinstance(value, list) and value and all(isinstance(each, Face) for each in value):
        stages = [each._stage for each in value]
        return Listed(stages, reduce(common, map(spec_of, stages)))
    table = element_of(value)
    arrays = [array for array in nest.flatten(table) if array is not None]
    for array in arrays:
        if isinstance(array, Stage) or not array.ndim:
            raise ValueError(
                "Unbatching a tensor is only supported for rank >= 1: from_tensor_slices takes "
                f"tensors apart along their first axis, and {array!r} has none. Use from_tensors "
                "for a dataset of one element."
            )
        if isinstance(array, SparseArray):
            check_rows(array)
        if len(array) != len(arrays[0]):
            raise ValueError(
                f"Dimensions {len(arrays[0])} and {len(array)} are not compatible: all tensors of "
                "from_tensor_slices need the same number of rows."
            )
    if not arrays:
        raise ValueError(
            f"There is not one tensor in `tensors` of from_tensor_slices, or in `elements` of "
            f"from_list: {value!r}."
        )
    return TableRows(table, Range(0, 1, len(arrays[0])))


class Generated(Stage):
    """The values that a Python function yields, called anew for each pass."""

    def __init__(self, generator: Callable[..., Any], args: tuple[Any, ...], spec: Specs) -> None:
        super().__init__()
        self.generator, self.args, self.given_spec = generator, args, spec

    def flow(self) -> Flow:
        return GeneratedFlow(self)

    def spec(self) -> Specs:
        specs: Specs = opened_specs(self.given_spec)
        return specs

    def cardinality(self) -> int:
        return UNKNOWN


class GeneratedFlow(Flow):
    kept = ("position",)

    def __init__(self, stage: Generated) -> None:
        super().__init__()
        self.stage, self.position = stage, 0
        self.iterator: Iterator[Any] | None = None

    def run(self, count: int) -> Run:
        if self.iterator is None:
            self.iterator = iter(())  # nothing remains if it cannot be started
            self.iterator = self._started()
        with unrecorded():
            for value in itertools.islice(self.iterator, 1):  # one is enough for a consumer
                self.position += 1
                return [_fitted(self.stage.given_spec, value)]
        return EMPTY

    def _started(self) -> Iterator[Any]:
        own = [np.array(arg)[()] for arg in self.stage.args]  # it may write to them
        yielded = call(lambda: self.stage.generator(*own))
        if not hasattr(yielded, "__iter__"):
            raise InvalidArgumentError(
                f"TypeError: {type(yielded).__name__!r} object is not iterable: the generator of "
                f"from_generator must return what can be iterated over, got {yielded!r}."
            )
        return iter(yielded)

    def restore(self, state: State) -> None:
        """A Python generator cannot be saved: it is run again up to the saved position."""
        super().restore(state)
        self.iterator = self._started()
        with unrecorded():
            for _ in itertools.islice(self.iterator, self.position):
                pass


def _fitted(spec: object, value: object) -> Element:
    """A value that a generator yielded, as an element of the spec that was declared."""
    if isinstance(
        spec, (SparseTensorSpec, RowsSpec, StructuredSpec, NoneTensorSpec)
    ) and spec.is_compatible_with(value):
        return element_of(value)
    if isinstance(spec, TensorSpec):
        array = as_tensor(value, spec.dtype.dtype)._array
        if not spec.shape.is_compatible_with(array.shape):
            raise InvalidArgumentError(
                f"TypeError: `generator` yielded an element of shape {array.shape} where an "
                f"element of shape {spec.shape} was expected."
            )
        return array
    if isinstance(spec, Mapping) and isinstance(value, Mapping) and spec.keys() == value.keys():
        return {key: _fitted(part, value[key]) for key, part in spec.items()}
    if isinstance(spec, tuple) and isinstance(value, (tuple, list)) and len(spec) == len(value):
        parts = [_fitted(part, given) for part, given in zip(spec, value, strict=True)]
        return nest.tuple_like(spec, parts)
    raise InvalidArgumentError(
        f"TypeError: `generator` yielded {value!r}, which has not the structure that was expected: "
        f"{spec}."
    )


class Random(Stage):
    """Random numbers of 32 bits, without end; the same ones each time unless told otherwise."""

    seeds: StageSeeds

    def __init__(self, seed: int | None, anew: bool) -> None:
        super().__init__()
        self.seeds = StageSeeds(seed, anew)

    def flow(self) -> Flow:
        return RandomFlow(self.seeds)

    def spec(self) -> Specs:
        return TensorSpec([], np.int64)

    def cardinality(self) -> int:
        return INFINITE


class RandomFlow(Flow):
    def __init__(self, seeds: StageSeeds) -> None:
        super().__init__()
        self.seeds, self.words = seeds, Words(*seeds.next())

    def run(self, count: int) -> Run:
        return np.array(self.words.take(count), np.int64)

    def state(self) -> State:
        return {**super().state(), "words": self.words.state(), "passes": self.seeds.passes}

    def restore(self, state: State) -> None:
        super().restore(state)
        self.words, self.seeds.passes = Words(*state["words"]), state["passes"]
