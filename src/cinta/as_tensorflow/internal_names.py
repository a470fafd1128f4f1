"""Names of ``tensorflow.python`` that TensorFlow shows nowhere else, and that libraries take."""

from __future__ import annotations

import re
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from ..config.device_lists import LogicalDevice, list_logical_devices
from ..data.dataset import Dataset as DatasetV2
from ..engine.composites import Composite as CompositeTensor
from ..engine.convert import convert_to_tensor as convert_to_tensor_v2_with_dispatch
from ..engine.convert import is_tensor as is_tf_type
from ..engine.devices import DeviceSpec
from ..engine.tensor import Tensor as EagerTensor
from ..engine.variable import Variable as ResourceVariable
from ..keras_engine.tracking import AutoTrackable, ListWrapper, Trackable
from ..keras_engine.tracking import DictWrapper as _DictWrapper
from ..nest import map_structure
from ..ops.checks.assertions import assert_equal as assert_equal_v2
from ..programs.function import Function
from ..programs.graph_compat import get_static_value as constant_value

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

__all__ = [
    "AutoTrackable",
    "BaseResourceVariable",
    "CompositeTensor",
    "DatasetV2",
    "EagerTensor",
    "Function",
    "ListWrapper",
    "ResourceVariable",
    "Trackable",
    "_DictWrapper",
    "assert_equal_v2",
    "constant_value",
    "contextmanager",
    "convert_to_tensor_v2_with_dispatch",
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


def smart_constant_value(pred: Any) -> bool | None:
    """The truth of a condition that is known, as all are."""
    return bool(pred)


def smart_cond(
    pred: Any,
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
    """A structure with the values of its variables in their places."""
    return map_structure(lambda x: x.value() if is_resource_variable(x) else x, values)


class tf_export:
    """A decorator that would give a function a public name, and leaves it as it is."""

    def __init__(self, *names: str, **_: object) -> None:
        self.names = names

    def __call__(self, thing: T) -> T:
        return thing


keras_export = tf_export
