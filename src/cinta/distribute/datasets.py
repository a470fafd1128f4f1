"""Datasets of which each replica gets a part."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from .. import nest
from ..data.batching import batch_size
from ..data.dataset import Dataset
from ..data.dataset_options import AutoShardPolicy
from ..data.iterator import Optional
from ..engine.convert import as_tensor
from ..engine.distributed_values import PerReplica
from ..engine.sparse_tensor import SparseTensor
from ..errors import EndOfSequence
from ..ops.arguments import instance
from ..ops.ragged.tensor import RaggedTensor
from ..programs.specs import TensorSpec
from ..public import public
from .file_sharding import of_some_files
from .replica_values import PerReplicaSpec, joined
from .sharding import agreed, emptied, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .strategy import Strategy


@public("distribute.DistributedDataset")
class DistributedDataset:
    """The batches of a dataset, each cut into a part for every replica.

    A batch is cut into parts of ceil(rows / replicas) rows; the last ones may be shorter, or empty.

    >>> import cinta as tf
    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    >>> batches = tf.data.Dataset.range(6).batch(4)
    >>> for batch in strategy.experimental_distribute_dataset(batches):
    ...     print(*batch.values)
    tf.Tensor([0 1], shape=(2,), dtype=int64) tf.Tensor([2 3], shape=(2,), dtype=int64)
    tf.Tensor([4], shape=(1,), dtype=int64) tf.Tensor([5], shape=(1,), dtype=int64)

    Args:
        dataset: The dataset.
        strategy: The strategy that has the replicas.

    Raises:
        TypeError: If it is not a dataset.
    """

    _has_all: ClassVar = True
    """Whether the dataset has the elements of all processes."""

    def __init__(self, dataset: Dataset, strategy: Strategy) -> None:
        if not isinstance(dataset, Dataset):
            raise TypeError(
                f"A DistributedDataset is made of a tf.data.Dataset, not of {dataset!r}: use "
                "tf.data.Dataset.from_tensor_slices(...) for arrays."
            )
        from .strategy import Strategy  # which makes distributed datasets

        self._dataset, self._strategy = dataset, instance(strategy, Strategy, "strategy")
        asked = vars(dataset.options().experimental_distribute)["auto_shard_policy"]
        policy = AutoShardPolicy.AUTO if asked is None else asked
        self._is_divided = policy is not AutoShardPolicy.OFF  # by rows, among the processes
        by_files = self._has_all and policy in (AutoShardPolicy.AUTO, AutoShardPolicy.FILE)
        if by_files and strategy._cluster is not None:
            own = of_some_files(dataset, strategy._cluster, policy)
            if own is not None:
                self._dataset, self._is_divided = own, False

    @property
    def element_spec(self) -> object:
        """The specs of what each replica gets."""
        here = len(self._strategy._replicas)
        return nest.map_structure(
            lambda spec: _for_replicas([self._cut_spec(spec)] * here, PerReplicaSpec),
            self._dataset.element_spec,
        )

    @property
    def cardinality(self) -> Any:
        """How many batches there are; tf.data.UNKNOWN_CARDINALITY or INFINITE_CARDINALITY.

        >>> import cinta as tf
        >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
        >>> dataset = tf.data.Dataset.range(6).batch(4)
        >>> int(strategy.experimental_distribute_dataset(dataset).cardinality)
        2
        """
        return self._dataset.cardinality().numpy()

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
        size = batch_size(self._dataset._stage)
        for batch in self._dataset:
            length = _rows(nest.flatten(batch)[0]) or 0
            size = size or length  # the first one is whole, unless there is no other
            share = _share(size, len(cluster))
            for start in range(0, length, share):
                yield nest.map_structure(partial(rows, start=start, stop=start + share), batch)

    def _cut_spec(self, spec: object) -> object:
        """The spec of a replica's part: its length is known if all get equally many rows."""
        count = self._strategy.num_replicas_in_sync
        if not isinstance(spec, TensorSpec) or not spec.shape.rank:
            return spec
        length = spec.shape[0]
        known = length is not None and not length % count
        return TensorSpec([length // count if known else None, *spec.shape[1:]], spec.dtype)

    def _cut(self, leaf: object) -> object:
        here = self._strategy._replicas
        if not self._is_divided:
            return _for_replicas([_part(leaf, i, len(here)) for i in range(len(here))])
        count = self._strategy.num_replicas_in_sync
        return _for_replicas([_part(leaf, each._number, count) for each in here])


class DealtDataset(DistributedDataset):
    """Datasets whose elements are dealt to the replicas in turn, then empty ones to the last.

    There is one for all replicas, or one for each. Elements of one fixed shape cannot be empty:
    those that are not enough for all are left.
    """

    _has_all = False

    def __init__(self, datasets: Sequence[Dataset], strategy: Strategy) -> None:
        super().__init__(datasets[0], strategy)
        self._datasets = datasets

    def _elements(self) -> Iterator[Any]:
        return agreed(self._hands(), self._dataset, self._strategy._cluster)

    def _hands(self) -> Iterator[Any]:
        count = len(self._strategy._replicas)
        each = count // len(self._datasets)
        rest = [iter(dataset) for dataset in self._datasets]
        while any(hands := [list(islice(one, each)) for one in rest]):
            lacking = count - sum(map(len, hands))
            if lacking and self._is_fixed():
                return
            without = emptied(next(filter(None, hands))[0]) if lacking else None
            yield joined([x for hand in hands for x in (*hand, *[without] * (each - len(hand)))])

    def _is_fixed(self) -> bool:
        """Whether every element must have the same shape."""
        specs = nest.flatten(self._dataset.element_spec)
        fixed = all(
            isinstance(each, TensorSpec) and each.shape.is_fully_defined() for each in specs
        )
        return fixed and self._strategy._cluster is None

    def _cut_spec(self, spec: object) -> object:
        if self._is_fixed() or not isinstance(spec, TensorSpec) or not spec.shape.rank:
            return spec
        return TensorSpec([None, *spec.shape[1:]], spec.dtype)


def _part(leaf: object, number: int, count: int) -> object:
    """The rows of a batch that one of several replicas gets."""
    length = _rows(leaf)
    if length is None:
        raise ValueError(
            "A dataset for several replicas must have batches, whose rows are divided among them: "
            "call `dataset.batch(size)` before it is distributed."
        )
    share = _share(length, count)
    return rows(leaf, number * share, (number + 1) * share)


def _rows(leaf: object) -> int | None:
    """How many rows a batch has; None for what has none."""
    batch = leaf if isinstance(leaf, (RaggedTensor, SparseTensor)) else as_tensor(leaf)
    return batch.shape[0] if batch.shape.rank else None


def _share(rows: int, count: int) -> int:
    """How many rows of a batch each gets."""
    return -(-rows // count)


def _for_replicas(parts: list[Any], kind: Callable[..., object] = PerReplica) -> object:
    """The parts of the replicas of this process; the only one as it is."""
    return parts[0] if len(parts) == 1 else kind(*parts)


@public("distribute.DistributedIterator")
class DistributedIterator:
    """An iterator over what the replicas get.

    >>> import cinta as tf
    >>> strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    >>> iterator = iter(strategy.experimental_distribute_dataset(tf.data.Dataset.range(4).batch(4)))
    >>> iterator.get_next().values[1].numpy()
    array([2, 3])
    >>> iterator.get_next_as_optional().has_value().numpy()
    np.False_

    Args:
        elements: An iterator over the elements.
        element_spec: Their spec.
    """

    def __init__(self, elements: Iterator[Any], element_spec: object) -> None:
        self._elements, self.element_spec = elements, element_spec

    def __iter__(self) -> DistributedIterator:
        return self

    def __next__(self) -> Any:
        for element in self._elements:
            return element
        raise EndOfSequence

    def get_next(self) -> Any:
        """The next element. Raises OutOfRangeError at the end."""
        return next(self)

    def get_next_as_optional(self) -> Optional:
        """The next element, or nothing at the end."""
        for element in self._elements:
            return Optional([element], self.element_spec)
        return Optional.empty(self.element_spec)
