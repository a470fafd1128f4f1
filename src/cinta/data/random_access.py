"""Elements by their numbers, without those in front of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import nest
from ..errors import FailedPreconditionError, OutOfRangeError, UnimplementedError
from ..ops.arguments import integer
from ..public import public
from .base import stage_of
from .batching import Batch, RaggedBatch, Unbatch
from .caching import Cache
from .elements import row, tensors_of
from .listed import Listed
from .map_stages import Map
from .shuffling import Shuffle
from .source_stages import Range, Single, TableRows
from .stage import INFINITE
from .subsets import AssertCardinality, Concatenate, Repeat, Shard, Skip, Take, Zip
from .threads import ParallelMap, Prefetch

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import IntLike
    from .dataset import Dataset
    from .stage import Element, Stage


@public("data.experimental.at")
def at(dataset: Dataset, index: IntLike) -> Any:
    """The element of this number, counted from 0.

    Sources, and stages that only move elements about or call a function of each, give it at once;
    `cache` makes the elements up to it and keeps them.

    >>> import cinta as tf
    >>> squares = tf.data.Dataset.range(1000).map(lambda x: x * x)
    >>> tf.data.experimental.at(squares, 30).numpy()
    np.int64(900)

    Args:
        dataset: The dataset.
        index: The number.

    Raises:
        OutOfRangeError: If there are not so many.
        UnimplementedError: If a stage of the dataset cannot tell its elements by number.
    """
    stage, number = stage_of(dataset, "dataset"), integer(index, "index")
    pick = _pick_of(stage)
    if type(stage) is not Cache:
        _check_number(stage, number)
    return tensors_of(pick(stage, number))


def element_at(stage: Stage, index: int) -> Element:
    """The element of a stage by its number, which must be one of those that there are."""
    return _pick_of(stage)(stage, index)


def _pick_of(stage: Stage) -> Callable[[Any, int], Element]:
    """The way to an element of a stage by its number."""
    pick = _PICKS.get(type(stage))
    if pick is None:
        raise UnimplementedError(
            f"Random access is not implemented for this dataset, which ends in "
            f"`{type(stage).__name__}`: its elements are made one after the other. Put `.cache()` "
            "behind it, which keeps what was made."
        )
    return pick


def _check_number(stage: Stage, index: int) -> None:
    count = stage.cardinality()
    if count < 0:
        found = "is infinite" if count == INFINITE else "is not known"
        raise FailedPreconditionError(
            f"The number of elements of this dataset {found}, and random access asks for it: take "
            "some of them by `.take(count)`, or put `.cache()` behind it."
        )
    if not 0 <= index < count:
        raise OutOfRangeError(f"Index out of range [0, {count}):{index}.")


def _of_range(stage: Range, index: int) -> Element:
    return stage.dtype.type(stage.start + index * stage.step)


def _of_rows(stage: TableRows, index: int) -> Element:
    number = element_at(stage.inputs[0], index)
    return nest.map_structure(lambda array: row(array, number), stage.table)


def _of_input(stage: Stage, index: int) -> Element:
    return element_at(stage.inputs[0], index)


def _of_map(stage: Map, index: int) -> Element:
    return stage.apply(_of_input(stage, index))


def _of_skip(stage: Skip, index: int) -> Element:
    return _of_input(stage, index + stage.count)


def _of_shard(stage: Shard, index: int) -> Element:
    return _of_input(stage, index * stage.shards + stage.index)


def _of_repeat(stage: Repeat, index: int) -> Element:
    return _of_input(stage, index % stage.inputs[0].cardinality())


def _of_concatenate(stage: Concatenate, index: int) -> Element:
    first, second = stage.inputs
    there = first.cardinality()
    if index < there:
        return element_at(first, index)
    return element_at(second, index - there)


def _of_zip(stage: Zip, index: int) -> Element:
    return nest.pack_sequence_as(stage.like, [element_at(each, index) for each in stage.inputs])


def _of_shuffle(stage: Shuffle, index: int) -> Element:
    return _of_input(stage, stage.order[index])


def _of_batch(stage: Batch, index: int) -> Element:
    (size,) = stage.sizes
    first = index * size
    last = min(first + size, stage.inputs[0].cardinality())
    return stage.together([_of_input(stage, i) for i in range(first, last)])


def _of_unbatch(stage: Unbatch, index: int) -> Element:
    number, place = divmod(index, stage.length or 1)
    return nest.map_structure(lambda array: row(array, place), _of_input(stage, number))


def _of_cache(stage: Cache, index: int) -> Element:
    there = stage.first(index + 1)
    if not 0 <= index < len(there):
        raise OutOfRangeError(f"Index out of range [0, {len(there)}):{index}.")
    return there[index]


_PICKS: dict[type[Stage], Callable[[Any, int], Element]] = {
    AssertCardinality: _of_input,
    Batch: _of_batch,
    Cache: _of_cache,
    Concatenate: _of_concatenate,
    Listed: lambda stage, index: stage.elements[index],
    Map: _of_map,
    ParallelMap: _of_map,
    Prefetch: _of_input,
    RaggedBatch: _of_batch,
    Range: _of_range,
    Repeat: _of_repeat,
    TableRows: _of_rows,
    Shard: _of_shard,
    Shuffle: _of_shuffle,
    Single: lambda stage, _: stage.element,
    Skip: _of_skip,
    Take: _of_input,
    Unbatch: _of_unbatch,
    Zip: _of_zip,
}
