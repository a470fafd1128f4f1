"""Devices: there is one, the processor; names of others are read, checked and passed over."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InvalidArgumentError
from ..public import public
from . import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
"""Where everything is."""

_logical: list[str] = [CPU]


def logical_devices() -> list[str]:
    """The devices as programs name them."""
    return list(_logical)


def divide_processor(count: int) -> None:
    """Let programs see the processor as several devices."""
    _logical[:] = [CPU.replace("CPU:0", f"CPU:{i}") for i in range(count)]


_HERE = {"job": "localhost", "replica": 0, "task": 0}
_KINDS = ("CPU", "GPU", "TPU")


@public("DeviceSpec")
class DeviceSpec(NamedTuple):
    """The parts of a device's name; None where the name leaves them open.

    >>> import cinta as tf
    >>> tf.DeviceSpec.from_string("/GPU:1").device_index
    1
    """

    job: str | None = None
    replica: int | None = None
    task: int | None = None
    device_type: str | None = None
    device_index: int | None = None

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """The parts of a name such as ``/job:localhost/task:0/device:CPU:0`` or ``/GPU:1``."""
        if not isinstance(spec, str):
            raise TypeError(f"`spec` must be a string that names a device, got {spec!r}.")
        found: dict[str, Any] = {}
        for part in filter(None, spec.split("/")):
            found |= _part(part, spec)
        return cls(**found)

    def to_string(self) -> str:
        """The name that these are the parts of."""
        parts = [
            f"/{key}:{value}"
            for key, value in zip(("job", "replica", "task"), self, strict=False)
            if value is not None
        ]
        if self.device_type is not None:
            index = "*" if self.device_index is None else self.device_index
            parts.append(f"/device:{self.device_type}:{index}")
        return "".join(parts)


def _part(part: str, spec: str) -> dict[str, Any]:
    """The meaning of one part of a device's name."""
    key, _, rest = part.partition(":")
    if key == "job":
        return {"job": rest}
    if key in ("replica", "task"):
        return {key: int(rest)}
    kind, _, index = (rest if key == "device" else part).partition(":")
    if key != "device" and kind.upper() not in _KINDS:
        raise ValueError(
            f"Unknown attribute '{key}' is encountered while parsing the device spec: '{spec}'. "
            "Devices are named like '/CPU:0', 'GPU:1' or '/job:localhost/task:0/device:CPU:0'."
        )
    found: dict[str, Any] = {"device_type": kind.upper()}
    return found | ({"device_index": int(index)} if index not in ("", "*") else {})


@public("device")
@contextmanager
def device(device_name: str | int | None) -> Iterator[None]:
    """Compute in the block on the device of this name, if it is there; else on the processor.

    cinta computes on the processor alone, and takes the names of other devices for wishes, unless
    ``tf.config.set_soft_device_placement(False)`` said that they are not.

    >>> import cinta as tf
    >>> with tf.device("/GPU:0"):
    ...     print(tf.constant(1.0).device)
    /job:localhost/replica:0/task:0/device:CPU:0
    """
    if device_name is not None:
        _check_here(_spec(device_name))
    yield


def _spec(given: object) -> DeviceSpec:
    if isinstance(given, DeviceSpec):
        return given
    if not isinstance(given, str):
        raise ValueError(f"Expecting a string device name. Got {type(given)}({given})")
    return DeviceSpec.from_string(given)


def _check_here(spec: DeviceSpec) -> None:
    """Refuse a device of another machine, and if so set every device that is not there."""
    elsewhere = [key for key, here in _HERE.items() if getattr(spec, key) not in (None, here)]
    there = spec.device_index is None or spec.device_index < len(_logical)
    absent = spec.device_type not in (None, "CPU") or not there
    if elsewhere or (absent and not settings.soft_device_placement):
        raise InvalidArgumentError(f"{spec.to_string()} unknown device: there is only {CPU}.")
