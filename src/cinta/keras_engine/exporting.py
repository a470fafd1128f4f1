"""Export for Keras: saved models and ONNX files are made of recordings instead of graphs."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

import cinta

from ..checkpoints.trackable import is_container, is_trackable
from ..lookup.tables import Table
from ..lookup.vocabulary_tables import StaticVocabularyTable
from ..programs.function import Function
from ..saved_model.saved_functions import AnyFunction, called, described
from .tracking import Trackable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ..engine.tensor import Array
    from ..engine.variable import Variable
    from ..programs.concrete import ConcreteFunction
    from ..programs.specs import TensorSpec
    from ..saved_model.saving import PathLike


def archives(module: Any) -> None:
    """Keras's archives of functions, without what they ask of TensorFlow's functions and graphs."""
    archive = module.SavedModelExportArchive
    endpoint, track_layer = archive.add_endpoint, archive.track

    def track(self: object, resource: object) -> None:
        if _is_resource(resource):
            vars(self).setdefault("_tracked", []).append(resource)
        else:
            track_layer(self, resource)

    def add_endpoint(
        self: Any, name: str, fn: object, input_signature: object = None, **kwargs: object
    ) -> object:
        if not isinstance(fn, Function) or input_signature or name in self._endpoint_names:
            return endpoint(self, name, fn, input_signature, **kwargs)
        if fn.input_signature is None and not called(fn):
            raise ValueError(
                f"the endpoint {name!r} has no shapes, as {fn!r} was never called: you must either "
                "provide a function that has run once, or give `input_signature`."
            )
        setattr(self._tf_trackable, name, fn)
        self._endpoint_names.append(name)
        return fn

    def concrete(self: Any, name: str) -> Function[..., Any] | ConcreteFunction:
        fn: Function[..., Any] = getattr(self._tf_trackable, name)
        return fn if fn.input_signature is not None else called(fn)[0]

    def follow_resources(self: Any) -> None:
        functions = [self._get_concrete_fn(name) for name in self._endpoint_names]
        trainable, others = variables_of(functions)
        self._tf_trackable._all_variables = trainable + others
        self._tf_trackable._misc_assets = [
            each for each in getattr(self, "_tracked", ()) if not hasattr(each, "_layers")
        ]

    archive.track, archive.add_endpoint = track, add_endpoint
    archive._get_concrete_fn = concrete
    archive._filter_and_track_resources = follow_resources
    module._list_variables_used_by_fns = variables_of
    module._print_signature = _endpoint


def _is_resource(thing: object) -> bool:
    """Whether it is cinta's own, and one of the things that TensorFlow tracks."""
    if isinstance(thing, Trackable) or is_container(thing):
        return False
    return is_trackable(thing) or isinstance(thing, (Table, StaticVocabularyTable, Function))


def variables_of(functions: Iterable[AnyFunction]) -> tuple[list[Variable], list[Variable]]:
    """The variables that functions read or assign: those that are trained, and the others."""
    found = {id(v): v for each in functions for v in _touched(each)}
    trainable = [v for v in found.values() if v.trainable]
    return trainable, [v for v in found.values() if not v.trainable]


def _touched(function: AnyFunction) -> Iterator[Variable]:
    for program in described(function, gradients=False).programs:
        for variable, _ in (*program.recording.reads, *program.recording.assigns):
            yield variable


def _endpoint(fn: Function[..., Any], name: str, verbose: bool = True) -> str:
    """The message that Keras prints about a function that it exported."""
    takes = fn.input_signature or called(fn)[0].structured_input_signature[0]
    lines = [f"* Endpoint '{name}'", "  Arguments:", *[f"    {spec}" for spec in takes]]
    return "\n".join(lines)


def serving(module: ModuleType) -> None:
    """The signature of a model that is saved as it is: of any number of samples.

    A model without an ``Input`` knows its inputs by the shapes of its first call, or batch.
    """
    known = module.TFLayer._default_save_signature.fget

    def signature(self: object) -> object:
        from keras.src import tree
        from keras.src.models import Functional, Model, Sequential

        if not isinstance(self, Model) or isinstance(self, Functional):
            return known(self)

        def spec(shape: Sequence[int | None]) -> TensorSpec:
            return cinta.TensorSpec([None, *shape[1:]] if shape else [], self.input_dtype)

        if isinstance(self, Sequential):
            shapes = [self.input_shape]
        else:
            shapes = _plain([*(self._build_shapes_dict or {}).values()])
        specs = [tree.map_shape_structure(spec, each) for each in shapes]
        return cinta.function(lambda inputs: self(inputs), specs) if len(specs) == 1 else None

    module.TFLayer._default_save_signature = property(signature)


def _plain(value: object) -> Any:
    """The value without the containers of Keras's that tell it of changes."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def onnx(exporting: Any) -> None:
    """Models as ONNX files."""

    def export_onnx(
        model: Callable[..., object],
        filepath: PathLike,
        verbose: Array | int | None = None,
        input_signature: object = None,
        opset_version: int | None = None,
    ) -> None:
        from keras.src.utils.io_utils import print_msg

        from ..export.exporting import write_onnx

        write_onnx(filepath, _served(model, input_signature), opset=opset_version)
        if verbose or verbose is None:
            print_msg(f"Saved artifact at '{filepath}'.")

    exporting.export_onnx = export_onnx


def _served(model: Callable[..., object], signature: object) -> Function[..., object]:
    """A model as a function of its inputs."""
    from keras.src import tree
    from keras.src.export.export_utils import get_input_signature, make_tf_tensor_spec

    def serve(*inputs: object) -> object:
        return model(*inputs, training=False)

    specs = get_input_signature(model) if signature is None else signature
    return cinta.function(serve, input_signature=tree.map_structure(make_tf_tensor_spec, specs))
