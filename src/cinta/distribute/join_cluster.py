"""From a resolver to the cluster that a program takes part in."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ..replay.engines import check_has_jax

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .cluster import Cluster
    from .cluster_spec import ClusterSpec
    from .resolvers import ClusterResolver

_IN_ORDER = ("chief", "worker")
"""The jobs that train, in the order of their processes."""


def cluster_of(resolver: ClusterResolver, devices: int, limit: float | None) -> Cluster | None:
    """The cluster of a resolver, joined by this process; None where there is no other process."""
    spec = resolver.cluster_spec()
    tasks = _tasks(spec)
    if len(tasks) < 2 or resolver.task_type == "evaluator":
        return None
    here = resolver.task_type, resolver.task_id
    if here not in tasks:
        raise ValueError(
            f"The cluster {spec} has no task {here[0]!r} with number {here[1]!r}, which this "
            "process should be: see `task_type` and `task_id`, or TF_CONFIG['task']."
        )
    addresses = [spec.task_address(*task) for task in tasks]
    names = [
        f"{job} {number} ({address})"
        for (job, number), address in zip(tasks, addresses, strict=True)
    ]
    return join_named(names, addresses[0], tasks.index(here), devices, limit)


def join_named(
    names: Sequence[str], address: str, number: int, devices: int, limit: float | None = None
) -> Cluster:
    """The cluster of processes with these names, of which this is one, joined at the address."""
    check_has_jax("Several processes need")
    from .cluster import joined_cluster  # which most programs do not need

    return joined_cluster(names, address, number, devices, limit)


def cluster_of_program() -> Cluster | None:
    """The cluster that this program has joined."""
    module = sys.modules.get(f"{__package__}.cluster")
    return module.joined() if module is not None else None


def _tasks(spec: ClusterSpec) -> list[tuple[str, int]]:
    """The tasks that train, the chief first."""
    if "ps" in spec.jobs:
        raise ValueError(
            f"The cluster {spec} has tasks 'ps', which hold variables: here all workers do. Leave "
            "them out, and train with tf.distribute.MultiWorkerMirroredStrategy."
        )
    unknown = {*spec.jobs} - {*_IN_ORDER, "evaluator"}
    if unknown:
        raise ValueError(
            f"The cluster has unknown jobs {sorted(unknown)}: tasks are 'chief', 'worker' or "
            "'evaluator'."
        )
    return [(job, i) for job in _IN_ORDER if job in spec.jobs for i in spec.task_indices(job)]
