"""Meshes: devices in rows, columns and so on, with a name for each axis."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..engine.devices import CPU, DeviceSpec
from ..engine.tensor import Tensor, wrap
from ..ops.arguments import integer, listed, text
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..engine.tensor import Array


class MeshDimension(NamedTuple):
    """An axis of a mesh."""

    name: str
    size: int


@public("experimental.dtensor.Mesh")
class Mesh:
    """Devices in an array whose axes have names; ``create_mesh`` makes one.

    >>> import cinta as tf
    >>> mesh = tf.experimental.dtensor.create_mesh([("x", 2)], devices=["CPU:0", "CPU:1"])
    >>> mesh.dim_names, mesh.shape(), mesh.size, mesh.dim_size("x"), mesh.contains_dim("y")
    (['x'], [2], 2, 2, False)
    >>> mesh.coords(1).numpy(), mesh.unravel_index()
    (array([1], dtype=int32), {0: {'x': 0}, 1: {'x': 1}})
    >>> mesh.num_local_devices(), mesh.local_device_ids(), mesh.local_device_locations()
    (2, [0, 1], [{'x': 0}, {'x': 1}])
    >>> mesh.global_device_ids()
    array([0, 1])
    >>> mesh.local_devices()[1], mesh.device_type(), mesh.min_global_device_id()
    ('/job:localhost/replica:0/task:0/device:CPU:1', 'CPU', 0)
    >>> mesh.host_mesh() is mesh, mesh.is_remote(), mesh.use_xla_spmd()
    (True, False, False)
    >>> mesh.to_string().split("|")[:3]
    ['', 'x=2', '0,1']

    Args:
        dim_names: The name of each axis.
        global_device_ids: The numbers of all devices, in an array.
        local_device_ids: Those of the devices of this process.
        local_devices: The names of the devices of this process.
        mesh_name: A name.
        global_devices: Accepted.
        use_xla_spmd: Accepted.

    Raises:
        ValueError: If names, numbers and devices do not fit together.
    """

    def __init__(
        self,
        dim_names: Sequence[str],
        global_device_ids: Array,
        local_device_ids: Sequence[int],
        local_devices: Sequence[str | DeviceSpec],
        mesh_name: str = "",
        global_devices: Sequence[str | DeviceSpec] | None = None,
        use_xla_spmd: bool = False,
    ) -> None:
        names = [text(each, "dim_names") for each in listed(dim_names, "dim_names")]
        ids = np.asarray(global_device_ids)
        if len({*names}) != len(names) or ids.ndim != len(names):
            raise ValueError(
                f"`dim_names` must be a name of its own for each axis of the mesh, got {names} for "
                f"devices of shape {ids.shape}."
            )
        local = [integer(each, "local_device_ids") for each in local_device_ids]
        if len(local_devices) != len(local):
            raise ValueError(
                f"Variable local_devices does not have the same size as local_device_ids: "
                f"{len(local_devices)} and {len(local)}."
            )
        if not {*local} <= {*ids.ravel().tolist()}:
            raise ValueError(
                f"`local_device_ids` must be among the {ids.size} devices of the mesh, got {local}."
            )
        self._names, self._ids, self.name = names, ids, mesh_name
        self._local = local
        self._devices = tuple(full_name(each) for each in local_devices)

    def _key(self) -> tuple[object, ...]:
        ids = tuple(self._ids.ravel().tolist())
        return self.name, tuple(self._names), self._ids.shape, ids, (*self._local,), self._devices

    def _content(self) -> tuple[object, ...]:
        """The parts of it that all its processes have."""
        return self.name, self._names, self._ids

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mesh) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __getitem__(self, dim_name: str) -> MeshDimension:
        return MeshDimension(dim_name, self.dim_size(dim_name))

    def __repr__(self) -> str:
        return f"Mesh.from_string({self.to_string()})"

    def to_string(self) -> str:
        """The mesh as text."""
        sizes = ",".join(f"{n}={s}" for n, s in zip(self._names, self.shape(), strict=True))
        ids, local = (",".join(map(str, each)) for each in (self._ids.ravel(), self._local))
        return "|".join((self.name, sizes, ids, local, ",".join(self._devices)))

    @classmethod
    def from_string(cls, mesh_str: str) -> Mesh:
        """The mesh that a text describes which ``to_string`` has given.

        Args:
            mesh_str: The text.

        Raises:
            ValueError: If it does not describe a mesh.

        >>> import cinta as tf
        >>> mesh = tf.experimental.dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
        >>> tf.experimental.dtensor.Mesh.from_string(mesh.to_string()) == mesh
        True
        """
        try:
            name, dims, *lists = text(mesh_str, "mesh_str").split("|")
            sizes = [(dim, int(size)) for dim, size in (d.split("=") for d in _items(dims))]
            ids, local, devices = map(_items, lists)
            grid = np.array([*map(int, ids)]).reshape([size for _, size in sizes])
            return cls([dim for dim, _ in sizes], grid, [*map(int, local)], devices, name)
        except ValueError as error:
            raise ValueError(
                f"Input string is invalid: {mesh_str}. A mesh is written as "
                f"'name|x=2,y=1|0,1|0,1|CPU:0,CPU:1'. ({error})"
            ) from None

    @property
    def dim_names(self) -> list[str]:
        """The names of the axes."""
        return list(self._names)

    @property
    def size(self) -> int:
        """The number of devices."""
        return self._ids.size

    def shape(self) -> list[int]:
        """The number of devices along each axis."""
        return [*self._ids.shape]

    @property
    def strides(self) -> list[int]:
        """How many devices lie between neighbors along each axis."""
        return [prod(self.shape()[i + 1 :]) for i in range(len(self._names))]

    def dim_size(self, dim_name: str) -> int:
        """The number of devices along an axis.

        Args:
            dim_name: The name of the axis.

        Raises:
            ValueError: If there is no such axis.
        """
        if text(dim_name, "dim_name") not in self._names:
            raise ValueError(
                f"Dimension {dim_name} does not exist in mesh.Available dimensions: "
                f"{','.join(self._names)}"
            )
        return self.shape()[self._names.index(dim_name)]

    def contains_dim(self, dim_name: str) -> bool:
        """Whether there is such an axis.

        Args:
            dim_name: The name of the axis.
        """
        return text(dim_name, "dim_name") in self._names

    def global_device_ids(self) -> Array:
        """The numbers of the devices, in the shape of the mesh."""
        return self._ids

    def local_device_ids(self) -> list[int]:
        """The numbers of the devices of this process."""
        return [*self._local]

    def local_devices(self) -> list[str]:
        """The names of the devices of this process."""
        return [*self._devices]

    def num_local_devices(self) -> int:
        """The number of devices of this process."""
        return len(self._devices)

    @property
    def is_shared(self) -> bool:
        """Whether other processes have devices of it.

        >>> import cinta as tf
        >>> tf.experimental.dtensor.create_mesh([("batch", 1)], device_type="CPU").is_shared
        False
        """
        return len(self._devices) < self.size

    def min_global_device_id(self) -> int:
        """The lowest number of a device."""
        return int(self._ids.min())

    def device_type(self) -> str:
        """The type of the devices."""
        return "CPU"

    def use_xla_spmd(self) -> bool:
        """Whether programs are cut by XLA, which is always so, and not by a choice."""
        return False

    def is_remote(self) -> bool:
        """Whether all devices are those of other processes."""
        return not self._devices

    def host_mesh(self) -> Mesh:
        """The mesh of the processors that have the devices: this one."""
        return self

    def unravel_index(self) -> dict[int, dict[str, int]]:
        """The place of each device, by its number."""
        places = np.ndindex(self._ids.shape)
        return {
            int(self._ids[place]): dict(zip(self._names, place, strict=True)) for place in places
        }

    def local_device_locations(self) -> list[dict[str, int]]:
        """The place of each device of this process."""
        places = self.unravel_index()
        return [places[each] for each in self._local]

    def coords(self, device_idx: int) -> Tensor:
        """The place of a device.

        Args:
            device_idx: The number of the device.

        Raises:
            ValueError: If there is no such device.
        """
        if not 0 <= integer(device_idx, "device_idx") < self.size:
            raise ValueError(f"`device_idx` must be less than {self.size}, got {device_idx!r}.")
        return wrap(
            np.asarray(
                np.unravel_index(integer(device_idx, "device_idx"), self._ids.shape), np.int32
            )
        )


class _Default(threading.local):
    mesh: Mesh | None = None


_default = _Default()


@contextmanager
def for_mesh(mesh: Mesh) -> Iterator[None]:
    """Let a mesh be the default in the block."""
    before, _default.mesh = _default.mesh, mesh
    try:
        yield
    finally:
        _default.mesh = before


def set_default_mesh(mesh: Mesh | None) -> None:
    """Let a mesh be the default of this thread from now on."""
    _default.mesh = mesh


@public("experimental.dtensor.get_default_mesh")
def get_default_mesh() -> Mesh | None:
    """The mesh of the block that runs, as ``default_mesh`` has set it.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.get_default_mesh()
    """
    return _default.mesh


def _items(listed: str) -> list[str]:
    """The parts of a list as it is written in the text of a mesh."""
    return [each for each in listed.split(",") if each]


def full_name(device: str | DeviceSpec) -> str:
    """The name of a device with its type, as devices are listed."""
    spec = device
    if not isinstance(spec, DeviceSpec):
        spec = DeviceSpec.from_string(text(spec, "devices"))
    return DeviceSpec.from_string(CPU).make_merged_spec(spec).to_string()
