"""``keras.distribution``: models on meshes of devices, by tensors that lie on them.

Keras has classes of its own for meshes, layouts and distributions. Its module for TensorFlow turns
meshes and layouts into those of ``tf.experimental.dtensor``; what it leaves open is here. Variables
take their layout when they get their first value, batches when they come out of their source, and
ops on both run on all devices of the mesh.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import cinta

from ..dtensor.clients import client_id, num_clients
from ..dtensor.layout import Layout
from ..dtensor.mesh import Mesh, set_default_mesh
from ..dtensor.moving import copy_to_mesh, fetch_layout, is_dtensor
from ..dtensor.variable import DVariable
from ..engine.variable import Variable
from ..errors import UnimplementedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import ModuleType

    from ..engine.annotations import TensorLike
    from ..engine.tensor import Array, Tensor


class TensorLayout(Protocol):
    """Keras's layout."""

    backend_layout: Layout


class DeviceMesh(Protocol):
    """Keras's mesh."""

    backend_mesh: Mesh


class Distribution(Protocol):
    """Keras's distribution."""

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

    def get_device_count(device_type: str | None = None) -> int:
        return len(lib.list_devices(device_type))

    vars(lib).update(
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
    """Begin with the processes that there are: one, since meshes have the devices of one."""
    addresses = job_addresses.split(",") if job_addresses else []
    if len(addresses) > 1 and num_processes not in (None, len(addresses)):
        raise ValueError(
            f"The provided job_addresses {addresses} has {len(addresses)} jobs, but num_processes "
            f"is {num_processes}"
        )
    if max(num_processes or 1, len(addresses)) > 1:
        raise UnimplementedError(
            "keras.distribution has the devices of one process: for several processes use "
            "tf.distribute.MultiWorkerMirroredStrategy, with TF_CONFIG."
        )


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


def variables(core: ModuleType) -> None:
    """Variables that have a layout, or are made under a distribution, lie on its mesh."""
    kind = core.Variable
    make_plain, to_numpy = kind._initialize, core.convert_to_numpy

    def initialize(self: KerasVariable, value: TensorLike | Callable[[], TensorLike]) -> None:
        present: Distribution | None = core.global_state.get_global_attribute("distribution")
        is_made = isinstance(value, Variable)
        if is_made or (self._layout is None and present is None):
            return make_plain(self, value)  # type: ignore[no-any-return]
        first = cinta.cast(value() if callable(value) else value, self._dtype)
        self._shape = tuple(first.shape)
        if self._layout is None and present is not None:
            self._layout = present.get_variable_layout(self)
        placed = distribute_tensor(first, self._layout)  # type: ignore[arg-type]  # there is one
        self._value = ModelVariable(placed, trainable=self.trainable, name=self.name)
        return None

    def convert_to_numpy(x: object) -> Array:
        found: Array = to_numpy(gathered(x) if is_dtensor(x) else x)  # type: ignore[arg-type]
        return found

    kind._initialize = initialize
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

    return (tree.map_structure(placed, batch, none_is_leaf=False) for batch in batches)
