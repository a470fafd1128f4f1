"""The few functions of Keras that would not work over cinta, written anew.

They are put in their place as soon as their module has been run.
"""

from __future__ import annotations

from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import cinta

from ..data.batching import batch_size
from . import distribution, output_losses
from .attention import fused_attention
from .batches import epoch_iterator
from .exporting import archives, onnx, serving
from .jax_functions import Key, converted
from .normalization import fused_functions as normalizations
from .normalization import fused_groups
from .processes import backups, own_state, reductions
from .recurrent import fused_functions, fused_layer
from .tensorflow import tensorflow
from .updates import recorded

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..data.dataset import Dataset
    from ..distribute.strategy import Strategy
    from ..engine.annotations import DTypeLike
    from ..engine.sparse_tensor import SparseTensor

_FILLS = ((8, 64), (4, 96))
_ALIKE = ((8, 8), (4, 4))
"""Sizes to put where a shape knows none: for the axis of samples, and for the other axes.

A size that comes out the same for both is known. They have many divisors: layers halve inputs.
Where a layer needs all axes alike, as for the matrix of a graph and its nodes, it gets them so.
A result keeps both of its shapes, and the layers after it are tried with these: a layer may divide
what another has multiplied.
"""

_TRIED = "_cinta_tried"
"""The attribute of a result of unknown sizes that holds the shapes that were tried."""


def _core(core: Any) -> None:
    """Shapes of results are found by computing with zeros: there is no graph to look at."""
    core.compute_output_spec = partial(_output_spec, core)
    own_state(core)
    distribution.variables(core)


def _output_spec(
    core: Any, fn: Callable[..., object], /, *args: object, **kwargs: object
) -> object:
    """The specs of what a function gives for arguments of which some are specs."""
    inputs = args, kwargs
    given = [x for x in core.tree.flatten(inputs) if isinstance(x, core.KerasTensor)]
    is_open = any(None in x.shape for x in given)
    try:
        return _tried(core, fn, inputs, _FILLS, is_open)
    except Exception:
        if not any(None in x.shape[1:] for x in given):
            raise
        try:
            return _tried(core, fn, inputs, _ALIKE, is_open)
        except Exception:
            pass  # the first error tells more
        raise


def _tried(
    core: Any, fn: Callable[..., object], inputs: object, sizes: Any, is_open: bool
) -> object:
    """The specs of the results, from two choices of the sizes that are not known."""
    with core.StatelessScope(), core.SymbolicScope():
        first = second = _run_on_zeros(core, fn, inputs, sizes, 0)
        if is_open:
            second = _run_on_zeros(core, fn, inputs, sizes, 1)
    return core.tree.map_structure(partial(_common, core), first, second)


def _run_on_zeros(
    core: Any, fn: Callable[..., object], inputs: object, sizes: Any, trial: int
) -> object:
    fills = sizes[trial]

    def filled(x: object) -> object:
        if not isinstance(x, core.KerasTensor):
            return x
        sizes = [fills[i > 0] if n is None else n for i, n in enumerate(x.shape)]
        sizes = getattr(x, _TRIED, (sizes, sizes))[trial]
        return _without_elements(sizes, x.dtype) if x.sparse else cinta.zeros(sizes, x.dtype)

    args, kwargs = core.tree.map_structure(filled, inputs)
    return fn(*args, **kwargs)


def _common(core: Any, x: Any, y: Any) -> object:
    """The spec of a result that had these values."""
    if not cinta.is_tensor(x):
        return x
    shape = x.shape.most_specific_compatible_shape(y.shape)
    result = core.KerasTensor(shape, x.dtype, sparse=isinstance(x, cinta.SparseTensor))
    setattr(result, _TRIED, (x.shape, y.shape))
    return result


def _without_elements(sizes: list[int], dtype: DTypeLike) -> SparseTensor:
    """A sparse tensor of zeros alone."""
    none = cinta.zeros([0], dtype)
    return cinta.SparseTensor(cinta.zeros([0, len(sizes)], "int64"), none, sizes)


def _keras_tensor(module: Any) -> None:
    """Functions of Keras ask whether arguments stand for a layer's input; most are known."""
    search, known = module.any_symbolic_tensors, {cinta.Tensor, int, float, bool, str, type(None)}

    def any_symbolic_tensors(
        args: tuple[object, ...] | None = None, kwargs: dict[str, object] | None = None
    ) -> bool:
        unknown = [x for x in (*(args or ()), *(kwargs or {}).values()) if type(x) not in known]
        return bool(unknown) and search(unknown)

    module.any_symbolic_tensors = any_symbolic_tensors


def _config(config: Any) -> None:
    """cinta stands in TensorFlow's place, whatever the environment and Keras's settings name."""
    config._BACKEND = "tensorflow"


def _trainer(trainer: Any) -> None:
    of_one, of_several = epoch_iterator(trainer), trainer.TFEpochIterator

    def chosen(distribute_strategy: Strategy | None = None, **options: object) -> Any:
        """The source of batches; Keras's own one distributes them to several replicas."""
        several = distribute_strategy is not None and distribute_strategy.num_replicas_in_sync > 1
        return (of_several if several else of_one)(
            distribute_strategy=distribute_strategy, **options
        )

    trainer.TFEpochIterator = chosen
    reductions(trainer)
    output_losses.steps(trainer)
    distribution.outputs(trainer)


