"""Datasets of which each replica gets a part."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from .. import nest
from ..data.dataset import Dataset
from ..data.dataset_options import AutoShardPolicy
from ..data.iterator import Optional
from ..engine.convert import as_tensor
from ..engine.distributed_values import PerReplica
from ..errors import OutOfRangeError
from ..ops.ragged.tensor import RaggedTensor
from ..programs.specs import TensorSpec
from ..public import public
from .sharding import agreed, emptied
from .values import PerReplicaSpec, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..engine.tensor import Tensor
    from .strategy import Strategy


@public("distribute.DistributedDataset")
class DistributedDataset:
    """The batches of a dataset, each cut into a part for every replica.

    A batch is cut into parts of ceil(rows / replicas) rows; the last ones may be shorter, or empty.
    """

    def __init__(self, dataset: Dataset, strategy: Strategy) -> None:
        if not isinstance(dataset, Dataset):
            raise TypeError(
                f"A DistributedDataset is made of a tf.data.Dataset, not of {dataset!r}: use "
                "tf.data.Dataset.from_tensor_slices(...) for arrays."
            )
        self._dataset, self._strategy = dataset, strategy
        policy = vars(dataset.options().experimental_distribute)["auto_shard_policy"]
        self._is_divided = policy is not AutoShardPolicy.OFF  # among the processes

    @property
    def element_spec(self) -> object:
        """The specs of what each replica gets."""
        here = len(self._strategy._replicas)
        return nest.map_structure(
            lambda spec: _for_replicas([_cut_spec(spec)] * here, PerReplicaSpec),
            self._dataset.element_spec,
        )

    def __iter__(self) -> DistributedIterator:
        return DistributedIterator(self._elements(), self.element_spec)

    def __len__(self) -> int:
        raise TypeError(
            f"object of type {type(self).__name__!r} has no len(): ask the dataset that it is "
            "made of."
        )

    def _elements(self) -> Iterator[Any]:
        for batch in agreed(self._batches(), self._dataset, self._strategy._cluster):
            yield nest.map_structure(self._cut, batch)

    def _batches(self) -> Iterator[Any]:
        """The batches of all replicas, of which each process takes the parts of its own."""
        cluster = self._strategy._cluster
        if cluster is None or self._is_divided:
            yield from self._dataset
            return
        rows = None
        for batch in self._dataset:
            leaves = [as_tensor(leaf)._array for leaf in nest.flatten(batch)]
            rows = rows or _share(len(leaves[0]), len(cluster))
            for start in range(0, len(leaves[0]), rows):
                yield nest.map_structure(lambda x, at=start, n=rows: x[at : at + n], batch)

    def _cut(self, leaf: object) -> object:
        here = self._strategy._replicas
        if not self._is_divided:
            return _for_replicas([_part(leaf, i, len(here)) for i in range(len(here))])
        count = self._strategy.num_replicas_in_sync
        return _for_replicas([_part(leaf, each._number, count) for each in here])


class DealtDataset(DistributedDataset):
    """A dataset whose elements are dealt to the replicas in turn, then empty ones to the last."""

    def _elements(self) -> Iterator[Any]:
        return agreed(self._hands(), self._dataset, self._strategy._cluster)

    def _hands(self) -> Iterator[Any]:
        count = len(self._strategy._replicas)
        rest = iter(self._dataset)
        while hand := list(islice(rest, count)):
            yield joined([*hand, *[emptied(hand[0])] * (count - len(hand))])


def _part(leaf: object, number: int, count: int) -> Tensor | RaggedTensor:
    """The rows of a batch that one of several replicas gets."""
    batch = leaf if isinstance(leaf, RaggedTensor) else as_tensor(leaf)
    if not batch.shape.rank:
        raise ValueError(
            "A dataset for several replicas must have batches, whose rows are divided among them: "
            "call `dataset.batch(size)` before it is distributed."
        )
    rows = _share(batch.shape[0], count)
    part: Tensor | RaggedTensor = batch[number * rows : (number + 1) * rows]
    return part


def _share(rows: int, count: int) -> int:
    """How many rows of a batch each gets."""
    return -(-rows // count)


def _for_replicas(parts: list[Any], kind: Callable[..., object] = PerReplica) -> object:
    """The parts of the replicas of this process; the only one as it is."""
    return parts[0] if len(parts) == 1 else kind(*parts)


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
