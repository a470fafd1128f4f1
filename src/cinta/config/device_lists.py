"""The list of devices, which has one member."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from ..engine import settings
from ..engine.devices import DeviceSpec, divide_processor, logical_devices
from ..ops.arguments import flag, listed, text
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Sequence


@public("config.PhysicalDevice")
class PhysicalDevice(NamedTuple):
    """A device of the machine.

    >>> import cinta as tf
    >>> tf.config.list_physical_devices("CPU")
    [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    """

    name: str
    device_type: str


@public("config.LogicalDevice")
class LogicalDevice(NamedTuple):
    """A device as programs name it.

    >>> import cinta as tf
    >>> tf.config.list_logical_devices()
    [LogicalDevice(name='/device:CPU:0', device_type='CPU')]

    Args:
        name: Its name, as ``tf.device`` takes it.
        device_type: Its kind, such as "CPU".
    """

    name: str
    device_type: str


_PHYSICAL = (PhysicalDevice("/physical_device:CPU:0", "CPU"),)


@public("config.list_physical_devices", "config.experimental.list_physical_devices")
def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The machine's devices, or those of one type: the processor is all that cinta uses.

    >>> import cinta as tf
    >>> tf.config.list_physical_devices()
    [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    >>> tf.config.list_physical_devices("GPU")
    []
    """
    wanted = None if device_type is None else text(device_type, "device_type")
    return [device for device in _PHYSICAL if wanted in (None, device.device_type)]


@public("config.list_logical_devices", "config.experimental.list_logical_devices")
def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The devices as programs name them, or those of one type.

    >>> import cinta as tf
    >>> tf.config.list_logical_devices("CPU")
    [LogicalDevice(name='/device:CPU:0', device_type='CPU')]
    """
    wanted = None if device_type is None else text(device_type, "device_type")
    names = [f"/device:CPU:{i}" for i in range(len(logical_devices()))]
    return [LogicalDevice(name, "CPU") for name in names if wanted in (None, "CPU")]


@public("config.get_visible_devices", "config.experimental.get_visible_devices")
def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that are used: all that there are.

    >>> import cinta as tf
    >>> tf.config.get_visible_devices("CPU")
    [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    """
    return list_physical_devices(device_type)


@public("config.set_visible_devices", "config.experimental.set_visible_devices")
def set_visible_devices(devices: object, device_type: str | None = None) -> None:
    """Say which devices to use. The processor is always used, so this only checks its arguments.

    >>> import cinta as tf
    >>> tf.config.set_visible_devices([], "GPU")

    Args:
        devices: A device of ``tf.config.list_physical_devices()``, or a list of them.
        device_type: The kind that the list is about, such as "GPU"; None for all.

    Raises:
        ValueError: If there is no such device, or it is of another kind.
        RuntimeError: If the processor would not be used.
    """
    chosen = [devices] if isinstance(devices, PhysicalDevice) else listed(devices, "devices")
    for device in chosen:
        _check_physical(device)
        if not _is_kind(device_type, device.device_type):
            raise ValueError(f"Unrecognized device: {device!r} is no {device_type}.")
    if _is_kind(device_type, "CPU") and not chosen:
        raise RuntimeError(
            "Visible devices cannot be modified after being initialized: cinta computes on the "
            "processor alone, which cannot be hidden."
        )


def _is_kind(asked: str | None, kind: str) -> bool:
    """Whether a kind of device was asked for, or none."""
    return asked is None or text(asked, "device_type") == kind


@public("config.get_soft_device_placement")
def get_soft_device_placement() -> bool:
    """Whether the names of devices that are not there are wishes, and not errors.

    >>> import cinta as tf
    >>> tf.config.get_soft_device_placement()
    True
    """
    return settings.soft_device_placement


@public("config.set_soft_device_placement")
def set_soft_device_placement(enabled: bool) -> None:
    """Say whether ``tf.device`` takes the names of devices that are not there.

    >>> import cinta as tf
    >>> tf.config.set_soft_device_placement(True)

    Args:
        enabled: Whether it takes them.
    """
    settings.soft_device_placement = flag(enabled, "enabled")


@public("config.experimental.get_device_details")
def get_device_details(device: PhysicalDevice) -> dict[str, Any]:
    """Details of a device: none for a processor.

    >>> import cinta as tf
    >>> (cpu,) = tf.config.list_physical_devices()
    >>> tf.config.experimental.get_device_details(cpu)
    {}

    Args:
        device: One of ``tf.config.list_physical_devices()``.

    Raises:
        ValueError: If it is not a device.
    """
    if not isinstance(device, PhysicalDevice):
        raise ValueError(f"device must be a tf.config.PhysicalDevice, but got: {device!r}")
    return {}


@public("config.experimental.get_memory_growth")
def get_memory_growth(device: PhysicalDevice) -> NoReturn:
    """Refused: only the memory of GPUs is claimed ahead."""
    raise ValueError(f"Cannot get memory growth on non-GPU and non-Pluggable devices: {device!r}")


@public("config.experimental.set_memory_growth")
def set_memory_growth(device: PhysicalDevice, enable: bool) -> NoReturn:
    """Refused: only the memory of GPUs is claimed ahead."""
    raise ValueError(f"Cannot set memory growth on non-GPU and non-Pluggable devices: {device!r}")


@public("config.experimental.get_memory_info")
def get_memory_info(device: str) -> NoReturn:
    """Refused: the operating system, and not cinta, shares out the processor's memory."""
    raise _no_statistics(device)


@public("config.experimental.get_memory_usage")
def get_memory_usage(device: str) -> NoReturn:
    """Refused: the operating system, and not cinta, shares out the processor's memory."""
    raise _no_statistics(device)


@public("config.experimental.reset_memory_stats")
def reset_memory_stats(device: str) -> NoReturn:
    """Refused: the operating system, and not cinta, shares out the processor's memory."""
    raise _no_statistics(device)


def _no_statistics(device: str) -> ValueError:
    spec = DeviceSpec.from_string(text(device, "device"))
    if spec.device_type != "CPU":
        return ValueError(f"No matching devices found for '{device}': there is only the processor.")
    return ValueError(
        f"Allocator stats not available for device '{device}': ask the operating system, as by "
        "resource.getrusage."
    )


@public("config.LogicalDeviceConfiguration", "config.experimental.VirtualDeviceConfiguration")
class LogicalDeviceConfiguration(NamedTuple):
    """A part of a device that programs see as a device of its own.

    >>> import cinta as tf
    >>> tf.config.LogicalDeviceConfiguration().memory_limit is None
    True

    Args:
        memory_limit: None: the memory of a processor cannot be divided.
        experimental_priority: Accepted.
        experimental_device_ordinal: Accepted.
    """

    memory_limit: int | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


_parts: list[LogicalDeviceConfiguration] = []


@public(
    "config.set_logical_device_configuration",
    "config.experimental.set_virtual_device_configuration",
)
def set_logical_device_configuration(
    device: PhysicalDevice, logical_devices: Sequence[LogicalDeviceConfiguration] | None
) -> None:
    """Let programs see a device as several, to try what is made for several devices.

    >>> import cinta as tf
    >>> (cpu,) = tf.config.list_physical_devices()
    >>> half = tf.config.LogicalDeviceConfiguration()
    >>> tf.config.set_logical_device_configuration(cpu, [half, half])
    >>> [device.name for device in tf.config.list_logical_devices()]
    ['/device:CPU:0', '/device:CPU:1']
    >>> tf.config.set_logical_device_configuration(cpu, None)

    Args:
        device: The device, of ``tf.config.list_physical_devices()``.
        logical_devices: A ``LogicalDeviceConfiguration`` for each part; None for one device again.

    Raises:
        ValueError: If the memory of a part is limited, or there is no such device.
        TypeError: If a part is not a configuration.
    """
    _check_physical(device)
    parts = [] if logical_devices is None else listed(logical_devices, "logical_devices")
    for part in parts:
        if not isinstance(part, LogicalDeviceConfiguration):
            raise TypeError(f"`logical_devices` must be LogicalDeviceConfigurations, got {part!r}.")
        if part.memory_limit is not None:
            raise ValueError(
                "Setting memory limit on CPU virtual devices is currently not supported"
            )
    _parts[:] = parts
    divide_processor(max(1, len(parts)))


@public(
    "config.get_logical_device_configuration",
    "config.experimental.get_virtual_device_configuration",
)
def get_logical_device_configuration(
    device: PhysicalDevice,
) -> list[LogicalDeviceConfiguration] | None:
    """The parts of a device that programs see; None if it is whole.

    >>> import cinta as tf
    >>> (cpu,) = tf.config.list_physical_devices()
    >>> tf.config.get_logical_device_configuration(cpu)
    """
    _check_physical(device)
    return list(_parts) or None


def _check_physical(device: object) -> None:
    if not isinstance(device, PhysicalDevice) or device not in _PHYSICAL:
        raise ValueError(f"Unrecognized device: {device!r}; there are {list(_PHYSICAL)}.")
