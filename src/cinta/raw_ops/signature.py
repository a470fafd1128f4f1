"""TensorFlow's signature of an op: its arguments, their dtypes and bounds, and its results.

``signatures.json`` is written by ``tools/raw_op_signatures.py`` from TensorFlow's own definitions.
"""

from __future__ import annotations

import inspect
import json
from collections import namedtuple
from contextlib import suppress
from functools import cache
from importlib import resources
from inspect import Parameter
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor, check_same, is_tensor
from ..engine.tensor import Tensor
from ..engine.variable import behind
from ..errors import InvalidArgumentError
from ..ops.arguments import listed
from .attributes import Attribute

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import TensorLike


@cache
def _all() -> dict[str, Any]:
    text = resources.files(__package__).joinpath("signatures.json").read_text("utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


def is_tensorflows(name: str) -> bool:
    """Whether TensorFlow has an op of this name."""
    return name in _all()


class Signature:
    """The arguments of one op, by TensorFlow's names and in its order."""

    def __init__(self, name: str) -> None:
        about = _all()[name]
        self.name = name
        self.inputs: dict[str, str] = about["inputs"]
        self.attributes = {n: Attribute(name, n, **a) for n, a in about["attributes"].items()}
        self.order: list[str] = about.get("order") or [*self.inputs, *self.attributes]
        self.types = {kind: _Type(**each) for kind, each in about["types"].items()}
        self.least: dict[str, int] = about.get("least", {})
        optional = {n: a for n, a in self.attributes.items() if not a.is_required}
        self.required = {*self.order} - {*optional}
        self.defaults = {name: attribute.checked(None) for name, attribute in optional.items()}
        self.alike: dict[str, list[str]] = {}  # the inputs that are to be of one dtype
        for each, kind in self.inputs.items():
            self.alike.setdefault(kind.rpartition("*")[2], []).append(each)
        self.results = list(about["results"])
        self.result_kinds = list(about["results"].values())
        self.record: Any = namedtuple(name, self.results) if len(self.results) > 1 else None

    def __str__(self) -> str:
        written = [str(self.attributes.get(each, each)) for each in self.order]
        return f"{self.name}({', '.join([*written, 'name=None'])})"

    def arguments(self, given: dict[str, Any]) -> list[Any]:
        """The inputs as tensors and the attributes as they are to be, in TensorFlow's order."""
        given.pop("name", None)
        if not self.required <= given.keys() <= {*self.order}:
            raise self._wrong_names(given)
        ready = dict(self.defaults)
        for name, attribute in self.attributes.items():
            if name in given and not (given[name] is None and name in ready):
                ready[name] = attribute.checked(given[name])
        for kind, names in self.alike.items():
            self._convert(kind, names, given, ready)
        return [ready[name] for name in self.order]

    def default(self, name: str) -> object:
        """The default of an argument."""
        attribute = self.attributes.get(name)
        if attribute is None or attribute.is_required:
            return Parameter.empty
        return attribute.default

    def _wrong_names(self, given: dict[str, Any]) -> TypeError:
        unknown = [name for name in given if name not in self.order]
        missing = [name for name in self.order if name in self.required and name not in given]
        wrong = [f"does not take {_quoted(unknown)}"] if unknown else []
        wrong += [f"lacks {_quoted(missing)}"] if missing else []
        return TypeError(f"tf.raw_ops.{self.name} {' and '.join(wrong)}: it is {self}.")

    def _convert(
        self, kind: str, names: list[str], given: dict[str, Any], ready: dict[str, Any]
    ) -> None:
        """Make tensors of the inputs that are to be of one dtype."""
        if kind in ("resource", "variant"):
            for name in names:
                ready[name] = resource(self.name, name, given[name])
            return
        if kind.endswith("..."):
            for name in names:
                ready[name] = [as_tensor(v) for v in self._list(name, kind[:-3], given[name])]
            return
        counts = {name: self.inputs[name].partition("*")[0] for name in names}
        counts = {name: count for name, count in counts.items() if count != self.inputs[name]}
        lists = {name: self._list(name, count, given[name]) for name, count in counts.items()}
        values = [v for name in names for v in lists.get(name, [given[name]])]
        tensors = iter(self._of_one_dtype(kind, values))
        for name in names:
            count = len(lists[name]) if name in lists else 0
            ready[name] = [next(tensors) for _ in range(count)] if name in lists else next(tensors)

    def _list(self, name: str, count: str, value: object) -> list[Any]:
        if not isinstance(value, (list, tuple, Tensor)):
            raise TypeError(
                f"Expected list for '{name}' argument to '{self.name}' Op, not {value!r}."
            )
        values = listed(value, name)
        if len(values) < self.least.get(count, 0):
            raise InvalidArgumentError(
                f"Length for attr '{count}' of {len(values)} must be at least minimum "
                f"{self.least[count]}: `{name}` has too few elements [Op:{self.name}]"
            )
        return values

    def _of_one_dtype(self, kind: str, values: list[Any]) -> list[Tensor]:
        """The values as tensors of the dtype of the first tensor, else of that of the first."""
        bounds = self.types.get(kind)
        if bounds is None:  # the dtype is written in the definition
            return self._of_fixed_dtype(kind, values)
        if len(values) == 1 and type(values[0]) is Tensor:
            bounds.check(self.name, kind, values[0])
            return values
        first = next((v for v in values if is_tensor(v)), None)
        dtype = None if first is None else as_tensor(first)._array.dtype
        made: list[Tensor] = []
        for value in values:
            tensor = as_tensor(value) if dtype is None else self._as(value, dtype)
            if dtype is None and bounds.default is not None and not bounds.takes(tensor):
                with suppress(TypeError, ValueError):  # the check below says it in other words
                    tensor = as_tensor(value, bounds.default)
            dtype = tensor._array.dtype
            made.append(tensor)
        check_same(self.name, *made)
        if made:
            bounds.check(self.name, kind, made[0])
        return made

    def _of_fixed_dtype(self, kind: str, values: list[Any]) -> list[Tensor]:
        dtype = dtypes.as_dtype(kind)
        made = [self._as(value, dtype.dtype) for value in values]
        for tensor in made:
            if tensor._array.dtype != dtype.dtype:
                raise InvalidArgumentError(
                    f"cannot compute {self.name} as an input was expected to be a "
                    f"{dtype.kernel_name} tensor but is a {tensor.dtype.kernel_name} tensor "
                    f"[Op:{self.name}]; tf.cast it."
                )
        return made

    def _as(self, value: TensorLike, dtype: np.dtype[Any]) -> Tensor:
        """A value becomes a tensor of this dtype; a tensor stays as it is."""
        return as_tensor(value) if is_tensor(value) else as_tensor(value, dtype)

    def finished(self, result: Any) -> Any:
        """The results as TensorFlow gives them: one, a list, or a tuple with names."""
        if not self.results:
            return None
        if self.record is None:
            several = "*" in self.result_kinds[0] or self.result_kinds[0].endswith("...")
            return list(result) if several else result
        parts = [
            list(part) if "*" in kind or kind.endswith("...") else part
            for part, kind in zip(result, self.result_kinds, strict=True)
        ]
        return self.record._make(parts)


class _Type:
    """The dtypes that inputs may have which are to be of one dtype."""

    def __init__(self, allowed: list[str] | None = None, default: str | None = None) -> None:
        self.allowed = None if allowed is None else [dtypes.as_dtype(name) for name in allowed]
        self._numpy = frozenset([each.dtype for each in self.allowed or ()])
        self.default = None if default is None else dtypes.as_dtype(default).dtype

    def takes(self, tensor: Tensor) -> bool:
        return self.allowed is None or tensor._array.dtype in self._numpy

    def check(self, op: str, kind: str, tensor: Tensor) -> None:
        if not self.takes(tensor):
            allowed = ", ".join([each.kernel_name for each in self.allowed or ()])
            raise InvalidArgumentError(
                f"Value for attr '{kind}' of {tensor.dtype.kernel_name} is not in the list of "
                f"allowed values: {allowed} [Op:{op}]"
            )


def _quoted(names: list[str]) -> str:
    return ", ".join([repr(name) for name in names])


def resource(op: str, argument: str, value: object) -> object:
    """The object that a handle stands for; a variable is its own handle."""
    if isinstance(value, (Tensor, int, float, str, bytes, list, tuple, dict, type(None))):
        raise TypeError(
            f"tf.raw_ops.{op} takes a handle as `{argument}`, such as `variable.handle`, not "
            f"{value!r}."
        )
    return behind(value)


def raw_op(name: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    """The op as a function of keywords."""
    signature = Signature(name)

    def call(*positional: object, **given: TensorLike | None) -> Any:
        if positional:
            raise TypeError(
                f"{name} only takes keyword args (possible keys: {[*signature.order, 'name']}). "
                "Please pass these args as kwargs instead."
            )
        return signature.finished(compute(*signature.arguments(given)))

    call.__name__ = call.__qualname__ = name
    call.__module__ = __package__
    call.__doc__ = f"TensorFlow's raw op {signature}, with results {signature.results}."
    call.__signature__ = _python(signature)  # type: ignore[attr-defined]
    return call


def _python(signature: Signature) -> inspect.Signature:
    parameters = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=signature.default(name))
        for name in signature.order
    ]
    label = inspect.Parameter("name", inspect.Parameter.KEYWORD_ONLY, default=None)
    return inspect.Signature([*parameters, label])
