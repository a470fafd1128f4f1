"""The cluster of a job that Slurm has started."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ..ops.arguments import whole_number
from ..public import public
from .cluster_spec import ClusterSpec
from .resolvers import ClusterResolver

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@public("distribute.cluster_resolver.SlurmClusterResolver")
class SlurmClusterResolver(ClusterResolver):
    """The processes of a job step of Slurm, as its environment variables tell them.

    >>> import cinta as tf
    >>> import os, unittest.mock
    >>> slurm = {"SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "2"}
    >>> slurm |= {"SLURM_STEP_NODELIST": "node[1-2]", "SLURM_STEP_TASKS_PER_NODE": "1(x2)"}
    >>> with unittest.mock.patch.dict(os.environ, slurm):  # as `srun -n 2` does
    ...     resolver = tf.distribute.cluster_resolver.SlurmClusterResolver()
    ...     resolver.get_task_info(), resolver.cluster_spec().as_dict()
    (('worker', 1), {'worker': ['node1:8888', 'node2:8888']})

    Args:
        jobs: How many tasks each job has; None for one job, "worker".
        port_base: The port of the first task of a node.
        gpus_per_node: Accepted.
        gpus_per_task: Accepted.
        tasks_per_node: How many tasks each node has; None for what Slurm tells.
        auto_set_gpu: Accepted.
        rpc_layer: Accepted.
    """

    def __init__(
        self,
        jobs: Mapping[str, int] | None = None,
        port_base: int = 8888,
        gpus_per_node: int | None = None,
        gpus_per_task: int | None = None,
        tasks_per_node: int | list[int] | None = None,
        auto_set_gpu: bool = True,
        rpc_layer: str = "grpc",
    ) -> None:
        self._port = whole_number(port_base, "port_base")
        self._given, self._tasks_per_node = jobs, tasks_per_node
        self.rpc_layer = rpc_layer
        self.task_type = self.task_id = None

    def get_task_info(self) -> tuple[str, int]:
        """The job of this process, and its number in the job.

        Raises RuntimeError if Slurm has not started it, or has started more tasks than the jobs
        have.
        """
        rank = int(_told("PROCID"))
        for job, count in self._jobs().items():
            if rank < count:
                return job, rank
            rank -= count
        raise RuntimeError(
            f"This process has the number {_told('PROCID')} in its job step, and `jobs` are "
            f"{self._jobs()}: they must have as many tasks together as Slurm has started."
        )

    def cluster_spec(self) -> ClusterSpec:
        """The processes of the job step: on each node, ports count up from `port_base`."""
        self.task_type, self.task_id = self.get_task_info()
        hosts = [
            f"{host}:{self._port + i}"
            for host, count in zip(self._nodes(), self._counts(), strict=True)
            for i in range(count)
        ]
        addresses = iter(hosts)
        return ClusterSpec(
            {job: [next(addresses) for _ in range(n)] for job, n in self._jobs().items()}
        )

    def _jobs(self) -> dict[str, int]:
        return dict(self._given or {"worker": int(_told("STEP_NUM_TASKS"))})

    def _nodes(self) -> list[str]:
        return list(expanded(_told("STEP_NODELIST")))

    def _counts(self) -> list[int]:
        """How many tasks there are on each node."""
        given = self._tasks_per_node
        if given is None:
            return list(repeated(_told("STEP_TASKS_PER_NODE")))
        return [given] * len(self._nodes()) if isinstance(given, int) else list(given)


def _told(name: str) -> str:
    """The value of a variable that Slurm sets."""
    found = os.environ.get(f"SLURM_{name}")
    if found is None:
        raise RuntimeError(
            f"Slurm has not set SLURM_{name}: start the program by `srun`, or describe the "
            "cluster by TF_CONFIG."
        )
    return found


def expanded(nodes: str) -> Iterator[str]:
    """The names of nodes, of a list such as ``a[1-3,07],b``."""
    for name, numbers, rest in re.findall(r"([^,\[\]]+)(?:\[([^\]]*)\])?([^,]*)", nodes):
        if not numbers:
            yield name + rest
            continue
        for part in numbers.split(","):
            first, _, last = part.partition("-")
            for number in range(int(first), int(last or first) + 1):
                yield f"{name}{number:0{len(first)}}{rest}"


def repeated(counts: str) -> Iterator[int]:
    """The numbers of a list such as ``2(x3),1``."""
    for count, times in re.findall(r"(\d+)(?:\(x(\d+)\))?", counts):
        yield from [int(count)] * int(times or 1)
