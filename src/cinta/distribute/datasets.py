"""Datasets of which each replica gets a part."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from .. import nest
from ..data.iterator import Optional
from ..engine.convert import as_tensor
from ..engine.distributed_values import PerReplica, PerReplicaSpec
from ..errors import OutOfRangeError
from ..programs.specs import TensorSpec
from ..public import public
from .values import joined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..data.dataset import Dataset
    from ..engine.tensor import Tensor
    from .strategy import Strategy


@public("distribute.DistributedDataset")
class DistributedDataset:
    """The batches of a dataset, each cut into a part for every replica.

    A batch is cut into parts of ceil(rows / replicas) rows; the last ones may be shorter, or empty.
    """

    def __init__(self, dataset: Dataset, strategy: Strategy) -> None:
        self._dataset, self._strategy = dataset, strategy

    @property
    def element_spec(self) -> object:
        """The specs of what each replica gets."""
        count = self._strategy.num_replicas_in_sync
        return nest.map_structure(
            lambda spec: PerReplicaSpec(*[_cut_spec(spec)] * count), self._dataset.element_spec
        )

    def __iter__(self) -> DistributedIterator:
        return DistributedIterator(self._elements(), self.element_spec)

    def __len__(self) -> int:
        raise TypeError(
            f"object of type {type(self).__name__!r} has no len(): ask the dataset that it is "
            "made of."
        )

    def _elements(self) -> Iterator[Any]:
        count = self._strategy.num_replicas_in_sync
        for batch in self._dataset:
            yield nest.map_structure(lambda leaf: _cut(as_tensor(leaf), count), batch)


class DealtDataset(DistributedDataset):
    """A dataset whose elements are dealt to the replicas in turn, then empty ones to the last."""

    def _elements(self) -> Iterator[Any]:
        count = self._strategy.num_replicas_in_sync
        rest = iter(self._dataset)
        while hand := list(islice(rest, count)):
            empty = nest.map_structure(lambda leaf: as_tensor(leaf)[:0], hand[0])
            yield joined([*hand, *[empty] * (count - len(hand))])


def _cut(tensor: Tensor, count: int) -> PerReplica:
    if not tensor.ndim:
        raise ValueError(
            "A dataset for several replicas must have batches, whose rows are divided among them: "
            "call `dataset.batch(size)` before it is distributed."
        )
    rows = -(-len(tensor._array) // count)
    return PerReplica(*[tensor[i * rows : (i + 1) * rows] for i in range(count)])


def _cut_spec(spec: object) -> object:
    if not isinstance(spec, TensorSpec) or not spec.shape.rank:
        return spec
    return TensorSpec([None, *spec.shape[1:]], spec.dtype)


@public("distribute.DistributedIterator")
class DistributedIterator:
    """An iterator over what the replicas get."""

    def __init__(self, elements: Iterator[Any], element_spec: object) -> None:
        self._elements, self.element_spec = elements, element_spec

    def __iter__(self) -> DistributedIterator:
        return self

    def __next__(self) -> Any:
        return next(self._elements)

    def get_next(self) -> Any:
        """The next element. Raises OutOfRangeError at the end."""
        for element in self._elements:
            return element
        raise OutOfRangeError("End of sequence: the dataset has no more elements.")

    def get_next_as_optional(self) -> Optional:
        """The next element, or nothing at the end."""
        for element in self._elements:
            return Optional([element], self.element_spec)
        return Optional.empty(self.element_spec)
