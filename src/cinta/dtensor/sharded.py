"""Values that lie on a mesh, as one array of JAX. This module needs JAX."""

from __future__ import annotations

from functools import lru_cache, partial
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

from ..engine.device_values import Spread
from ..engine.primitives import Identity, StopGradient
from ..engine.recorders import lies_on_mesh
from ..errors import InvalidArgumentError, UnimplementedError
from ..replay.xla import devices_for
from .clients import cluster_of_meshes
from .layout import UNSHARDED, Layout, check_divides, spec_of
from .mesh import get_default_mesh

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..distribute.cluster import Cluster
    from ..engine.op import Op
    from ..engine.tensor import Array
    from .mesh import Mesh

T = TypeVar("T")

_SAME = (Identity, StopGradient)
"""Ops whose results are what they are given."""


class Sharded(Spread):
    """A value on a mesh. Ops on it run on all devices, and XLA decides how their results lie."""

    __slots__ = ("layout", "value")

    value: jax.Array

    device = "/job:localhost/replica:0/task:0/device:CUSTOM:0"

    def __init__(self, value: jax.Array, layout: Layout) -> None:
        self.value, self.layout = value, layout

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        """The length of every axis."""
        return self.value.shape

    @property
    def dtype(self) -> np.dtype[Any]:  # type: ignore[override]
        """The type of the elements."""
        return self.value.dtype

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def place(self) -> OnMesh:
        return OnMesh(self.layout)

    def on_host(self) -> Array:
        if not self.layout.is_fully_replicated():
            raise UnimplementedError(
                "Trying to copy a non-single-device and non-replicated DTensor is not supported. "
                "Give it the layout tf.experimental.dtensor.Layout.replicated(mesh, rank) by "
                f"relayout first, or take its parts by unpack. The tensor has the {self.layout}."
            )
        return self.parts()[0]

    def parts(self) -> list[Array]:
        """The part of each device, in the order of the mesh."""
        shards = {shard.device: shard.data for shard in self.value.addressable_shards}
        found = [np.asarray(shards[each]) for each in _local_devices(self.layout.mesh)]
        return [each if each.ndim else each[()] for each in found]

    def pieces(self) -> list[tuple[tuple[int, ...], Array]]:
        return [
            (tuple(cut.start or 0 for cut in shard.index), np.asarray(shard.data))
            for shard in self.value.addressable_shards
            if shard.replica_id == 0
        ]

    def made_of(self, read: Callable[[tuple[slice, ...]], Array]) -> Sharded:
        make: Callable[..., jax.Array] = jax.make_array_from_callback
        with jax.enable_x64(True):
            return Sharded(make(self.shape, self.value.sharding, read), self.layout)

    def whole(self) -> Array:
        found: Array = np.asarray(self.value)
        return found

    def moved(self, layout: Layout) -> Sharded:
        """The value in another layout, on the same mesh."""
        if layout == self.layout:
            return self
        if layout.mesh != self.layout.mesh:
            raise InvalidArgumentError(
                f"The tensor is on the mesh {self.layout.mesh.to_string()}, and cannot go to "
                f"another one, {layout.mesh.to_string()}: make it anew by copy_to_mesh."
            )
        return placed_on(self.value, layout)

    def computed(
        self, op: Op, inputs: Sequence[object], attrs: dict[str, Any]
    ) -> Array | tuple[Array, ...]:
        mesh = self.layout.mesh
        lies_on_mesh(self.place)
        if op in _SAME:  # recordings make more of them: no process may wait for others here
            return inputs[0]  # type: ignore[return-value]  # in the place of an array
        given = [_given(op, i, each, mesh) for i, each in enumerate(inputs)]

        def work() -> tuple[object, object]:
            out, fails = _kernel(op, attrs)(*given)
            several = isinstance(out, (tuple, list))
            return [_laid(each, mesh) for each in out] if several else _laid(out, mesh), fails

        try:
            out, fails = _on_all(mesh, f"{op.name} of {_shapes(inputs)}", work)
        except (TypeError, NotImplementedError, jax.errors.JAXTypeError) as error:
            if all([_on_each(each) for each in inputs]):  # numbers that Python looks at, say
                found: Array = op.run(*map(_whole, inputs), **attrs)
                return found
            raise UnimplementedError(
                f"{op.name} does not run on a mesh of devices: {error}"
            ) from error
        if fails is not None and np.asarray(fails):
            return _by_numpy(op, inputs, attrs, mesh)
        if isinstance(out, list):
            return tuple([_result(each, mesh) for each in out])
        return _result(out, mesh)

    def shown(self) -> str:
        if self.layout.is_fully_replicated():
            text = _text(self.parts()[0])
        else:
            devices = [name.rpartition("device:")[2] for name in self.layout.mesh.local_devices()]
            pairs = zip(devices, self.parts(), strict=True)
            text = "{" + ", ".join(f'"{name}": {_text(part)}' for name, part in pairs) + "}"
        return f'{text}, layout="{self.layout.to_string()}"'


