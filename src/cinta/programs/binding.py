"""The arguments of a call: bound to the parameters of a function, and converted to tensors."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..engine.convert import as_tensor
from ..engine.tensor import Tensor
from .declared import Declared, fitted, is_method

if TYPE_CHECKING:
    import inspect


class Binding:
    """A signature, and the specs of an ``input_signature`` if there is one.

    The first parameter of a method is its owner; ``of_method`` is the binding without it.
    """

    def __init__(
        self, signature: inspect.Signature, specs: tuple[Any, ...] | None, has_owner: bool = False
    ) -> None:
        self.signature = signature
        self.specs = specs
        self._has_owner = has_owner

    @cached_property
    def of_method(self) -> Binding:
        """The same without the owner."""
        _, *parameters = self.signature.parameters.values()
        return Binding(self.signature.replace(parameters=parameters), self.specs, has_owner=True)

    @cached_property
    def declared(self) -> Declared:
        """The arguments that the ``input_signature`` says."""
        return Declared(self.signature.bind(*self.specs or ()), optional=True)

    @cached_property
    def _count(self) -> int:
        """How many arguments there are if all have a place and no default; else -1."""
        parameters = self.signature.parameters.values()
        usual = all(p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty for p in parameters)
        return len(parameters) if usual else -1

    def bind(self, args: Any, kwargs: dict[str, Any]) -> inspect.BoundArguments:
        """Bind the arguments as Python does; raises TypeError if they do not fit."""
        try:
            return self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise self._refused(str(error), args, kwargs) from None

    def converted(
        self, args: Any, kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments by position and by name, as tensors where they are arrays."""
        if self.specs is not None:
            return self._by_specs(args, kwargs)
        if not kwargs and len(args) == self._count and all([type(x) is Tensor for x in args]):
            return args, kwargs
        bound = self.bind(args, kwargs)
        bound.arguments.update(
            {name: _with_tensors(value) for name, value in bound.arguments.items()}
        )
        return bound.args, bound.kwargs

    def _by_specs(
        self, args: Any, kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        owner: tuple[Any, ...] = ()
        declared = self.declared if self._takes_all else self.of_method.declared
        if not self._takes_all:
            owner, args = args[:1], args[1:]
        try:
            given, by_name = declared.converted(declared.bound(args, kwargs), fitted)
        except (TypeError, ValueError) as error:
            raise self._refused(str(error), args, kwargs) from None
        return (*owner, *given), by_name

    @cached_property
    def _takes_all(self) -> bool:
        """Whether there are specs for all parameters, not for all but the owner."""
        return self._has_owner or not is_method(self.specs or (), self.signature)

    def _refused(self, why: str, args: object, kwargs: object) -> TypeError:
        expected = self.signature if self.specs is None else self.specs
        return TypeError(
            f"Binding inputs to tf.function failed due to `{why}`. Received args: {args} and "
            f"kwargs: {kwargs} for signature: {expected}."
        )


def _with_tensors(argument: object) -> Any:
    """The argument with tensors in place of arrays."""
    try:
        return nest.map_structure(_array_to_tensor, argument)
    except RecursionError:
        raise RecursionError(
            "An argument of a tf.function contains itself, or is nested more deeply than Python "
            "can follow. Give what the function needs of it as arguments of their own."
        ) from None


def _array_to_tensor(value: object) -> Any:
    return as_tensor(value) if isinstance(value, (np.ndarray, np.generic)) else value
