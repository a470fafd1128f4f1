"""Layouts: how a tensor lies on a mesh."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.shapes import TensorShape
from ..errors import UnknownError
from ..ops.arguments import integer, integers, listed, shape_argument, text
from ..public import public
from .mesh import Mesh

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.annotations import PartialShape

UNSHARDED: str = public("experimental.dtensor.UNSHARDED")("unsharded")
"""For an axis of a tensor that each device has wholly."""
MATCH: str = public("experimental.dtensor.MATCH")("match")
"""For an axis of a tensor that may lie as is convenient."""

_SPECS = "sharding_specs:"
"""The begin of a layout as text."""


@public("experimental.dtensor.Layout")
class Layout:
    """For each axis of a tensor the axis of a mesh along which it is cut, or ``UNSHARDED``.

    >>> import cinta as tf
    >>> from cinta.experimental import dtensor
    >>> mesh = dtensor.create_mesh([("x", 2)], devices=["CPU:0", "CPU:1"])
    >>> layout = dtensor.Layout(["x", dtensor.UNSHARDED], mesh)
    >>> layout == dtensor.Layout.batch_sharded(mesh, "x", rank=2)
    True
    >>> layout.num_shards(0), layout.is_batch_parallel(), layout.is_fully_replicated()
    (2, True, False)
    >>> layout.local_shape_from_global_shape([4, 3]), layout.global_shape_from_local_shape([2, 3])
    (TensorShape([2, 3]), TensorShape([4, 3]))
    >>> layout.offset_to_shard(), layout.offset_tuple_to_global_index((1, 0))
    ([(0, 0), (1, 0)], 1)
    >>> layout.delete([0]) == dtensor.Layout.replicated(mesh, rank=1)
    True
    >>> dtensor.Layout.inner_sharded(mesh, "x", rank=2).sharding_specs
    ['unsharded', 'x']
    >>> layout.to_string().partition(" ")[0]
    'sharding_specs:x,unsharded,'

    Args:
        sharding_specs: The names of axes of the mesh, or ``UNSHARDED``, for each axis of the
            tensor.
        mesh: The mesh.

    Raises:
        ValueError: If the mesh has no such axis, or two axes are cut along one.
        TypeError: If it is not a mesh.
    """

    def __init__(self, sharding_specs: Sequence[str], mesh: Mesh) -> None:
        if not isinstance(mesh, Mesh):
            raise TypeError(f"`mesh` must be a tf.experimental.dtensor.Mesh, got {mesh!r}.")
        specs = [*listed(sharding_specs, "sharding_specs")]
        for i, spec in enumerate(specs):
            if text(spec, "sharding_specs") in (UNSHARDED, MATCH):
                continue
            if not mesh.contains_dim(spec):
                raise ValueError(
                    f"{spec}: A dimension sharding must either be a valid mesh dimension or "
                    f"UNSHARDED. The mesh has {mesh.dim_names}."
                )
            if spec in specs[:i]:
                raise ValueError(
                    f"Mesh dimension {spec} was repeated in sharding specification {specs}. Mesh "
                    "dimensions must be unique in a layout."
                )
        self._specs, self._mesh = tuple(specs), mesh

    @classmethod
    def replicated(cls, mesh: Mesh, rank: int) -> Layout:
        """The layout in which every device has the whole.

        Args:
            mesh: The mesh.
            rank: The number of axes of the tensor.
        """
        return cls([UNSHARDED] * _rank(rank), mesh)

    @classmethod
    def batch_sharded(cls, mesh: Mesh, batch_dim: str, rank: int, axis: int = 0) -> Layout:
        """The layout in which one axis is cut.

        Args:
            mesh: The mesh.
            batch_dim: The axis of the mesh.
            rank: The number of axes of the tensor.
            axis: The axis that is cut.

        Raises:
            ValueError: If there is no such axis.
        """
        count, cut = _rank(rank), integer(axis, "axis")
        if not -count <= cut < count:
            raise ValueError(f"`axis` must be one of `rank` = {count} axes, got {cut}.")
        specs = [UNSHARDED] * count
        specs[cut] = batch_dim
        return cls(specs, mesh)

    @classmethod
    def inner_sharded(cls, mesh: Mesh, inner_dim: str, rank: int) -> Layout:
        """The layout in which the last axis is cut.

        Args:
            mesh: The mesh.
            inner_dim: The axis of the mesh.
            rank: The number of axes of the tensor.
        """
        return cls.batch_sharded(mesh, inner_dim, rank, axis=-1)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return self._specs == other._specs and self._mesh == other._mesh

    def __hash__(self) -> int:
        return hash((self._specs, self._mesh))

    def _content(self) -> tuple[object, ...]:
        return self._specs, self._mesh

    def __repr__(self) -> str:
        return f"Layout.from_string({self.to_string()})"

    def to_string(self) -> str:
        """The layout as text."""
        specs = "".join(f"{each}," for each in self._specs)
        return f"{_SPECS}{specs} mesh:{self._mesh.to_string()}"

    @classmethod
    def from_string(cls, layout_str: str) -> Layout:
        """The layout that a text describes which ``to_string`` has given.

        Args:
            layout_str: The text.

        Raises:
            ValueError: If it does not describe a layout.

        >>> import cinta as tf
        >>> mesh = tf.experimental.dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
        >>> layout = tf.experimental.dtensor.Layout(["x"], mesh)
        >>> tf.experimental.dtensor.Layout.from_string(layout.to_string()) == layout
        True
        """
        specs, found, mesh = text(layout_str, "layout_str").partition(" mesh:")
        if not found or not specs.startswith(_SPECS):
            raise ValueError(
                f"Input string is invalid: {layout_str}. A layout is written as "
                "'sharding_specs:x,unsharded, mesh:' and its mesh."
            )
        names = [each for each in specs.removeprefix(_SPECS).split(",") if each]
        return cls(names, Mesh.from_string(mesh))

    @property
    def mesh(self) -> Mesh:
        """The devices."""
        return self._mesh

    @property
    def sharding_specs(self) -> list[str]:
        """For each axis of the tensor, the axis of the mesh."""
        return [*self._specs]

    @property
    def rank(self) -> int:
        """The number of axes of the tensor."""
        return len(self._specs)

    @property
    def shape(self) -> list[int]:
        """The shape of the mesh."""
        return self.mesh.shape()

    @property
    def counts(self) -> list[int]:
        """The number of parts along each axis of the tensor."""
        return [self.num_shards(i) for i in range(self.rank)]

    def num_shards(self, idx: int) -> int:
        """The number of parts along an axis.

        Args:
            idx: The axis.

        Raises:
            ValueError: If there is no such axis.
        """
        axis = integer(idx, "idx")
        if not -self.rank <= axis < self.rank:
            raise ValueError(f"`idx` must be an axis of {self.rank}, got {axis}.")
        spec = self._specs[axis]
        return self._mesh.dim_size(spec) if self._mesh.contains_dim(spec) else 1

    def is_fully_replicated(self) -> bool:
        """Whether every device has the whole."""
        return all(count == 1 for count in self.counts)

    def is_batch_parallel(self) -> bool:
        """Whether the first axis is cut, and no other one."""
        return self.rank > 0 and self.counts[0] > 1 and all(n == 1 for n in self.counts[1:])

    def delete(self, dims: Sequence[int]) -> Layout:
        """The layout without some axes of the tensor.

        Args:
            dims: The numbers of the axes.
        """
        left_out = integers(dims, "dims")
        return Layout([s for i, s in enumerate(self._specs) if i not in left_out], self._mesh)

    def global_shape_from_local_shape(self, local_shape: PartialShape) -> TensorShape:
        """The shape of the whole.

        Args:
            local_shape: The shape of a part.
        """
        lengths = self._lengths(local_shape, "local_shape")
        return TensorShape([n * k for n, k in zip(lengths, self.counts, strict=True)])

    def local_shape_from_global_shape(self, global_shape: PartialShape) -> TensorShape:
        """The shape of a part.

        Args:
            global_shape: The shape of the whole.
        """
        lengths = self._lengths(global_shape, "global_shape")
        return TensorShape([n // k for n, k in zip(lengths, self.counts, strict=True)])

    def _lengths(self, shape: PartialShape, argument: str) -> tuple[int, ...]:
        lengths = shape_argument(shape, argument)
        if len(lengths) != self.rank:
            raise ValueError(f"`{argument}` must have {self.rank} axes, got {lengths}.")
        return lengths

    def offset_to_shard(self) -> list[tuple[int, ...]]:
        """For each device the place of its part among all."""
        places = self._mesh.unravel_index().values()
        return [tuple(place.get(spec, 0) for spec in self._specs) for place in places]

    def offset_tuple_to_global_index(self, offset_tuple: Sequence[int]) -> int:
        """The number of a part.

        Args:
            offset_tuple: Its place among all.
        """
        places = integers(offset_tuple, "offset_tuple")
        index = 0
        for place, count in zip(places, self.counts, strict=False):
            index = index * count + place
        return index


def _rank(rank: int) -> int:
    """A number of axes."""
    count = integer(rank, "rank")
    if not 0 <= count <= _MOST_AXES:
        raise ValueError(f"`rank` must be from 0 to {_MOST_AXES}, got {count}.")
    return count


_MOST_AXES = 64
"""NumPy's arrays have no more."""


def check_divides(layout: Layout, shape: Sequence[int]) -> None:
    """Raise if a tensor of this shape cannot be cut so."""
    if len(shape) != layout.rank:
        raise UnknownError(
            f"A layout for {layout.rank} axes requires matching rank for layout and input, but "
            f"the tensor has shape {tuple(shape)}: {layout}."
        )
    for i, (length, count) in enumerate(zip(shape, layout.counts, strict=True)):
        if length % count:
            raise UnknownError(
                f"The layout requires dimension {i} to be divisible by sharding "
                f"'{layout.sharding_specs[i]}', but got dimension size={length} is not divisible "
                f"by {count}."
            )


def spec_of(names: Sequence[object]) -> list[str]:
    """A layout's names for those of JAX, where None is an axis that is not cut."""
    return [UNSHARDED if each is None else str(each) for each in names]
