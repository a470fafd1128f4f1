"""The results of a program of all replicas, in the place of arrays: nothing is fetched before it is
asked for, and what is the same for all goes into the next call as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import jax

    from ...engine.shapes import Shape
    from ...engine.tensor import Array


class Common:
    """A value that is the same on all devices."""

    __slots__ = ("_view", "all", "dtype", "shape")

    def __init__(self, array: jax.Array) -> None:
        self.all = array
        self.dtype: np.dtype[Any] = array.dtype
        self.shape: Shape = array.shape
        self._view: Array | None = None

    def shard(self) -> jax.Array:
        """The value on the first device of this process."""
        return self.all.addressable_data(0)

    def view(self) -> Array:
        """The value for NumPy, which is one array however often it is asked for."""
        if self._view is None:
            self._view = self._shown()
        return self._view

    def _shown(self) -> Array:
        return _for_numpy(np.asarray(self.shard()))

    def is_seen_as(self, value: object) -> bool:
        """Whether this is what somebody holds, who may have fetched it meanwhile."""
        return value is self or (value is self._view and value is not None)

    def __array__(self, dtype: np.dtype[Any] | None = None, copy: bool | None = None) -> Array:
        return np.array(self.view(), dtype, copy=copy)


class Share(Common):
    """The value of one replica, where each has its own: a row of the value of all."""

    __slots__ = ("_place",)

    def __init__(self, array: jax.Array, place: int) -> None:
        super().__init__(array)
        self.shape = self.shape[1:]
        self._place = place  # among the replicas of this process

    def shard(self) -> jax.Array:
        return self.all.addressable_data(self._place)

    def _shown(self) -> Array:
        return _for_numpy(np.asarray(self.shard())[0])

    def is_at(self, place: int, of: Common) -> bool:
        """Whether it is this replica's row of the value of which another one is a row."""
        return self._place == place and self.all is of.all


def _for_numpy(array: Array) -> Array:
    found: Array = array if array.ndim else array[()]
    return found
