"""Resolvers: the processes that take part in a computation."""

from __future__ import annotations

import json
import os
from typing import Any

from ..ops.arguments import text, whole_number
from ..public import public
from .cluster_spec import ClusterSpec


@public("distribute.cluster_resolver.ClusterResolver")
class ClusterResolver:
    """The processes of a cluster, and which of them this is; base of your own resolvers.

    >>> import cinta as tf
    >>> class Pair(tf.distribute.cluster_resolver.ClusterResolver):
    ...     task_type, task_id = "worker", 0
    ...     def cluster_spec(self):
    ...         return tf.train.ClusterSpec({"worker": ["a:1", "b:1"]})
    >>> Pair().master(), Pair().master(task_id=1), Pair().num_accelerators()
    ('a:1', 'b:1', {})
    """

    task_type: str | None = None
    task_id: int | None = None
    rpc_layer: str | None = None

    def cluster_spec(self) -> ClusterSpec:
        """The processes of the cluster; a class that is derived must say it, else it raises."""
        raise NotImplementedError(f"{type(self).__name__}.cluster_spec")

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """The address of a process; empty for the only one.

        Args:
            task_type: The job of the process; None for that of this one.
            task_id: Its number in the job; None for that of this one.
            rpc_layer: What stands in front of the address, before ``://``; None for that of the
                resolver.

        Raises:
            ValueError: If the cluster has no such process.
        """
        spec = self.cluster_spec()
        kind = self.task_type if task_type is None else task_type
        number = self.task_id if task_id is None else task_id
        if not spec or kind is None or number is None:
            return ""
        kind, number = text(kind, "task_type"), whole_number(number, "task_id")
        if kind not in spec.jobs or number not in spec.task_indices(kind):
            raise ValueError(
                f"The cluster has no `task_type` {kind!r} with `task_id` {number}: {spec}."
            )
        layer = self.rpc_layer if rpc_layer is None else text(rpc_layer, "rpc_layer")
        return _with_layer(spec.task_address(kind, number), layer)

    @property
    def environment(self) -> str:
        """The kind of cluster; empty for those that are run by hand."""
        return ""

    def num_accelerators(
        self,
        task_type: str | None = None,
        task_id: int | None = None,
        config_proto: object = None,
    ) -> dict[str, int]:
        """The accelerators of a process: none.

        >>> import cinta as tf
        >>> spec = tf.train.ClusterSpec({"worker": ["a:1", "b:1"]})
        >>> tf.distribute.cluster_resolver.SimpleClusterResolver(spec).num_accelerators()
        {}

        Args:
            task_type: The kind of process.
            task_id: Its number.
            config_proto: Accepted.
        """
        return {}


@public("distribute.cluster_resolver.SimpleClusterResolver")
class SimpleClusterResolver(ClusterResolver):
    """A cluster that is written down.

    >>> import cinta as tf
    >>> spec = tf.train.ClusterSpec({"worker": ["a:1", "b:1"]})
    >>> resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(
    ...     spec, task_type="worker", task_id=1
    ... )
    >>> resolver.master("worker", 1), resolver.cluster_spec().num_tasks("worker")
    ('b:1', 2)

    Args:
        cluster_spec: The processes.
        master: The address that ``master()`` gives.
        task_type: The job of this process.
        task_id: Its number in the job.
        environment: What ``environment`` gives.
        num_accelerators: What ``num_accelerators()`` gives.
        rpc_layer: What stands in front of addresses, before ``://``.

    Raises:
        TypeError: If the processes are not a ``ClusterSpec``.
    """

    def __init__(
        self,
        cluster_spec: ClusterSpec,
        master: str = "",
        task_type: str | None = None,
        task_id: int | None = None,
        environment: str = "",
        num_accelerators: dict[str, int] | None = None,
        rpc_layer: str | None = None,
    ) -> None:
        if not isinstance(cluster_spec, ClusterSpec):
            raise TypeError(f"cluster_spec must be a `ClusterSpec`, got {cluster_spec!r}.")
        self._spec, self.task_type, self.task_id = cluster_spec, task_type, task_id
        self._master, self.rpc_layer = master, rpc_layer
        self._environment, self._accelerators = environment, num_accelerators or {}

    def cluster_spec(self) -> ClusterSpec:
        return self._spec

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        if task_type is not None and task_id is not None:
            return super().master(task_type, task_id, rpc_layer)
        return _with_layer(self._master, self.rpc_layer if rpc_layer is None else rpc_layer)

    @property
    def environment(self) -> str:
        return self._environment

    def num_accelerators(self, *args: object, **kwargs: object) -> dict[str, int]:
        return self._accelerators


@public("distribute.cluster_resolver.TFConfigClusterResolver")
class TFConfigClusterResolver(ClusterResolver):
    """The cluster that the environment variable ``TF_CONFIG`` describes, as JSON.

    >>> import cinta as tf
    >>> import json, os, unittest.mock
    >>> config = {"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 1}}
    >>> with unittest.mock.patch.dict(os.environ, TF_CONFIG=json.dumps(config)):
    ...     resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    ...     resolver.cluster_spec().num_tasks("worker"), resolver.task_id, resolver.master()
    (2, 1, 'b:1')

    Args:
        task_type: The job of this process; None for that of the variable.
        task_id: Its number in the job; None for that of the variable.
        rpc_layer: What stands in front of addresses, before ``://``; None for that of the variable.
        environment: Accepted.
    """

    def __init__(
        self,
        task_type: str | None = None,
        task_id: int | None = None,
        rpc_layer: str | None = None,
        environment: str | None = None,
    ) -> None:
        task = _config().get("task", {})
        self.task_type = task_type if task_type is not None else task.get("type")
        number = task_id if task_id is not None else task.get("index")
        self.task_id = None if number is None else whole_number(number, "task_id")
        self.rpc_layer = _config().get("rpc_layer") if rpc_layer is None else rpc_layer

    def cluster_spec(self) -> ClusterSpec:
        """The processes of the cluster; empty without ``TF_CONFIG``."""
        return ClusterSpec(_config().get("cluster", {}))

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """The address of a process; empty where there is one alone.

        Args:
            task_type: The job of the process; None for that of this one.
            task_id: Its number in the job; None for that of this one.
            rpc_layer: What stands in front of the address, before ``://``; None for that of the
                resolver.
        """
        tasks = self.cluster_spec().as_dict().values()
        alone = sum(map(len, tasks)) == 1
        return "" if alone else super().master(task_type, task_id, rpc_layer)


def _config() -> dict[str, Any]:
    text = os.environ.get("TF_CONFIG", "{}")
    try:
        found = json.loads(text)
    except ValueError as error:
        raise ValueError(f"TF_CONFIG is not JSON: {error}. It is {text!r}.") from None
    if not isinstance(found, dict):
        raise ValueError(f"TF_CONFIG must be a JSON object, it is {text!r}.")
    return found


def _with_layer(address: str, layer: str | None) -> str:
    """An address with the layer by which it is reached, if there is an address."""
    return f"{layer}://{address}" if layer and address else address
