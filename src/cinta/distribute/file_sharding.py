"""Datasets of which each process reads some files.

The names of files are divided, and all that stands behind the names is as it was.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from ..data.caching import Cache
from ..data.dataset import Dataset
from ..data.dataset_options import AutoShardPolicy, WithOptions
from ..data.file_datasets import InFiles, InFilesByTurns
from ..data.nesting import FlatMap
from ..data.randomness import undisturbed
from ..data.shuffling import Shuffle
from ..data.source_stages import TableRows
from ..data.stage import exactly
from ..data.subsets import Repeat, Shard
from ..data.threads import Prefetch
from ..errors import InvalidArgumentError, NotFoundError

if TYPE_CHECKING:
    from ..data.stage import Stage
    from .cluster import Cluster

_KEEPING = (Cache, Prefetch, Repeat, Shuffle, TableRows, WithOptions)
"""Stages that let names come in another order or again: they are divided before."""


def of_some_files(dataset: Dataset, cluster: Cluster, policy: AutoShardPolicy) -> Dataset | None:
    """The dataset of the files that this process reads; None where elements are to be divided."""
    stage = dataset._stage
    readers = _readers(stage)
    if not readers:
        if policy is AutoShardPolicy.FILE:
            raise NotFoundError(
                "AutoShardPolicy.FILE divides files, and this dataset reads none that could be "
                "divided: set the policy to AutoShardPolicy.DATA or OFF."
            )
        return None
    count = min([each.inputs[0].cardinality() for each in readers])
    if 0 <= count < len(cluster):
        if policy is AutoShardPolicy.FILE:
            raise InvalidArgumentError(
                f"AutoShardPolicy.FILE gives each process some of the files, but there are {count} "
                f"for {len(cluster)} processes: set the policy to AutoShardPolicy.DATA or OFF."
            )
        return None
    return Dataset._of(_with_some_files(stage, cluster, readers))


def _readers(stage: Stage) -> list[FlatMap]:
    """The stages that make the contents of files out of names, the first in each branch."""
    found = [each for source in stage.inputs for each in _readers(source)]
    return found or ([stage] if isinstance(stage, FlatMap) and _reads(stage) else [])


def _reads(stage: FlatMap) -> bool:
    """Whether the datasets that a stage makes of elements are those of files."""
    if isinstance(stage, (InFiles, InFilesByTurns)):
        return True
    source = stage.inputs[0]
    with undisturbed(source):
        first = list(exactly(source.flow(), 1))
    return bool(first and _readers(stage.apply(first[0])))


def _with_some_files(stage: Stage, cluster: Cluster, readers: list[FlatMap]) -> Stage:
    changed = copy(stage)
    if stage in readers:
        changed.inputs = (_some(stage.inputs[0], cluster),)
    else:
        changed.inputs = tuple(_with_some_files(each, cluster, readers) for each in stage.inputs)
    return changed


def _some(names: Stage, cluster: Cluster) -> Stage:
    """The names for this process: before they are put into an order, which may be another here."""
    if not isinstance(names, _KEEPING):
        return Shard(names, len(cluster), cluster.number)
    changed = copy(names)
    changed.inputs = (_some(names.inputs[0], cluster),)
    return changed
