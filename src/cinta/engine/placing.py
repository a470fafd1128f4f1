"""The device that values are said to be on: that of the block in which they are made."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..errors import InvalidArgumentError
from ..public import public
from . import settings
from .devices import CPU, DeviceSpec, current_device, logical_devices, place
from .tensor import mark_devices

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

_HERE = {"job": "localhost", "replica": 0, "task": 0}


@contextmanager
def placed(name: str) -> Iterator[None]:
    """Let what is made in the block be on the device of this name."""
    if name != CPU:
        mark_devices()
    before, place.device = place.device, name
    try:
        yield
    finally:
        place.device = before


@public("device")
def device(device_name: str | int | None) -> AbstractContextManager[None]:
    """Compute in the block on the device of this name, if it is there; else on the processor.

    The devices are the parts of the processor (``tf.config.set_logical_device_configuration``), and
    a value's ``device`` tells in which block it was made. A device that is not there is replaced
    by the processor, unless ``tf.config.set_soft_device_placement(False)`` forbids it.

    >>> import cinta as tf
    >>> with tf.device("/GPU:0"):
    ...     print(tf.constant(1.0).device)
    /job:localhost/replica:0/task:0/device:CPU:0

    Args:
        device_name: A name such as "/CPU:1" or "GPU:0"; None for the device chosen outside.
    """
    from .with_blocks import FollowedBlock  # if it is used

    return FollowedBlock(_placed_as(device_name), device_name)


@contextmanager
def _placed_as(device_name: str | int | None) -> Iterator[None]:
    """A block on the device that is found when the block is entered."""
    with placed(CPU if device_name is None else _found(_spec(device_name))):
        yield


def _spec(given: object) -> DeviceSpec:
    if isinstance(given, DeviceSpec):
        return given
    if not isinstance(given, str):
        raise ValueError(f"Expecting a string device name. Got {type(given)}({given})")
    return DeviceSpec.from_string(given)


def _found(spec: DeviceSpec) -> str:
    """The device that a spec names; the first one where it names one that may be replaced.

    Devices of other machines are refused. Devices that this machine lacks are refused, too, if
    ``tf.config.set_soft_device_placement(False)`` was called.
    """
    elsewhere = [key for key, here in _HERE.items() if getattr(spec, key) not in (None, here)]
    if spec.device_type is None and spec.device_index is None and not elsewhere:
        return current_device()
    devices, index = logical_devices(), spec.device_index or 0
    is_there = spec.device_type in (None, "CPU") and index < len(devices)
    if elsewhere or not (is_there or settings.soft_device_placement):
        raise InvalidArgumentError(
            f"{spec.to_string()} unknown device: there is only {', '.join(devices)}."
        )
    return devices[index] if is_there else CPU
