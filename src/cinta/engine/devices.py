"""Devices: the processor, which programs may see as several; and names of devices."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

from ..public import public

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
"""Where everything is."""

_logical: list[str] = [CPU]


def logical_devices() -> list[str]:
    """The devices as programs name them."""
    return list(_logical)


def divide_processor(count: int) -> None:
    """Let programs see the processor as several devices."""
    _logical[:] = [CPU.replace("CPU:0", f"CPU:{i}") for i in range(count)]


class _Place(threading.local):
    device = CPU


place = _Place()
"""Where values of this thread are made: ``tf.device`` sets it."""


def current_device() -> str:
    """The device of the block that runs."""
    return place.device


_KINDS = ("CPU", "GPU", "TPU")


@public("DeviceSpec")
class DeviceSpec(NamedTuple):
    """The parts of a device's name; None where the name leaves them open.

    >>> import cinta as tf
    >>> gpu = tf.DeviceSpec.from_string("/GPU:1")
    >>> gpu.device_index, gpu.to_string()
    (1, '/device:GPU:1')
    >>> worker = gpu.make_merged_spec(tf.DeviceSpec(job="worker"))
    >>> worker.replace(task=3).to_string()
    '/job:worker/task:3/device:GPU:1'

    Args:
        job: The name of the job, such as "worker".
        replica: The number of the replica.
        task: The number of the task.
        device_type: The type of the device, such as "CPU".
        device_index: Which device of this type.
    """

    job: str | None = None
    replica: int | None = None
    task: int | None = None
    device_type: str | None = None
    device_index: int | None = None

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """The parts of a name such as ``/job:localhost/task:0/device:CPU:0`` or ``/GPU:1``.

        Args:
            spec: The name.

        Raises:
            ValueError: If a part of it is not known.
            TypeError: If it is not a string.
        """
        if not isinstance(spec, str):
            raise TypeError(f"`spec` must be a string that names a device, got {spec!r}.")
        found: dict[str, Any] = {}
        for part in filter(None, spec.split("/")):
            found |= _part(part, spec)
        return cls(**found)

    def parse_from_string(self, spec: str) -> DeviceSpec:
        """The parts of a name: the same as ``DeviceSpec.from_string``.

        >>> import cinta as tf
        >>> tf.DeviceSpec().parse_from_string("/GPU:1").device_index
        1

        Args:
            spec: The name.
        """
        return self.from_string(spec)

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """The spec with the parts that another one has in place of its own.

        Args:
            dev: The other one.

        Raises:
            TypeError: If it is not a ``DeviceSpec``.
        """
        if not isinstance(dev, DeviceSpec):
            raise TypeError(f"`dev` must be a DeviceSpec, got {dev!r}.")
        given = {part: value for part, value in dev._asdict().items() if value is not None}
        return self._replace(**given)

    def replace(self, **parts: str | int | None) -> DeviceSpec:
        """The spec with these parts in place of its own."""
        return DeviceSpec(**{**self._asdict(), **parts})

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
