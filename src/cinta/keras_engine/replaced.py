"""The few functions of Keras that would not work over cinta, written anew.

They are put in their place as soon as their module has been run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cinta

from .batches import epoch_iterator
from .tensorflow import tensorflow

if TYPE_CHECKING:
    from collections.abc import Callable

_FILLS = ((8, 64), (4, 96))
"""Sizes to put where a shape knows none: for the axis of samples, and for the other axes.

What comes out twice the same is known. The numbers have many divisors, for what halves its input.
"""


def _core(core: Any) -> None:
    """Shapes of results are found by computing with zeros: there is no graph to look at."""

    def run(fn: Callable[..., Any], inputs: Any, fills: tuple[int, int]) -> Any:
        def filled(x: Any) -> Any:
            if not isinstance(x, core.KerasTensor):
                return x
            sizes = [fills[i > 0] if n is None else n for i, n in enumerate(x.shape)]
            return cinta.zeros(sizes, x.dtype)

        args, kwargs = core.tree.map_structure(filled, inputs)
        return fn(*args, **kwargs)

    def common(x: Any, y: Any) -> Any:
        if not cinta.is_tensor(x):
            return x
        shape = x.shape.most_specific_compatible_shape(y.shape)
        return core.KerasTensor(shape, x.dtype, sparse=isinstance(x, cinta.SparseTensor))

    def compute_output_spec(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        inputs = args, kwargs
        with core.StatelessScope(), core.SymbolicScope():
            first = second = run(fn, inputs, _FILLS[0])
            leaves = core.tree.flatten(inputs)
            if any(isinstance(x, core.KerasTensor) and None in x.shape for x in leaves):
                second = run(fn, inputs, _FILLS[1])
        return core.tree.map_structure(common, first, second)

    core.compute_output_spec = compute_output_spec


def _config(config: Any) -> None:
    """cinta stands in TensorFlow's place, whatever the environment and Keras's settings name."""
    config._BACKEND = "tensorflow"


def _trainer(trainer: Any) -> None:
    trainer.TFEpochIterator = epoch_iterator(trainer)


def _base_trainer(trainer: Any) -> None:
    """A model that does not say whether to compile its steps leaves it to ``set_engine``."""
    trainer.Trainer._resolve_auto_jit_compile = lambda self: None


def _module_utils(utils: Any) -> None:
    utils.tensorflow.module, utils.tensorflow._available = tensorflow, True


def _data_adapters(adapters: Any) -> None:
    def is_tf_dataset(x: Any) -> bool:
        return isinstance(x, cinta.data.Dataset)

    adapters.is_tf_dataset = is_tf_dataset


def _saved_models(exporting: Any) -> None:
    """What ``model.export`` writes: there are no graphs, but recordings."""

    def export_saved_model(
        model: Any, filepath: Any, verbose: Any = None, input_signature: Any = None, **more: Any
    ) -> None:
        archive: Any = cinta.Module()
        archive.weights = [variable.value for variable in model.variables]
        archive.serve = _served(model, input_signature)
        signatures = {"serve": archive.serve, "serving_default": archive.serve}
        cinta.saved_model.save(archive, filepath, signatures, **more)
        _tell(f"Saved artifact at '{filepath}'. Its endpoint is 'serve'.", verbose)

    exporting.export_saved_model = export_saved_model


def _onnx(exporting: Any) -> None:
    """The same for ONNX."""

    def export_onnx(
        model: Any, filepath: Any, verbose: Any = None, input_signature: Any = None
    ) -> None:
        cinta.export.to_onnx(_served(model, input_signature), filepath)
        _tell(f"Saved artifact at '{filepath}'.", verbose)

    exporting.export_onnx = export_onnx


def _served(model: Any, signature: Any) -> Any:
    """A model as a function of its inputs."""
    from keras.src import tree
    from keras.src.export.export_utils import get_input_signature

    def spec(given: Any) -> Any:
        return cinta.TensorSpec(given.shape, given.dtype, given.name)

    def serve(*inputs: Any) -> Any:
        return model(*inputs, training=False)

    specs = get_input_signature(model) if signature is None else signature
    return cinta.function(serve, input_signature=tree.map_structure(spec, specs))


def _tell(message: str, verbose: Any) -> None:
    from keras.src.utils.io_utils import print_msg

    if verbose or verbose is None:
        print_msg(message)


_BACKEND = "keras.src.backend.tensorflow"
AFTER: dict[str, Callable[[Any], None]] = {
    f"{_BACKEND}.core": _core,
    "keras.src.backend.config": _config,
    f"{_BACKEND}.trainer": _trainer,
    "keras.src.export.onnx": _onnx,
    "keras.src.export.saved_model": _saved_models,
    "keras.src.trainers.data_adapters": _data_adapters,
    "keras.src.trainers.trainer": _base_trainer,
    "keras.src.utils.module_utils": _module_utils,
}