def _base_trainer(trainer: ModuleType) -> None:
    """A model that does not say whether to compile its steps leaves it to ``set_engine``."""
    trainer.Trainer._resolve_auto_jit_compile = lambda self: None


def _module_utils(utils: ModuleType) -> None:
    utils.tensorflow.module, utils.tensorflow._available = tensorflow, True
    utils.gfile.module, utils.gfile._available = tensorflow.io.gfile, True


def _datasets(module: Any) -> None:
    """Keras knows datasets by the name of their class."""

    def is_tf_dataset(x: object) -> bool:
        return isinstance(x, (cinta.data.Dataset, cinta.distribute.DistributedDataset))

    module.is_tf_dataset = is_tf_dataset


def _adapter_utils(utils: Any) -> None:
    """Keras knows tensors by the names of their classes' modules."""
    kinds = cinta.Tensor, cinta.SparseTensor, tensorflow.RaggedTensor

    def is_a(*kinds: type) -> Callable[[object], bool]:
        return lambda value: isinstance(value, kinds)

    utils.is_tensorflow_tensor = is_a(*kinds)
    utils.is_tensorflow_sparse = is_a(cinta.SparseTensor)
    utils.is_tensorflow_ragged = is_a(tensorflow.RaggedTensor)


def _dataset_utils(utils: Any) -> None:
    """The same where datasets are split, which asks for the size of batches too."""
    _datasets(utils)

    def get_batch_size(dataset: Dataset) -> int | None:
        return batch_size(dataset._stage)

    utils.get_batch_size = get_batch_size
    utils.is_batched = lambda dataset: get_batch_size(dataset) is not None


def _jax_layer(module: Any) -> None:
    """JAX's own way, ``jax2tf``, makes TensorFlow's graphs."""

    def convert(
        self: object, function: Callable[..., Any], polymorphic_shapes: list[str]
    ) -> Callable[..., Any]:
        return converted(function)

    module.JaxLayer._jax2tf_convert = convert
    module._convert_to_jax_key = Key


def _ragged(utils: Any) -> None:
    """Keras knows ragged tensors by the name of their class's module."""
    utils.is_ragged_tensor = lambda x: isinstance(x, tensorflow.RaggedTensor)


def _slicing(slicing: Any) -> None:
    """Keras needs the rows of sparse tensors in their order."""
    wrapped = slicing.to_tensorflow_sparse_wrapper
    slicing.to_tensorflow_sparse_wrapper = lambda sparse: wrapped(cinta.sparse.reorder(sparse))


def _loaded_layer(module: ModuleType) -> None:
    """A layer that makes variables of its own for those that it has loaded."""
    module.TFSMLayer._adopts = False


def _optimizer(module: object, name: str) -> None:
    """Updates outside of ``fit`` are recorded; the Python stays, under another name.

    For functions look for what the methods of an object name, to know what a call depends on.
    """
    kind = getattr(module, name)
    kind._apply_as_python = kind.apply
    kind.apply = recorded(kind.apply, filters=name == "BaseOptimizer")


_BACKEND = "keras.src.backend.tensorflow"
_OPTIMIZERS = {
    "base_optimizer": "BaseOptimizer",
    "loss_scale_optimizer": "LossScaleOptimizer",
    "multi_optimizer": "MultiOptimizer",
}
AFTER: dict[str, Callable[[Any], None]] = {
    f"{_BACKEND}.core": _core,
    f"{_BACKEND}.distribution_lib": distribution.devices,
    f"{_BACKEND}.layer": serving,
    "keras.src.backend.common.keras_tensor": _keras_tensor,
    "keras.src.backend.config": _config,
    f"{_BACKEND}.nn": fused_attention,
    f"{_BACKEND}.rnn": fused_functions,
    f"{_BACKEND}.trainer": _trainer,
    "keras.src.callbacks.backup_and_restore": backups,
    "keras.src.distribution.distribution_lib": distribution.default_meshes,
    "keras.src.export.onnx": onnx,
    "keras.src.export.saved_model_export_archive": archives,
    "keras.src.export.tfsm_layer": _loaded_layer,
    "keras.src.layers.normalization.group_normalization": lambda module: fused_groups(
        module.GroupNormalization
    ),
    "keras.src.layers.rnn.gru": lambda module: fused_layer(module.GRU),
    "keras.src.layers.rnn.lstm": lambda module: fused_layer(module.LSTM),
    "keras.src.ops.nn": normalizations,
    "keras.src.trainers.data_adapters.tf_dataset_adapter": distribution.datasets,
    "keras.src.trainers.data_adapters": _datasets,
    "keras.src.trainers.data_adapters.array_slicing": _slicing,
    "keras.src.trainers.data_adapters.data_adapter_utils": _adapter_utils,
    "keras.src.trainers.compile_utils": output_losses.means,
    "keras.src.trainers.trainer": _base_trainer,
    "keras.src.utils.dataset_utils": _dataset_utils,
    "keras.src.utils.jax_layer": _jax_layer,
    "keras.src.utils.module_utils": _module_utils,
    "keras.src.utils.tf_utils": _ragged,
    **{
        f"keras.src.optimizers.{module}": partial(_optimizer, name=name)
        for module, name in _OPTIMIZERS.items()
    },
}
