"""Values on a device, which computes them while Python goes on.

Such a value is what the engine of the device makes of it; ``fetchers`` knows it by its type.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import jax
    from jax.sharding import NamedSharding

    from .operation import Op
    from .replicas import Processes
    from .shapes import Shape
    from .tensor import Array


class DeviceValue(Protocol):
    """A value on a device."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype, as NumPy's."""

    @property
    def shape(self) -> Shape:
        """The length of every axis."""


Held: TypeAlias = "np.ndarray[Any, Any] | DeviceValue"
"""A value, wherever it is."""

fetchers: dict[type, Callable[[Any], np.ndarray[Any, Any]]] = {}
"""Functions that fetch values of a type from a device; engines with a device enter their own."""


def on_host(value: Held) -> np.ndarray[Any, Any]:
    """The array, fetched if it is on a device."""
    fetch = fetchers.get(type(value))
    return value if fetch is None else fetch(value)  # type: ignore[return-value]


def quickly_on_host(value: DeviceValue) -> np.ndarray[Any, Any]:
    """A value on a device as an array of NumPy, which nothing leads back to the device."""
    try:
        return np.asarray(value)
    except Exception:
        return on_host(value)  # this may say in words what is wrong


def is_on_device(value: object) -> bool:
    """Whether a value is on a device."""
    return type(value) in fetchers


class DevicePlacement(Protocol):
    """How a value lies on a mesh of devices; two are equal if values lie alike."""

    def __hash__(self) -> int: ...

    @property
    def processes(self) -> Processes | None:
        """The processes that have devices of the mesh; None if all are in this one."""

    def sharding(self) -> NamedSharding:
        """The same for JAX."""

    def spread(self, value: jax.Array) -> Spread:
        """A result of JAX on this mesh, however it lies."""


class Spread:
    """The value of a tensor over several devices, in the place of an array.

    NumPy's kernels fail on it, and an op whose kernel has failed asks it for the result.
    """

    __slots__ = ()
    __array_ufunc__ = None  # so that NumPy refuses it

    dtype: np.dtype[Any]
    shape: Shape
    device: str
    value: jax.Array
    """The value as the engine of the devices has it."""

    @property
    @abstractmethod
    def place(self) -> DevicePlacement:
        """Where it lies."""

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of elements."""

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, *args: object, **kwargs: object) -> NoReturn:
        raise TypeError("a value that lies over several devices is no array of NumPy")

    @abstractmethod
    def on_host(self) -> Array:
        """The value for Python, if every device has the whole."""

    @abstractmethod
    def whole(self) -> Array:
        """The value, put together from all devices."""

    @abstractmethod
    def pieces(self) -> list[tuple[tuple[int, ...], Array]]:
        """The parts for which this process answers, each with the place where it begins.

        Those of all processes make up the value, and all have one shape.
        """

    @abstractmethod
    def made_of(self, read: Callable[[tuple[slice, ...]], Array]) -> Spread:
        """Another value that lies like this one, of which ``read`` gives the parts."""

    @abstractmethod
    def computed(
        self, op: Op, inputs: Sequence[object], attrs: dict[str, Any]
    ) -> Array | tuple[Array, ...]:
        """The result of an op of which this is an input, or its results."""

    @abstractmethod
    def shown(self) -> str:
        """The value and its layout as text."""
