"""The processes that have meshes together: clients, as the environment names them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..distribute.join_cluster import cluster_of_program, join_named
from ..engine.devices import logical_devices
from ..ops.arguments import integer
from ..public import public

if TYPE_CHECKING:
    from ..distribute.cluster import Cluster

_JOBS, _CLIENT, _JOB_NAME = "DTENSOR_JOBS", "DTENSOR_CLIENT_ID", "DTENSOR_JOB_NAME"
"""The variables of the environment that say it."""


def join() -> None:
    """Wait for the other processes, if the environment names some."""
    addresses = jobs()
    if len(addresses) > 1:
        names = [f"{job_name()} {i} ({address})" for i, address in enumerate(addresses)]
        join_named(names, addresses[0], client_id(), len(logical_devices()))


def cluster_of_meshes() -> Cluster | None:
    """The processes that have joined; None where there is one."""
    cluster = cluster_of_program()
    if cluster is None and len(jobs()) > 1:
        raise ValueError(
            "Accelerators are uninitialized, please run dtensor.initialize_accelerator_system() "
            f"first: {_JOBS} names {len(jobs())} processes."
        )
    return cluster


@public("experimental.dtensor.jobs")
def jobs() -> list[str]:
    """The addresses of the processes; none where there is one.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.jobs()
    []
    """
    return [each for each in os.environ.get(_JOBS, "").split(",") if each]


@public("experimental.dtensor.num_clients")
def num_clients() -> int:
    """The number of processes.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.num_clients()
    1
    """
    cluster = cluster_of_program()
    return len(jobs()) or 1 if cluster is None else len(cluster)


@public("experimental.dtensor.client_id")
def client_id() -> int:
    """The number of this process.

    Raises:
        ValueError: If the environment gives a number that no process has.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.client_id()
    0
    """
    cluster = cluster_of_program()
    if cluster is not None:
        return cluster.number
    text = os.environ.get(_CLIENT, "0")
    if not text.isdigit() or int(text) >= num_clients():
        raise ValueError(
            f"Environment variable {_CLIENT} must be >= 0 and < {num_clients()}, got {text}"
        )
    return int(text)


@public("experimental.dtensor.job_name")
def job_name() -> str:
    """The name of the job of this process.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.job_name()
    'localhost'
    """
    return os.environ.get(_JOB_NAME, "localhost" if num_clients() == 1 else "worker")


@public("experimental.dtensor.full_job_name")
def full_job_name(task_id: int | None = None) -> str:
    """The name of the task of this process.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.full_job_name()
    'localhost/replica:0/task:0'

    Args:
        task_id: The number of another task; None for that of this process.

    Raises:
        ValueError: If there is no such task.
    """
    number = client_id() if task_id is None else integer(task_id, "task_id")
    if num_clients() == 1 and number != 0:
        raise ValueError(f"Unexpected task ID {number} in local runs: `task_id` must be 0.")
    return f"{job_name()}/replica:0/task:{number}"
