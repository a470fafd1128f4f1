"""Declared arguments: how a function is called of whose arguments specs are known.

An argument is open where a spec says what may stand there; all else is a constant, which a call
may leave out or repeat.
"""

from __future__ import annotations

import inspect
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..engine.convert import as_tensor, is_tensor
from ..engine.tensor import Tensor
from ..replay.argument_structures import Arguments
from .composite_specs import spec_of
from .specs import TensorSpec, TypeSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


class Declared:
    """The arguments of a function as they were said once, flat, each under a name.

    With ``optional``, an open argument that has a default in Python may be left out.
    """

    def __init__(self, bound: inspect.BoundArguments, optional: bool = False) -> None:
        parameters = bound.signature.parameters if optional else {}
        self._defaults = {name: parameter.default for name, parameter in parameters.items()}
        bound.apply_defaults()
        pairs = [*_flat(bound)]
        self.kinds = {name: kind for name, kind, _ in pairs}
        self.arguments = {name: with_names(value, name) for name, _, value in pairs}
        self.examples = {name: value for name, _, value in pairs if self._has_other_spec(name)}
        self.open = [name for name, value in self.arguments.items() if has_spec(value)]

    @cached_property
    def signature(self) -> inspect.Signature:
        """How the function is called."""
        return inspect.Signature(
            [inspect.Parameter(n, k, default=self._default(n)) for n, k in self.kinds.items()]
        )

    @cached_property
    def open_signature(self) -> inspect.Signature:
        """The open arguments alone."""
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature([inspect.Parameter(name, kind) for name in self.open])

    def _default(self, name: str) -> Any:
        """A constant, unless open arguments follow that have a place too."""
        if name in self.open and name in self._defaults:
            return self._defaults[name]
        names = [*self.arguments]
        later = [n for n in names[names.index(name) :] if self.kinds[n] == self.kinds[name]]
        needed = name in self.open or (
            self.kinds[name] is not inspect.Parameter.KEYWORD_ONLY
            and not {*later}.isdisjoint(self.open)
        )
        return inspect.Parameter.empty if needed else self.arguments[name]

    def _has_other_spec(self, name: str) -> bool:
        """Whether an argument has a spec of which no example can be made up."""
        leaves = nest.flatten(self.arguments[name])
        return any(isinstance(x, TypeSpec) and not isinstance(x, TensorSpec) for x in leaves)

    def __repr__(self) -> str:
        return ", ".join(f"{name}={value!r}" for name, value in self.arguments.items())

    def placed(self, values: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments as the Python function takes them, constants where none are given."""
        args, kwargs = [], {}
        for name, kind in self.kinds.items():
            value = values.get(name, self.arguments[name])
            if kind is inspect.Parameter.KEYWORD_ONLY:
                kwargs[name] = value
            else:
                args.append(value)
        return tuple(args), kwargs

    def converted(
        self, given: dict[str, Any], convert: Callable[[Any, Any], Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The same for arguments by name, with what stands for specs converted.

        Raises TypeError or ValueError where something does not fit.
        """
        values = {}
        for name, value in given.items():
            spec = self.arguments[name]
            if has_spec(spec):
                values[name] = by_spec(convert, spec, value)
            elif value is not spec and _kind(value) != _kind(spec):
                raise TypeError(f"Can not cast {value!r} to Literal[{spec!r}]")
        return self.placed(values)

    def bound(self, args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments by name; raises TypeError as Python does."""
        if not kwargs and len(args) == len(self.kinds) == len(self.open):
            return dict(zip(self.kinds, args, strict=True))
        found = self.signature.bind(*args, **kwargs)
        found.apply_defaults()
        return found.arguments


def _flat(bound: inspect.BoundArguments) -> Iterator[tuple[str, Any, Any]]:
    """Name, kind and value of each argument, of those in ``*args`` and ``**kwargs`` too."""
    for parameter in bound.signature.parameters.values():
        name, kind, value = parameter.name, parameter.kind, bound.arguments[parameter.name]
        if kind is inspect.Parameter.VAR_POSITIONAL:
            place = inspect.Parameter.POSITIONAL_OR_KEYWORD
            yield from [(f"{name}_{i}", place, each) for i, each in enumerate(value)]
        elif kind is inspect.Parameter.VAR_KEYWORD:
            yield from [(k, inspect.Parameter.KEYWORD_ONLY, each) for k, each in value.items()]
        else:
            yield name, kind, value


def _kind(value: object) -> Any:
    return Arguments((), (value,), {}).kind


def with_names(value: object, name: str) -> Any:
    """The argument with specs in place of tensors and their like, named by their places."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = as_tensor(value)
    if isinstance(value, Tensor):
        return TensorSpec.from_tensor(value, name)
    if isinstance(value, TensorSpec):
        return value if value.name else TensorSpec(value.shape, value.dtype, name)
    if not nest.is_nested(value):
        return spec_of(value) or value
    named = [
        with_names(leaf, "_".join(map(str, (name, *path))))
        for path, leaf in nest.flatten_with_path(value)
    ]
    return nest.pack_sequence_as(value, named)


def by_spec(function: Callable[[Any, Any], Any], spec: Any, value: Any) -> Any:
    """The value with the function applied where a nest of specs has a spec."""
    if isinstance(spec, TypeSpec):
        return function(spec, value)
    if not has_spec(spec):
        return value
    if type(value) is not type(spec) or len(value) != len(spec):
        kind = "a Dict" if isinstance(spec, dict) else type(spec).__name__
        raise TypeError(f"Can not cast {value!r} to {kind}: it has not the structure of {spec!r}")
    parts = [by_spec(function, s, value[k]) for k, s in _items(spec)]
    return dict(zip(spec, parts, strict=True)) if isinstance(spec, dict) else type(spec)(parts)


def _items(nested: Any) -> Iterable[tuple[Any, Any]]:
    return nested.items() if isinstance(nested, dict) else enumerate(nested)


def has_spec(value: object) -> bool:
    """Whether there is a spec in a nest."""
    return any(isinstance(leaf, TypeSpec) for leaf in nest.flatten(value))


def fitted(spec: TypeSpec, value: Any) -> Any:
    """The value as the tensor that a spec wants; any other value must be of its spec."""
    if isinstance(spec, TensorSpec):
        value = as_tensor(value, None if is_tensor(value) else spec.dtype.dtype)
    if not spec.is_compatible_with(value):
        tensor = isinstance(value, Tensor)
        actual = TensorSpec(value.shape, value.dtype) if tensor else repr(value)
        why = "" if isinstance(spec, TensorSpec) else _why_not(spec, value)
        raise TypeError(f"Can not cast {actual} to {spec}{why}")
    return value


def _why_not(spec: TypeSpec, value: object) -> str:
    """The difference of a value from a spec: in its structure, or in one of its tensors."""
    specs = nest.flatten(spec, expand_composites=True)
    parts = nest.flatten(value, expand_composites=True)
    if len(specs) != len(parts):
        return ": they don't have the same nested structure"
    for wanted, part in zip(specs, parts, strict=True):
        if isinstance(part, Tensor) and not wanted.is_compatible_with(part):
            return f": {TensorSpec.from_tensor(part)} is not cast to {wanted}"
    return ""


def checked_specs(
    specs: object, python: object, signature: inspect.Signature
) -> tuple[Any, ...] | None:
    """The specs of an ``input_signature``, if there is one for every argument that needs one."""
    if specs is None:
        return None
    if not isinstance(specs, (tuple, list)):
        raise TypeError(f"input_signature must be either a tuple or a list, got {type(specs)}.")
    wrong = [leaf for leaf in nest.flatten(specs) if not isinstance(leaf, TypeSpec)]
    if wrong:
        raise TypeError(
            "input_signature must be a possibly nested sequence of TensorSpec objects, got "
            f"invalid args {wrong} with types {[*map(type, wrong)]}."
        )
    parameters = [*signature.parameters.values()]
    by_position = [p for p in parameters if p.kind <= p.POSITIONAL_OR_KEYWORD]
    extra = len(specs) - len(by_position)
    if extra > 0 and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        raise TypeError(
            f"input_signature contains {extra} extra type constraints: the function takes "
            f"{signature}."
        )
    own = by_position[1:] if may_be_method(python, signature) else by_position
    for p in own[len(specs) :]:
        if p.default is p.empty:
            raise TypeError(
                f"input_signature missing type constraint for {p.name}: the function takes "
                f"{signature}."
            )
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and p.default is p.empty:
            raise TypeError(
                f"Since input_signature is defined, keyword-only parameter `{p.name}` must have a "
                "default value."
            )
    return tuple(specs)


def may_be_method(python: object, signature: inspect.Signature) -> bool:
    """Whether a function's first argument may be the object whose method it is."""
    place, _, _ = getattr(python, "__qualname__", "").rpartition(".")
    in_class = inspect.isfunction(python) and bool(place) and not place.endswith("<locals>")
    return in_class or next(iter(signature.parameters), None) == "self"


def is_method(specs: Sequence[Any], signature: inspect.Signature) -> bool:
    """Whether these specs, which are enough, are for all arguments but the first."""
    if next(iter(signature.parameters), None) == "self":
        return True
    try:
        signature.bind(*specs)
    except TypeError:
        return True
    return False
