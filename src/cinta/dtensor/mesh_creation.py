"""Meshes made of the devices there are."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ..engine.devices import DeviceSpec, logical_devices
from ..ops.arguments import integer, listed, text
from ..public import public
from .clients import client_id, cluster_of_meshes, job_name
from .mesh import Mesh, full_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def check_processor(device_type: str | None) -> None:
    """Raise if this is another type of device."""
    if device_type is not None and text(device_type, "device_type").upper() != "CPU":
        raise ValueError(
            f"No matching devices found for `device_type` {device_type!r}: there is only the CPU."
        )


def _dimensions(given: object) -> dict[str, int]:
    """The sizes of axes by their names."""
    pairs = given.items() if isinstance(given, dict) else listed(given, "mesh_dims")
    found: dict[str, int] = {}
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"`mesh_dims` must be pairs of a name and a size, got {given!r}.")
        found[text(pair[0], "mesh_dims")] = integer(pair[1], "mesh_dims")
    return found


@public("experimental.dtensor.create_mesh")
def create_mesh(
    mesh_dims: Sequence[tuple[str, int]] | Mapping[str, int] | None = None,
    mesh_name: str = "",
    devices: Sequence[str | DeviceSpec] | None = None,
    device_type: str | None = None,
    use_xla_spmd: bool = False,
) -> Mesh:
    """A mesh of devices: of those that are named, or of all.

    >>> import cinta as tf
    >>> print(tf.experimental.dtensor.create_mesh([("x", 1), ("y", 1)], devices=["CPU:0"]))
    Mesh.from_string(|x=1,y=1|0|0|/job:localhost/replica:0/task:0/device:CPU:0)

    Args:
        mesh_dims: The names and lengths of the axes, in pairs or a dictionary; None for one, "x".
        mesh_name: A name.
        devices: The devices, by their names; None for all.
        device_type: None or "CPU".
        use_xla_spmd: Accepted.

    Raises:
        ValueError: If the axes have not as many places as there are devices.
    """
    check_processor(device_type)
    given = logical_devices() if devices is None else listed(devices, "devices")
    dims = {"x": len(given)} if mesh_dims is None else _dimensions(mesh_dims)
    shape = [*dims.values()]
    if prod(shape) != len(given):
        raise ValueError(
            f"length of devices ({len(given)}) must be equal to total size of the mesh of shape "
            f"{shape}"
        )
    ids = np.arange(len(given)).reshape(shape)
    return Mesh([*dims], ids, [*range(len(given))], given, mesh_name)


@public("experimental.dtensor.create_distributed_mesh")
def create_distributed_mesh(
    mesh_dims: Sequence[tuple[str, int]] | Mapping[str, int],
    mesh_name: str = "",
    local_devices: Sequence[str | DeviceSpec] | None = None,
    device_type: str | None = None,
    use_xla_spmd: bool = False,
) -> Mesh:
    """A mesh of the devices of all processes, each of which gives as many.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.create_distributed_mesh({"x": 1}, local_devices=["CPU:0"]).size
    1

    Args:
        mesh_dims: The names and lengths of the axes, in pairs or a dictionary.
        mesh_name: A name.
        local_devices: The devices of this process; None for all.
        device_type: None or "CPU".
        use_xla_spmd: Accepted.

    Raises:
        ValueError: If the axes have not as many places as there are devices.
    """
    cluster = cluster_of_meshes()
    given = logical_devices() if local_devices is None else listed(local_devices, "local_devices")
    if cluster is None:
        return create_mesh(mesh_dims, mesh_name, given, device_type)
    check_processor(device_type)
    dims = _dimensions(mesh_dims)
    shape, count = [*dims.values()], len(given) * len(cluster)
    if prod(shape) != count:
        raise ValueError(
            f"Global number of devices ({len(given)} per client * {len(cluster)} clients = {count})"
            f" must be equal to total size of the mesh of shape {shape}"
        )
    ids = np.arange(count).reshape(shape)
    local = range(cluster.number * len(given), (cluster.number + 1) * len(given))
    return Mesh([*dims], ids, local, [_of_task(each) for each in given], mesh_name)


def _of_task(device: str | DeviceSpec) -> str:
    """The name of a device of this process among those of all."""
    here = DeviceSpec(job=job_name(), task=client_id())
    return DeviceSpec.from_string(full_name(device)).make_merged_spec(here).to_string()
