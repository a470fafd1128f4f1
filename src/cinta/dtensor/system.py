"""The processes and devices that meshes may have: those of one process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.devices import DeviceSpec, divide_processor, logical_devices
from ..ops.arguments import integer, text
from ..public import public
from .mesh import check_processor

if TYPE_CHECKING:
    from .mesh import Mesh


@public("experimental.dtensor.num_clients")
def num_clients() -> int:
    """The number of processes.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.num_clients()
    1
    """
    return 1


@public("experimental.dtensor.client_id")
def client_id() -> int:
    """The number of this process.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.client_id()
    0
    """
    return 0


@public("experimental.dtensor.job_name")
def job_name() -> str:
    """The name of the job of this process.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.job_name()
    'localhost'
    """
    return "localhost"


@public("experimental.dtensor.full_job_name")
def full_job_name(task_id: int | None = None) -> str:
    """The name of the task of this process.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.full_job_name()
    'localhost/replica:0/task:0'
    """
    number = 0 if task_id is None else integer(task_id, "task_id")
    return f"localhost/replica:0/task:{number}"


@public("experimental.dtensor.jobs")
def jobs() -> list[str]:
    """The addresses of the processes; none where there is one.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.jobs()
    []
    """
    return []


@public("experimental.dtensor.heartbeat_enabled")
def heartbeat_enabled() -> bool:
    """Whether processes watch each other: there is one.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.heartbeat_enabled()
    False
    """
    return False


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
    """
    wanted = text(device_type, "device_type").upper()
    if wanted not in ("CPU", "GPU", "TPU"):
        raise ValueError(f"`device_type` must be CPU, GPU or TPU, got {device_type!r}.")
    found = [DeviceSpec.from_string(name) for name in logical_devices()]
    return found if wanted == "CPU" else []


@public("experimental.dtensor.num_local_devices")
def num_local_devices(device_type: str) -> int:
    """How many devices of a type this process has.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.num_local_devices("GPU")
    0
    """
    return len(local_devices(device_type))


@public("experimental.dtensor.num_global_devices")
def num_global_devices(device_type: str) -> int:
    """How many devices of a type all processes have.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.num_global_devices("GPU")
    0
    """
    return len(local_devices(device_type))


@public("experimental.dtensor.initialize_accelerator_system")
def initialize_accelerator_system(
    device_type: str | None = None,
    enable_coordination_service: bool = True,
    num_logical_cpu_devices: int | None = None,
    experimental_reset_context: bool = False,
    experimental_enable_megcore: bool = False,
) -> str:
    """Begin to compute with the devices that there are; the type of them.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.initialize_accelerator_system("CPU")
    'CPU'
    """
    check_processor(device_type)
    if num_logical_cpu_devices is not None:
        divide_processor(integer(num_logical_cpu_devices, "num_logical_cpu_devices"))
    return "CPU"


@public("experimental.dtensor.shutdown_accelerator_system")
def shutdown_accelerator_system() -> None:
    """End what ``initialize_accelerator_system`` has begun: nothing that lasts.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.shutdown_accelerator_system()
    """


@public("experimental.dtensor.barrier")
def barrier(mesh: Mesh, barrier_name: str | None = None, timeout_in_ms: int | None = None) -> None:
    """Wait until all processes of a mesh are here: there is one.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.barrier(tf.experimental.dtensor.create_mesh(devices=["CPU:0"]))
    """
