"""Names of ``tensorflow.python`` that TensorFlow shows nowhere else, and that libraries take."""

from __future__ import annotations

import faulthandler
import re
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..config.device_lists import LogicalDevice, list_logical_devices
from ..data.dataset import Dataset as DatasetV2
from ..data.iterator import Iterator as OwnedIterator
from ..engine.convert import convert_to_tensor as convert_to_tensor_v2_with_dispatch
from ..engine.convert import is_tensor as is_tf_type
from ..engine.devices import DeviceSpec
from ..engine.name_scopes import get_current_name_scope as get_name_scope
from ..engine.recorders import active
from ..engine.shapes import TensorShape
from ..engine.tensor import Tensor as EagerTensor
from ..engine.variable import Variable as ResourceVariable
from ..keras_engine.tracking import AutoTrackable, ListWrapper, Trackable
from ..keras_engine.tracking import DictWrapper as _DictWrapper
from ..nest import map_structure
from ..ops.arrays.ranges import range as range_of
from ..ops.checks.assertions import assert_equal as assert_equal_v2
from ..ops.control.branching import case
from ..ops.control.vectorized_map import vectorized_map
from ..programs.composite_specs import VariableSpec
from ..programs.function import Function
from ..programs.graph_compat import get_static_value as constant_value
from ..raw_ops import ParameterizedTruncatedNormal, PreventGradient
from .composite_tensors import CompositeTensor
from .type_specs import BatchableTypeSpec, DenseSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager

    from ..engine.annotations import DTypeLike, NumericLike, ShapeLike, TensorLike

__all__ = [
    "AutoTrackable",
    "BaseResourceVariable",
    "BatchableTypeSpec",
    "CompositeTensor",
    "DatasetV2",
    "DenseSpec",
    "EagerTensor",
    "Function",
    "ListWrapper",
    "OwnedIterator",
    "ResourceVariable",
    "Trackable",
    "VariableSpec",
    "_DictWrapper",
    "assert_equal_v2",
    "constant_value",
    "contextmanager",
    "convert_to_tensor_v2_with_dispatch",
    "get_name_scope",
    "is_tf_type",
]

T = TypeVar("T")

BaseResourceVariable = ResourceVariable


def is_resource_variable(value: object) -> bool:
    """Whether this is a variable."""
    return isinstance(value, ResourceVariable)


def list_local_devices(session_config: object = None) -> list[LogicalDevice]:
    """The devices of this process."""
    return list_logical_devices()


def num_gpus() -> int:
    """How many graphics processors there are."""
    return len(list_logical_devices("GPU"))


def async_wait() -> None:
    """Wait for what runs beside the program: ops are done when their calls return."""


def eager_mode() -> AbstractContextManager[None]:
    """A block in which ops run when they are called, as everywhere."""
    return nullcontext()


class _Context:
    """The surroundings in which ops run, as libraries ask for them."""

    device_name = ""
    device_spec = DeviceSpec(device_type="CPU", device_index=0)

    def executing_eagerly(self) -> bool:
        return True

    def num_gpus(self) -> int:
        return num_gpus()

    def ensure_initialized(self) -> None:
        """There is nothing to prepare."""


_context = _Context()


def context() -> _Context:
    """The surroundings in which ops run."""
    return _context


def enabled() -> bool:
    """Whether this behaves as TensorFlow 2."""
    return True


def smart_constant_value(pred: object) -> bool | None:
    """The truth of a condition that is known, as all are."""
    return bool(pred)


def smart_cond(
    pred: object,
    true_fn: Callable[[], T],
    false_fn: Callable[[], T],
    name: str | None = None,
) -> T:
    """Call one of two functions."""
    return true_fn() if bool(pred) else false_fn()


def camel_to_snake(value: str) -> str:
    """A name such as ``MyLayer`` as ``my_layer``."""
    return re.sub(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))", r"_\1", value).lower()


def no_automatic_dependency_tracking(method: T) -> T:
    """A method as it is: what it assigns is found when a checkpoint is written."""
    return method


def should_record_backprop(tensors: Iterable[object]) -> bool:
    """Whether a tape on this thread tracks one of the tensors."""
    return any([bool(active(getattr(tensor, "_recorder", None))) for tensor in tensors])


class NoDependency:
    """A value that checkpoints leave out."""

    def __init__(self, value: object) -> None:
        self.value = value


