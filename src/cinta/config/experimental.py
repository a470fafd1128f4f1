"""The names of tf.config.experimental."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine import settings
from ..listing import only_public as _only_public
from ..ops.arguments import flag as _flag
from .device_lists import PhysicalDevice
from .device_lists import get_visible_devices as get_visible_devices
from .device_lists import list_logical_devices as list_logical_devices
from .device_lists import list_physical_devices as list_physical_devices
from .device_lists import set_visible_devices as set_visible_devices

if TYPE_CHECKING:
    from typing import Any


def enable_op_determinism() -> None:
    """Let ops give the same results in every run, which they do anyway.

    >>> import cinta as tf
    >>> tf.config.experimental.enable_op_determinism()
    """


def tensor_float_32_execution_enabled() -> bool:
    """What ``enable_tensor_float_32_execution`` was told last; True in the beginning.

    >>> import cinta as tf
    >>> tf.config.experimental.tensor_float_32_execution_enabled()
    True
    """
    return settings.tensor_float_32


def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Note whether products may round their factors, which only some GPUs do.

    >>> import cinta as tf
    >>> tf.config.experimental.enable_tensor_float_32_execution(True)
    """
    settings.tensor_float_32 = _flag(enabled, "enabled")


def get_device_details(device: PhysicalDevice) -> dict[str, Any]:
    """What is known of a device beside its name: nothing of a processor.

    >>> import cinta as tf
    >>> (cpu,) = tf.config.list_physical_devices()
    >>> tf.config.experimental.get_device_details(cpu)
    {}
    """
    if not isinstance(device, PhysicalDevice):
        raise ValueError(f"device must be a tf.config.PhysicalDevice, but got: {device!r}")
    return {}


def get_memory_growth(device: PhysicalDevice) -> bool:
    """Refused: only the memory of GPUs is claimed ahead."""
    raise ValueError(f"Cannot get memory growth on non-GPU and non-Pluggable devices: {device!r}")


def set_memory_growth(device: PhysicalDevice, enable: bool) -> None:
    """Refused: only the memory of GPUs is claimed ahead."""
    raise ValueError(f"Cannot set memory growth on non-GPU and non-Pluggable devices: {device!r}")


__dir__ = _only_public(globals())
