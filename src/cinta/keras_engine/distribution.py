"""``keras.distribution``: models on meshes of devices, by tensors that lie on them.

Keras has classes of its own for meshes, layouts and distributions. Its module for TensorFlow turns
meshes and layouts into those of ``tf.experimental.dtensor``; what it leaves open is here. Variables
take their layout when they get their first value, batches when they come out of their source, and
ops on both run on all devices of the mesh.
"""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from random import randrange
from typing import TYPE_CHECKING, Protocol

import cinta

from ..distribute.join_cluster import cluster_of_program, join_named
from ..dtensor.clients import client_id, join, num_clients
from ..dtensor.layout import Layout
from ..dtensor.mesh import Mesh, set_default_mesh
from ..dtensor.mesh_creation import create_distributed_mesh
from ..dtensor.moving import copy_to_mesh, fetch_layout, is_dtensor
from ..dtensor.variable import DVariable
from ..engine.by_itself import by_itself
from ..engine.devices import logical_devices
from ..engine.variable import Variable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import ModuleType

    from ..distribute.cluster import Cluster
    from ..engine.annotations import TensorLike
    from ..engine.tensor import Array, Tensor


class TensorLayout(Protocol):
    """Keras's layout."""

    backend_layout: Layout


class DeviceMesh(Protocol):
    """Keras's mesh."""

    axis_names: Sequence[str]
    backend_mesh: Mesh
    shape: Sequence[int]


class Distribution(Protocol):
    """Keras's distribution."""

    auto_shard_dataset: bool
    """Whether each process has the data of all."""
    device_mesh: DeviceMesh

    def get_data_layout(self, data_shape: Sequence[int | None]) -> TensorLayout: ...

    def get_variable_layout(self, variable: object) -> TensorLayout: ...


class KerasVariable(Protocol):
    """The members of Keras's variables that are used."""

    name: str
    trainable: bool
    _dtype: str
    _layout: TensorLayout | Layout | None
    _shape: tuple[int, ...]
    _value: Variable


class ModelVariable(DVariable):
    """A variable of a model: it takes plain values too, and shows its whole value to Python."""

    def _converted(self, value: TensorLike | None) -> Tensor:
        tensor = Variable._converted(self, value)
        return self._laid(tensor) if tensor.ndim == self.shape.rank else tensor

    def numpy(self) -> Array:
        found: Array = gathered(self).numpy() if is_dtensor(self) else super().numpy()
        return found


def gathered(tensor: Tensor | Variable) -> Tensor:
    """The tensor with the whole of it on each device."""
    layout = fetch_layout(tensor)
    return copy_to_mesh(tensor, Layout.replicated(layout.mesh, layout.rank))


# -- Keras's modules -----------------------------------------------------------------------------


def devices(lib: ModuleType) -> None:
    """The answers that Keras asks of an engine which has several devices."""

    here, to_mesh = lib.list_devices, lib._to_backend_mesh

    def list_devices(device_type: str | None = None) -> list[str]:
        """The devices of all processes, which have equally many."""
        found: list[str] = here(device_type)
        if num_clients() == 1:
            return found
        return [f"cpu:{i}" for i in range(len(found) * num_clients())]

    def get_device_count(device_type: str | None = None) -> int:
        return len(list_devices(device_type))

    def to_backend_mesh(device_mesh: DeviceMesh) -> Mesh:
        if num_clients() == 1:
            found: Mesh = to_mesh(device_mesh)
            return found
        return create_distributed_mesh(
            [*zip(device_mesh.axis_names, device_mesh.shape, strict=True)]
        )

    vars(lib).update(
        list_devices=list_devices,
        _to_backend_mesh=to_backend_mesh,
        get_device_count=get_device_count,
        num_processes=num_clients,
        process_id=client_id,
        initialize=initialize,
        distribute_value=distribute_tensor,
        distribute_tensor=distribute_tensor,
        distribute_data_input=distribute_data_input,
    )


def initialize(
    job_addresses: str | None, num_processes: int | None, process_id: int | None
) -> None:
    """Wait for the other processes, if there are some; all then draw the same random numbers."""
    addresses = job_addresses.split(",") if job_addresses else []
    if len(addresses) > 1 and num_processes not in (None, len(addresses)):
        raise ValueError(
            f"The provided job_addresses {addresses} has {len(addresses)} jobs, but num_processes "
            f"is {num_processes}"
        )
    count = num_processes or len(addresses)
    if count > 1:
        _join_at(addresses, count, process_id)
    elif not addresses:
        join()  # those that the environment names
    if (cluster := cluster_of_program()) is not None:
        _set_one_seed(cluster)


def _join_at(addresses: Sequence[str], count: int, number: int | None) -> None:
    """Wait for so many processes, of which this is one; they meet at the first address."""
    if not addresses or number is None or not 0 <= number < count:
        raise ValueError(
            f"{count} processes need `job_addresses`, of which the first is where they meet, and a "
            f"`process_id` from 0 to {count - 1}, got {','.join(addresses)!r} and {number!r}."
        )
    told = addresses if len(addresses) == count else [addresses[0]] * count
    names = [f"process {i} ({address})" for i, address in enumerate(told)]
    join_named(names, addresses[0], number, len(logical_devices()))


def _set_one_seed(cluster: Cluster) -> None:
    """Let all processes draw the random numbers of the first one."""
    from keras.src.utils import rng_utils

    own = rng_utils.get_random_seed()
    seed = cluster.of_first("the seed", randrange(2**31) if own is None else int(own))
    rng_utils.set_random_seed(seed)


