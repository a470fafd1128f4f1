"""Tensors put on a mesh, laid out anew, and taken apart."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from .. import nest
from ..engine.composites import Assembled
from ..engine.convert import as_tensor, is_tensor
from ..engine.device_values import Spread
from ..engine.devices import CPU
from ..engine.indexed_slices import IndexedSlices
from ..engine.op import op
from ..engine.placing import placed
from ..engine.recorders import lies_on_mesh
from ..engine.sparse_tensor import SparseTensor
from ..engine.tensor import Tensor, wrap
from ..errors import InvalidArgumentError
from ..ops.arguments import checked_callable, listed
from ..public import public
from ..replay.engines import check_has_jax
from .layout import Layout
from .mesh import Mesh, for_mesh, get_default_mesh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..engine.annotations import ArrayModule, TensorLike
    from ..engine.tensor import Array
    from .sharded import Sharded

T = TypeVar("T")


@op("CopyToMesh", linear=True)
def CopyToMesh(xp: ArrayModule, x: Array, *, layout: Layout) -> Array:
    """The value on a mesh."""
    check_has_jax("Tensors on a mesh need")
    from .sharded import OnMesh, Sharded, constrained, placed_on

    if xp is not np:
        return constrained(x, layout)  # type: ignore[arg-type, return-value]  # arrays of JAX
    lies_on_mesh(OnMesh(layout))
    if isinstance(x, Sharded):
        return x.moved(layout)  # in the place of an array
    return placed_on(x, layout)  # type: ignore[return-value]


CopyToMesh.grads(x=lambda g: g)


def _checked(layout: object) -> Layout:
    if not isinstance(layout, Layout):
        raise TypeError(f"`layout` must be a tf.experimental.dtensor.Layout, got {layout!r}.")
    return layout


@public("experimental.dtensor.copy_to_mesh")
def copy_to_mesh(tensor: TensorLike, layout: Layout, source_layout: object = None) -> Tensor:
    """The tensor on the devices of a mesh.

    >>> import cinta as tf
    >>> from cinta.experimental import dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> x = dtensor.copy_to_mesh([1.0, 2.0], dtensor.Layout(["x"], mesh))
    >>> (x * 2.0).numpy()
    array([2., 4.], dtype=float32)

    Args:
        tensor: A tensor, or what becomes one.
        layout: How it is cut.
        source_layout: Accepted.
    """
    return CopyToMesh(as_tensor(tensor), layout=_checked(layout))


@public("experimental.dtensor.relayout")
def relayout(tensor: TensorLike, layout: Layout, name: str | None = None) -> Tensor:
    """The tensor in another layout, on the same mesh.

    >>> import cinta as tf
    >>> from cinta.experimental import dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> x = dtensor.copy_to_mesh([1.0, 2.0], dtensor.Layout.replicated(mesh, rank=1))
    >>> dtensor.fetch_layout(dtensor.relayout(x, dtensor.Layout(["x"], mesh))).sharding_specs
    ['x']
    """
    return copy_to_mesh(tensor, layout)


@public("experimental.dtensor.relayout_like")
def relayout_like(tensor: TensorLike, layout_tensor: Tensor, name: str | None = None) -> Tensor:
    """The tensor in the layout of another one.

    >>> import cinta as tf
    >>> from cinta.experimental import dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> x = dtensor.copy_to_mesh([1.0, 2.0], dtensor.Layout(["x"], mesh))
    >>> dtensor.fetch_layout(dtensor.relayout_like(x * 2.0, x)).sharding_specs
    ['x']

    Args:
        tensor: The tensor.
        layout_tensor: The other one.
    """
    return copy_to_mesh(tensor, fetch_layout(layout_tensor))


@public("experimental.dtensor.is_dtensor")
def is_dtensor(tensor: object) -> bool:
    """Whether a value is a tensor or a variable on a mesh.

    >>> import cinta as tf
    >>> tf.experimental.dtensor.is_dtensor(tf.constant(1.0))
    False
    """
    if not is_tensor(tensor) or isinstance(tensor, (Assembled, IndexedSlices, SparseTensor)):
        return False
    return isinstance(as_tensor(tensor)._array, Spread)


@public("experimental.dtensor.fetch_layout")
def fetch_layout(tensor: object) -> Layout:
    """The layout of a tensor or variable on a mesh.

    >>> import cinta as tf
    >>> from cinta.experimental import dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> x = dtensor.copy_to_mesh([1.0, 2.0], dtensor.Layout(["x"], mesh))
    >>> dtensor.fetch_layout(x).sharding_specs
    ['x']

    Args:
        tensor: The tensor or variable.

    Raises:
        InvalidArgumentError: If it is not on a mesh.
    """
    if not is_dtensor(tensor):
        mesh = get_default_mesh()
        if mesh is not None and is_tensor(tensor):
            return Layout.replicated(mesh, as_tensor(tensor).ndim)
        raise InvalidArgumentError(
            f"FetchLayout expects a tensor placed on the layout device, got {tensor!r}: "
            "tf.experimental.dtensor.copy_to_mesh puts a tensor on a mesh."
        )
    return _sharded(tensor).layout


def _sharded(tensor: object) -> Sharded:
    """The value on a mesh of a tensor that has one."""
    return as_tensor(tensor)._array  # type: ignore[return-value]  # in the place of an array


@public("experimental.dtensor.check_layout")
def check_layout(tensor: Tensor, layout: Layout) -> None:
    """Raise ValueError if a tensor has another layout.

    >>> import cinta as tf
    >>> from cinta.experimental import dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> x = dtensor.copy_to_mesh([1.0, 2.0], dtensor.Layout(["x"], mesh))
    >>> dtensor.check_layout(x, dtensor.Layout(["x"], mesh))
    """
    if fetch_layout(tensor) != layout:
        raise ValueError(
            f"Layout of tensor: {fetch_layout(tensor)}, did not match expected layout: {layout}"
        )


@public("experimental.dtensor.pack")
def pack(tensors: Sequence[TensorLike], layout: Layout) -> Tensor:
    """The tensor on a mesh whose parts these are, one for each device.

    >>> import cinta as tf
    >>> from cinta.experimental import dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> dtensor.pack([[1.0, 2.0]], dtensor.Layout(["x"], mesh)).numpy()
    array([1., 2.], dtype=float32)

    Args:
        tensors: The parts.
        layout: How the whole is cut.

    Raises:
        InvalidArgumentError: If there are not as many parts as devices.
    """
    parts = [as_tensor(each)._array for each in listed(tensors, "tensors")]
    count = _checked(layout).mesh.num_local_devices()
    if len(parts) != count:
        raise InvalidArgumentError(
            f"A tensor on this mesh has {count} parts here, one for each device: pack expected "
            f"{count} inputs, but got {len(parts)}."
        )
    from .sharded import assembled

    return wrap(assembled(parts, layout))  # type: ignore[arg-type]  # in the place of an array


@public("experimental.dtensor.unpack")
def unpack(tensor: object) -> list[Tensor]:
    """The parts of a tensor on a mesh, one for each device.

    >>> import cinta as tf
    >>> from cinta.experimental import dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> x = dtensor.copy_to_mesh([1.0, 2.0], dtensor.Layout(["x"], mesh))
    >>> [part.numpy() for part in dtensor.unpack(x)]
    [array([1., 2.], dtype=float32)]
    """
    layout = fetch_layout(tensor)
    whole = tensor if is_dtensor(tensor) else copy_to_mesh(as_tensor(tensor), layout)
    found = []
    for device, part in zip(layout.mesh.local_devices(), _sharded(whole).parts(), strict=True):
        with placed(device if device != CPU else CPU):
            found.append(wrap(part))
    return found


@public("experimental.dtensor.call_with_layout")
def call_with_layout(
    fn: Callable[..., T], layout: Layout | None, *args: object, **kwargs: object
) -> T:
    """The tensors that a function returns, in a layout. Random numbers do not depend on it.

    >>> import cinta as tf
    >>> from cinta.experimental import dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> dtensor.call_with_layout(tf.ones, dtensor.Layout(["x"], mesh), shape=(2,)).numpy()
    array([1., 1.], dtype=float32)

    Args:
        fn: The function.
        layout: The layout; None for what the function returns.
        args: Its arguments.
        kwargs: Others by name.
    """
    checked_callable(fn, "fn")
    found = fn(*args, **kwargs)
    if layout is None:
        return found
    laid: T = nest.map_structure(
        lambda leaf: copy_to_mesh(leaf, layout) if is_tensor(leaf) else leaf, found
    )
    return laid


@public("experimental.dtensor.default_mesh", "experimental.dtensor.run_on")
@contextmanager
def default_mesh(mesh: Mesh) -> Iterator[None]:
    """Let tensors that are made in the block count as tensors on a mesh, which each device has.

    They mix with those that were put on the mesh.

    >>> import cinta as tf
    >>> from cinta.experimental import dtensor
    >>> mesh = dtensor.create_mesh([("x", 1)], devices=["CPU:0"])
    >>> with dtensor.default_mesh(mesh):
    ...     print(dtensor.get_default_mesh() == mesh)
    True

    Args:
        mesh: The mesh.

    Raises:
        ValueError: If it is not a mesh.
    """
    if not isinstance(mesh, Mesh):
        raise ValueError(f"Expect `mesh` to be `Mesh`, got {mesh!r}")
    with for_mesh(mesh):
        yield
