"""The processes of a cluster, by their jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ops.arguments import text, whole_number
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Mapping


@public("train.ClusterSpec")
class ClusterSpec:
    """The addresses of the processes that take part, by jobs and by their numbers in these.

    >>> import cinta as tf
    >>> spec = tf.train.ClusterSpec({"chief": ["c:1"], "worker": {1: "b:1"}})
    >>> spec.num_processes(), spec.num_tasks("worker"), spec.task_address("worker", 1)
    (2, 1, 'b:1')
    >>> spec.task_indices("worker"), spec.job_tasks("worker")
    ([1], [None, 'b:1'])
    >>> spec.as_dict()
    {'chief': ['c:1'], 'worker': {1: 'b:1'}}

    Args:
        cluster: A dictionary from the names of jobs to lists of addresses, or to dictionaries of
            them by numbers; or another ``ClusterSpec``.

    Raises:
        TypeError: If it is neither.
    """

    def __init__(self, cluster: Mapping[str, Any] | ClusterSpec) -> None:
        given: Any = cluster.as_dict() if isinstance(cluster, ClusterSpec) else cluster
        if not hasattr(given, "items"):
            raise TypeError(
                "`cluster` must be a dictionary from the names of jobs to lists of addresses, or a "
                f"ClusterSpec, got {cluster!r}."
            )
        self._tasks: dict[str, dict[int, str]] = {
            job: _numbered(job, tasks) for job, tasks in given.items()
        }

    def __bool__(self) -> bool:
        return bool(self._tasks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClusterSpec) and self._tasks == other._tasks

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        jobs = ", ".join(f"{job!r}: {tasks!r}" for job, tasks in sorted(self.as_dict().items()))
        return f"ClusterSpec({{{jobs}}})"

    @property
    def jobs(self) -> list[str]:
        """The names of the jobs."""
        return list(self._tasks)

    def as_dict(self) -> dict[str, Any]:
        """The addresses by jobs: lists where tasks are numbered from 0 on, else dictionaries."""
        return {
            job: list(tasks.values()) if [*tasks] == [*range(len(tasks))] else dict(tasks)
            for job, tasks in self._tasks.items()
        }

    def num_tasks(self, job_name: str) -> int:
        """How many tasks a job has.

        Args:
            job_name: The name of the job.

        Raises:
            ValueError: If there is no such job.
        """
        return len(self._job(job_name))

    def num_processes(self) -> int:
        """How many processes take part, those that only evaluate left out."""
        return sum(len(tasks) for job, tasks in self._tasks.items() if job != "evaluator")

    def task_indices(self, job_name: str) -> list[int]:
        """The numbers of the tasks of a job.

        Args:
            job_name: The name of the job.

        Raises:
            ValueError: If there is no such job.
        """
        return sorted(self._job(job_name))

    def task_address(self, job_name: str, task_index: int) -> str:
        """The address of a task.

        Args:
            job_name: The name of the job.
            task_index: The number of the task.

        Raises:
            ValueError: If there is no such job or task.
        """
        tasks = self._job(job_name)
        if whole_number(task_index, "task_index") not in tasks:
            raise ValueError(f"No task with `task_index` {task_index!r} in job {job_name!r}.")
        return tasks[task_index]

    def job_tasks(self, job_name: str) -> list[str | None]:
        """The addresses of a job, by the numbers of tasks; None where there is none.

        Args:
            job_name: The name of the job.

        Raises:
            ValueError: If there is no such job.
        """
        tasks = self._job(job_name)
        return [tasks.get(i) for i in range(max(tasks, default=-1) + 1)]

    def _job(self, name: str) -> dict[int, str]:
        name = text(name, "job_name")
        if name not in self._tasks:
            raise ValueError(f"No such job in cluster: `job_name` {name!r}. There are {self.jobs}.")
        return self._tasks[name]


def _numbered(job: str, tasks: object) -> dict[int, str]:
    """The addresses of a job by their numbers."""
    if isinstance(tasks, (list, tuple)):
        found = dict(enumerate(tasks))
    elif isinstance(tasks, int):
        found = dict.fromkeys(range(tasks), "")
    elif hasattr(tasks, "items"):
        found = {int(i): address for i, address in tasks.items()}
    else:
        raise TypeError(f"The tasks of job {job!r} must be a list of addresses, got {tasks!r}.")
    for address in found.values():
        if not isinstance(address, str):
            raise TypeError(f"Task address must be bytes or unicode string, got {address!r}.")
    return found