def deprecated(*_: object, **__: object) -> Callable[[T], T]:
    """A decorator that would warn of an old function; those of libraries are left as they are."""
    return lambda function: function


deprecated_args = deprecated_arg_values = deprecated


def deprecated_alias(
    deprecated_name: str, name: str, func_or_class: T, warn_once: bool = True
) -> T:
    """A function or class under its old name."""
    return func_or_class


def silence() -> AbstractContextManager[None]:
    """A block without warnings of old functions, of which there are none."""
    return nullcontext()


ENABLE_CONTROL_FLOW_V2 = True
"""Loops and branches are functions, as in TensorFlow 2."""


def GraphOrParentsInXlaContext(graph: object) -> bool:
    """Whether XLA compiles what is called: it compiles recordings, after the calls."""
    return False


def convert_variables_to_tensors(values: object) -> object:
    """A structure with values in place of its variables, also of those in composite tensors."""
    return map_structure(_without_variables, values)


def _without_variables(value: object) -> object:
    if isinstance(value, ResourceVariable):
        return value.value()
    convert = getattr(value, "_convert_variables_to_tensors", None)
    return value if convert is None else convert()


def as_shape(shape: object) -> TensorShape:
    """A shape, of whatever says one."""
    return TensorShape(shape)


def constant_value_as_shape(tensor: TensorLike) -> TensorShape:
    """The shape that a vector of numbers says, in which -1 stands for what is not known."""
    lengths = constant_value(tensor)
    if lengths is None or (np.ndim(lengths) == 0 and int(lengths) == -1):
        return TensorShape(None)
    return TensorShape([None if length == -1 else int(length) for length in lengths])


try_evaluate_constant = constant_value


def prevent_gradient(input: TensorLike, message: str = "", name: str | None = None) -> EagerTensor:
    """The tensor, through which no gradient may flow: that would be an error."""
    prevented: EagerTensor = PreventGradient(input=input, message=message)
    return prevented


def parameterized_truncated_normal(
    shape: ShapeLike,
    means: NumericLike = 0.0,
    stddevs: NumericLike = 1.0,
    minvals: NumericLike = -2.0,
    maxvals: NumericLike = 2.0,
    dtype: DTypeLike = "float32",
    seed: int | None = None,
    name: str | None = None,
) -> EagerTensor:
    """Normal numbers within bounds."""
    parameters = [convert_to_tensor_v2_with_dispatch(x, dtype) for x in (means, stddevs)]
    bounds = [convert_to_tensor_v2_with_dispatch(x, dtype) for x in (minvals, maxvals)]
    names = "means", "stdevs", "minvals", "maxvals"
    drawn: EagerTensor = ParameterizedTruncatedNormal(
        shape=shape, seed=seed or 0, **dict(zip(names, parameters + bounds, strict=True))
    )
    return drawn


def pfor(
    loop_fn: Callable[[Any], T],
    iters: NumericLike,
    fallback_to_while_loop: bool = True,
    **_: object,
) -> T:
    """The results of a function of 0, 1, ..., stacked; the function runs once, on all of them."""
    stacked: T = vectorized_map(loop_fn, range_of(iters), fallback_to_while_loop)
    return stacked


def _case_helper(
    cond_fn: object,
    pred_fn_pairs: Any,
    default: Callable[[], T] | None,
    exclusive: bool,
    name: str | None,
    allow_python_preds: bool = False,
    strict: bool = False,
) -> T:
    """`tf.case`, for which libraries may give Python's booleans."""
    pairs = pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs
    tensors = [(convert_to_tensor_v2_with_dispatch(pred), function) for pred, function in pairs]
    return case(tensors, default, exclusive, strict)


def make_composite_tensor(cls: T, module_name: str = "tf.linalg") -> T:
    """A class of linear operators as it is: all of them are values that are made of tensors."""
    return cls


def sticky_attribute_assignment(trackable: object, name: str, value: T) -> T:
    """A value as it is assigned: what it holds is found when a checkpoint is written."""
    return value


def register_symbolic_tensor_type(cls: type) -> None:
    """Nothing: Keras 3 takes no classes of libraries for its symbolic tensors."""


def InstallStackTraceHandler() -> None:
    """Print where Python stood when the process crashes."""
    faulthandler.enable()


class tf_export:
    """A decorator that would give a function a public name, and leaves it as it is."""

    def __init__(self, *names: str, **_: object) -> None:
        self.names = names

    def __call__(self, thing: T) -> T:
        return thing


keras_export = tf_export