class OnMesh(NamedTuple):
    """A layout, as functions that are recorded know it."""

    layout: Layout

    def __str__(self) -> str:
        return f"on {','.join(self.layout.sharding_specs)}"

    @property
    def processes(self) -> Cluster | None:
        return cluster_of_meshes() if self.layout.mesh.is_shared else None

    def sharding(self) -> NamedSharding:
        return _sharding(self.layout)

    def spread(self, value: jax.Array) -> Sharded:
        mesh = self.layout.mesh
        layout = _layout_of(value, mesh)
        return Sharded(_in_layout(value, mesh), layout)


def _on_each(value: object) -> bool:
    """Whether every device has the whole of an input."""
    return not isinstance(value, Sharded) or value.layout.is_fully_replicated()


def _whole(value: object) -> object:
    """An input of which every device has the whole, for NumPy."""
    return value.on_host() if isinstance(value, Sharded) else value


def _by_numpy(
    op: Op, inputs: Sequence[object], attrs: dict[str, Any], mesh: Mesh
) -> Array | tuple[Array, ...]:
    """The result of an op for whole values, or the error that it raises for them."""
    given: list[Any] = [
        each.moved(Layout.replicated(mesh, len(each.shape))).on_host()
        if isinstance(each, Sharded)
        else each
        for each in inputs
    ]
    try:
        out = op.run(*given, **attrs)
    except Exception as error:
        out = op._again(error, given, attrs)

    def placed(x: Array) -> Array:
        whole = Layout.replicated(mesh, np.ndim(x))
        return placed_on(x, whole)  # type: ignore[return-value]  # in the place of an array

    return tuple([placed(x) for x in out]) if isinstance(out, tuple) else placed(out)


def _text(array: Array) -> str:
    """An array as TensorFlow prints the parts of such tensors."""
    numbers = {"float_kind": "{:.9g}".format} if np.asarray(array).dtype.kind == "f" else None
    return np.array2string(
        np.asarray(array),
        threshold=0,
        edgeitems=3,
        max_line_width=1 << 30,
        formatter=numbers,  # type: ignore[arg-type]  # any function of a number
    )


def _given(op: Op, position: int, value: object, mesh: Mesh) -> object:
    """An input of an op for JAX; a plain one only if it is a number, or a few whole ones."""
    if isinstance(value, Sharded):
        if value.layout.mesh != mesh:
            raise InvalidArgumentError(
                f"{op.name} got tensors of two meshes: {mesh.to_string()} and "
                f"{value.layout.mesh.to_string()}."
            )
        return value.value
    if not isinstance(value, np.ndarray) or not value.ndim or value.dtype.kind in "iub":
        return value
    if get_default_mesh() != mesh:
        raise UnimplementedError(
            f"The op/function {op.name} got a regular tensor for input {position} (shape "
            f"{[*value.shape]}) but was expecting a DTensor. Only scalars and small integer "
            "tensors are broadcast to the mesh: use tf.experimental.dtensor.copy_to_mesh."
        )
    return value


def _kernel(op: Op, attrs: dict[str, Any]) -> Callable[..., Any]:
    """The kernel of an op for JAX, compiled once for attributes that can be compared.

    It also gives whether the op would raise on NumPy for such values, None if it never does.
    """
    try:
        return _compiled(op, op.epoch, tuple(attrs.items()))
    except TypeError:  # an attribute has no hash
        return partial(_computed, op, attrs)


@lru_cache(maxsize=1024)
def _compiled(op: Op, epoch: int, attrs: tuple[tuple[str, Any], ...]) -> Callable[..., Any]:
    found: Callable[..., Any] = jax.jit(partial(_computed, op, dict(attrs)))
    return found


def _computed(op: Op, attrs: dict[str, Any], *given: object) -> tuple[object, object]:
    out = op.bind(jnp)(*given, **attrs)
    fails = None if op.may_fail is None else jnp.any(op.may_fail(jnp, out, *given, **attrs))
    return out, fails


def _shapes(inputs: Sequence[object]) -> str:
    return ", ".join([str([*np.shape(each)]) for each in inputs if hasattr(each, "shape")])


def _on_all(mesh: Mesh, what: str, work: Callable[[], T]) -> T:
    """The result of work on a mesh, which all its processes do together, within their limits."""

    def wide() -> T:
        with jax.enable_x64(True):
            return work()

    cluster = cluster_of_meshes() if mesh.is_shared else None
    if cluster is None:
        return wide()
    ready: Callable[[T], T] = jax.block_until_ready
    return cluster.together(what, lambda: ready(wide()))


