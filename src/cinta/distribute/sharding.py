"""Datasets of several processes: all take the same number of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from .. import nest
from ..data.stage import UNKNOWN
from ..engine.convert import as_tensor
from ..engine.distributed_values import ReplicaValues
from ..engine.sparse_tensor import SparseTensor
from ..ops.arrays.creation import zeros
from ..ops.ragged.tensor import RaggedTensor
from ..ops.sparse.rearranging import slice as slice_of_sparse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..data.dataset import Dataset
    from ..engine.tensor import Tensor
    from ..programs.specs import TensorSpec
    from .cluster import Cluster


T = TypeVar("T")


def agreed(batches: Iterator[Any], dataset: Dataset, cluster: Cluster | None) -> Iterator[Any]:
    """Batches for as long as any process has some; where they have ended, they are empty.

    Processes that know that they have equally many ask nothing more.
    """
    if cluster is None:
        yield from batches
        return
    counts = cluster.exchange("the beginning of a dataset", [dataset.cardinality().numpy().item()])
    if len({*counts}) == 1 and counts[0] != UNKNOWN:
        yield from batches
        return
    last = None
    while True:
        batch = next(batches, None)
        if not any(cluster.exchange("the next batch of a dataset", [batch is not None])):
            return
        if batch is None:
            batch = emptied(last) if last is not None else _nothing(dataset.element_spec)
        yield batch
        last = batch


def rows(batch: object, start: int, stop: int) -> Tensor | RaggedTensor | SparseTensor:
    """Some rows of a batch, which may be fewer at its end."""
    if isinstance(batch, SparseTensor):
        rest = batch.lengths[1:]
        return slice_of_sparse(batch, [start, *[0] * len(rest)], [max(stop - start, 0), *rest])
    part: Tensor | RaggedTensor
    part = (batch if isinstance(batch, RaggedTensor) else as_tensor(batch))[start:stop]
    return part


def emptied(batch: T) -> T:
    """A batch without rows."""

    def one(leaf: object) -> object:
        if isinstance(leaf, ReplicaValues):
            return type(leaf)(*map(one, leaf.values))
        return rows(leaf, 0, 0)

    without: T = nest.map_structure(one, batch)
    return without


def _nothing(specs: object) -> object:
    """A batch without rows, of a dataset that has none."""

    def one(spec: TensorSpec) -> object:
        return zeros([0, *[n or 0 for n in spec.shape[1:]]], spec.dtype)

    return nest.map_structure(one, specs)