def distribute_tensor(tensor: TensorLike, layout: TensorLayout | Layout) -> Tensor:
    """The tensor in a layout, which is Keras's or dtensor's."""
    return copy_to_mesh(tensor, layout if isinstance(layout, Layout) else layout.backend_layout)


def distribute_data_input(
    per_process_batch: TensorLike, layout: TensorLayout | Layout, batch_dim_name: str
) -> Tensor:
    """The batch on the devices, each of which has some of its rows."""
    return distribute_tensor(per_process_batch, layout)


def default_meshes(lib: ModuleType) -> None:
    """Tensors that are made under a distribution mix with those on its mesh."""
    choose: Callable[[object], None] = lib.set_distribution

    def set_distribution(value: Distribution | None) -> None:
        choose(value)
        set_default_mesh(None if value is None else value.device_mesh.backend_mesh)

    vars(lib)["set_distribution"] = set_distribution


def datasets(adapter: ModuleType) -> None:
    """Models take the batches of datasets whole: rows are divided on their way to the mesh."""
    kind = adapter.TFDatasetAdapter
    begin = kind.__init__

    def initialize(
        self: object, dataset: object, class_weight: object = None, distribution: object = None
    ) -> None:
        begin(self, dataset, class_weight)

    kind.__init__ = initialize


def variables(core: ModuleType) -> None:
    """Variables that have a layout, or are made under a distribution, lie on its mesh."""
    kind = core.Variable
    make_plain, to_numpy, shown = kind._initialize, core.convert_to_numpy, kind.__repr__

    def initialize(self: KerasVariable, value: TensorLike | Callable[[], TensorLike]) -> None:
        present: Distribution | None = core.global_state.get_global_attribute("distribution")
        is_made = isinstance(value, Variable)
        if is_made or (self._layout is None and present is None):
            return make_plain(self, value)  # type: ignore[no-any-return]
        first = cinta.cast(value() if callable(value) else value, self._dtype)
        if (cluster := cluster_of_program()) is not None:
            what = f"the making of the variable {self.name!r}: {first.dtype.name} {first.shape}"
            first = cinta.constant(cluster.of_first(what, first.numpy()), self._dtype)
        self._shape = tuple(first.shape)
        if self._layout is None and present is not None:
            self._layout = present.get_variable_layout(self)
        placed = distribute_tensor(first, self._layout)  # type: ignore[arg-type]  # there is one
        self._value = ModelVariable(placed, trainable=self.trainable, name=self.name)
        return None

    def convert_to_numpy(x: object) -> Array:
        found: Array = to_numpy(gathered(x) if is_dtensor(x) else x)  # type: ignore[arg-type]
        return found

    def represented(self: KerasVariable) -> str:
        """The variable in words, without its value if other processes have some of it."""
        with by_itself():
            found: str = shown(self)
        return found

    kind._initialize, kind.__repr__ = initialize, represented
    vars(core)["convert_to_numpy"] = convert_to_numpy


def outputs(trainer: ModuleType) -> None:
    """Predictions are put together from all devices."""
    to_numpy: Callable[[object], object] = trainer.convert_to_np_if_not_ragged

    def convert_to_np_if_not_ragged(x: object) -> object:
        return to_numpy(gathered(x) if is_dtensor(x) else x)  # type: ignore[arg-type]

    vars(trainer)["convert_to_np_if_not_ragged"] = convert_to_np_if_not_ragged


def on_mesh(batches: Iterable[object]) -> Iterable[object]:
    """The batches, on the mesh of the present distribution if there is one."""
    from keras.src import distribution, tree

    present: Distribution | None = distribution.distribution()
    if present is None:
        return batches

    def placed(tensor: Tensor) -> Tensor:
        layout = present.get_data_layout(tensor.shape.as_list()).backend_layout
        if tensor.shape[0] % layout.num_shards(0):  # the last batch, of few rows
            layout = Layout.replicated(layout.mesh, layout.rank)
        return copy_to_mesh(tensor, layout)

    def laid(batch: object) -> object:
        if (cluster := cluster_of_program()) is not None:
            if present.auto_shard_dataset:
                _check_alike(cluster, tree.flatten(batch))
            else:
                of_all = partial(_of_all_processes, cluster)
                batch = tree.map_structure(of_all, batch, none_is_leaf=False)
        return tree.map_structure(placed, batch, none_is_leaf=False)

    return map(laid, batches)


def _of_all_processes(cluster: Cluster, rows: Tensor) -> Tensor:
    """The batch to which each process gives some rows."""
    found = cluster.exchange_parts("the next batch", [rows.numpy()])
    return cinta.concat([part for (part,) in found], axis=0)


def _check_alike(cluster: Cluster, tensors: Iterable[Tensor | None]) -> None:
    """Raise if other processes have another batch: each takes its rows of one batch for all."""
    content = b"".join([x.numpy().tobytes() for x in tensors if x is not None])
    found = cluster.exchange_parts("the next batch", [sha256(content).hexdigest()])
    if len({digest for (digest,) in found}) > 1:
        raise ValueError(
            "The processes have different batches, and each of them must have the whole of the "
            "same one, of which its devices take some rows: shuffle with one seed. Where the data "
            "are divided already, make the distribution with auto_shard_dataset=False."
        )