def _laid(value: object, mesh: Mesh) -> object:
    """A result of JAX as it lies, if a layout can say so, or else in a way that one can say."""
    if not isinstance(value, jax.Array):
        return value
    return _in_layout(value, mesh)


def _in_layout(value: jax.Array, mesh: Mesh) -> jax.Array:
    """An array as it lies, if a layout can say so, or else in a way that one can say."""
    wanted = _sharding(_layout_of(value, mesh))
    if value.sharding == wanted:
        return value
    moved: jax.Array = jax.device_put(value, wanted)
    return moved


def _layout_of(value: jax.Array, mesh: Mesh) -> Layout:
    """The layout that an array has, or the nearest one."""
    sharding = value.sharding
    names: list[Any] = [None] * value.ndim
    if isinstance(sharding, NamedSharding):
        for i, entry in enumerate(sharding.spec):
            name = entry[0] if isinstance(entry, tuple) and entry else entry or None
            names[i] = name if name and value.shape[i] % mesh.dim_size(name) == 0 else None
    return Layout(spec_of(names), mesh)


def _result(value: object, mesh: Mesh) -> Array:
    """A result as the value of a tensor."""
    if not isinstance(value, jax.Array):
        return value  # type: ignore[return-value]  # of NumPy, as some kernels make it
    return Sharded(value, _layout_of(value, mesh))  # type: ignore[return-value]  # in the place of an array


@lru_cache(maxsize=64)
def mesh_of_jax(mesh: Mesh) -> jax.sharding.Mesh:
    """The same mesh for JAX."""
    places = [int(name.rpartition(":")[2]) for name in mesh.local_devices()]
    if devices_for(1 + max(places)) is None:
        raise RuntimeError(
            f"JAX has begun with fewer devices than {1 + max(places)}: call "
            "tf.config.set_logical_device_configuration before anything is compiled."
        )
    processes = range(jax.process_count()) if mesh.is_shared else [jax.process_index()]
    devices = [jax.local_devices(process)[i] for process in processes for i in places]
    first = mesh.min_global_device_id()
    grid = np.array([devices[i - first] for i in mesh.global_device_ids().ravel()])
    return jax.sharding.Mesh(grid.reshape(mesh.shape()), tuple(mesh.dim_names))


def _local_devices(mesh: Mesh) -> list[jax.Device]:
    """The devices of this process, in the order of the mesh."""
    here = jax.process_index()
    return [each for each in mesh_of_jax(mesh).devices.flat if each.process_index == here]


@lru_cache(maxsize=1024)
def _sharding(layout: Layout) -> NamedSharding:
    names = [None if spec == UNSHARDED else spec for spec in layout.sharding_specs]
    return NamedSharding(
        mesh_of_jax(layout.mesh),
        PartitionSpec(*names),  # type: ignore[no-untyped-call]
    )


def placed_on(array: Array | jax.Array, layout: Layout) -> Sharded:
    """An array in a layout; where it has one already, all processes do this together."""
    check_divides(layout, array.shape)
    if array.dtype.hasobject:
        raise UnimplementedError(
            "Strings do not lie on a mesh of devices, which compute with numbers: keep them in "
            "tensors that are on no mesh."
        )
    sharding, mesh = _sharding(layout), layout.mesh
    if isinstance(array, jax.Array):
        what = f"a relayout of {[*array.shape]}"
        return Sharded(_on_all(mesh, what, lambda: jax.device_put(array, sharding)), layout)
    with jax.enable_x64(True):
        if not mesh.is_shared:
            return Sharded(jax.device_put(array, sharding), layout)
        part = np.asarray(array).__getitem__
        return Sharded(jax.make_array_from_callback(array.shape, sharding, part), layout)


def constrained(value: jax.Array, layout: Layout) -> jax.Array:
    """A value in a layout, in a program that XLA compiles."""
    check_divides(layout, value.shape)
    constrain: Callable[..., jax.Array] = jax.lax.with_sharding_constraint
    return constrain(value, _sharding(layout))


def assembled(parts: Sequence[Array], layout: Layout) -> Sharded:
    """The value whose parts these are, one for each device of the mesh."""
    local = np.shape(parts[0])
    if any(np.shape(part) != local for part in parts) or len(local) != layout.rank:
        raise InvalidArgumentError(
            f"All parts must have one shape, of {layout.rank} axes, got {[*map(np.shape, parts)]}."
        )
    shape = tuple(n * k for n, k in zip(local, layout.counts, strict=True))
    with jax.enable_x64(True):
        pairs = zip(parts, _local_devices(layout.mesh), strict=True)
        pieces = [jax.device_put(part, device) for part, device in pairs]
        whole = jax.make_array_from_single_device_arrays(shape, _sharding(layout), pieces)
    return Sharded(whole, layout)
