"""The devices that meshes may have, and the beginning of work with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.devices import DeviceSpec, divide_processor, logical_devices
from ..ops.arguments import integer, text
from ..public import public
from .clients import client_id, cluster_of_meshes, job_name, join, num_clients
from .mesh_creation import check_processor

if TYPE_CHECKING:
    from .mesh import Mesh


@public("experimental.dtensor.heartbeat_enabled")
def heartbeat_enabled() -> bool:
    """Whether processes watch each other, which they do if there are several.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.heartbeat_enabled()
    False
    """
    return num_clients() > 1


@public("experimental.dtensor.preferred_device_type")
def preferred_device_type() -> str:
    """The type of the devices that there are.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.preferred_device_type()
    'CPU'
    """
    return "CPU"


@public("experimental.dtensor.local_devices")
def local_devices(device_type: str, for_client_id: int | None = None) -> list[DeviceSpec]:
    """The devices of a type that this process has.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.local_devices("GPU")
    []

    Args:
        device_type: "CPU", "GPU" or "TPU".
        for_client_id: The number of another process; None for that of this one.

    Raises:
        ValueError: If there is no such type.
    """
    wanted = text(device_type, "device_type").upper()
    if wanted not in ("CPU", "GPU", "TPU"):
        raise ValueError(f"`device_type` must be CPU, GPU or TPU, got {device_type!r}.")
    task = client_id() if for_client_id is None else integer(for_client_id, "for_client_id")
    place = DeviceSpec(job=job_name(), task=task)
    found = [DeviceSpec.from_string(name).make_merged_spec(place) for name in logical_devices()]
    return found if wanted == "CPU" else []


@public("experimental.dtensor.num_local_devices")
def num_local_devices(device_type: str) -> int:
    """How many devices of a type this process has.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.num_local_devices("GPU")
    0

    Args:
        device_type: "CPU", "GPU" or "TPU".
    """
    return len(local_devices(device_type))


@public("experimental.dtensor.num_global_devices")
def num_global_devices(device_type: str) -> int:
    """How many devices of a type all processes have.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.num_global_devices("GPU")
    0

    Args:
        device_type: "CPU", "GPU" or "TPU".
    """
    return len(local_devices(device_type)) * num_clients()


@public("experimental.dtensor.initialize_accelerator_system")
def initialize_accelerator_system(
    device_type: str | None = None,
    enable_coordination_service: bool = True,
    num_logical_cpu_devices: int | None = None,
    experimental_reset_context: bool = False,
    experimental_enable_megcore: bool = False,
) -> str:
    """Begin to compute with the devices that there are; the type of them.

    Where ``DTENSOR_JOBS`` names several processes, it waits until all of them have begun.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.initialize_accelerator_system("CPU")
    'CPU'

    Args:
        device_type: None or "CPU".
        enable_coordination_service: Accepted.
        num_logical_cpu_devices: Into how many devices the processor is divided; None leaves it.
        experimental_reset_context: Accepted.
        experimental_enable_megcore: Accepted.
    """
    check_processor(device_type)
    if num_logical_cpu_devices is not None:
        divide_processor(integer(num_logical_cpu_devices, "num_logical_cpu_devices"))
    join()
    return "CPU"


@public("experimental.dtensor.shutdown_accelerator_system")
def shutdown_accelerator_system() -> None:
    """End what ``initialize_accelerator_system`` has begun: nothing that lasts.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.shutdown_accelerator_system()
    """


@public("experimental.dtensor.barrier")
def barrier(mesh: Mesh, barrier_name: str | None = None, timeout_in_ms: int | None = None) -> None:
    """Wait until all processes of a mesh are here.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.barrier(tf.experimental.dtensor.create_mesh(devices=["CPU:0"]))

    Args:
        mesh: The mesh.
        barrier_name: A name that errors tell.
        timeout_in_ms: For how many milliseconds at most.
    """
    cluster = cluster_of_meshes()
    if cluster is not None and mesh.is_shared:
        name = "(barrier)" if barrier_name is None else text(barrier_name, "barrier_name")
        limit = None if timeout_in_ms is None else integer(timeout_in_ms, "timeout_in_ms") / 1000
        cluster.exchange_parts(name, [], limit)
