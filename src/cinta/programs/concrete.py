"""Concrete functions: functions whose arguments have been said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.convert import as_tensor, is_tensor
from ..errors import InvalidArgumentError
from .declared import Declared, fitted
from .specs import TensorSpec

if TYPE_CHECKING:
    import inspect

    from .function import Function
    from .specs import TypeSpec


class ConcreteFunction:
    """A function with specs for its arguments; what is no spec is a constant."""

    def __init__(self, made_of: Function[..., Any], bound: inspect.BoundArguments) -> None:
        self._function = self.__wrapped__ = made_of
        self._declared = Declared(bound)
        self.name = self.__name__ = made_of.__name__

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.name}({self._declared})>"

    def _refers_to(self) -> tuple[Any, ...]:
        """What its calls depend on, for those who look at what a program refers to."""
        return self._function, *self._declared.arguments.values()

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The specs and constants, by position and by keyword."""
        return self._declared.placed({})

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = self._arguments(args, kwargs)
        return self._function(*args, **kwargs)

    def _arguments(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        try:
            return self._declared.converted(self._bound(args, kwargs), self._of_dtype)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} "
                f"and kwargs: {kwargs} for signature: ({self._declared})."
            ) from None

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments by name: all of them, or those alone which are no constants."""
        try:
            return self._declared.bound(args, kwargs)
        except TypeError:
            try:
                return self._declared.open_signature.bind(*args, **kwargs).arguments
            except TypeError:
                pass
            raise

    def _of_dtype(self, spec: TypeSpec, value: Any) -> Any:
        if not isinstance(spec, TensorSpec):
            return fitted(spec, value)
        tensor = as_tensor(value, None if is_tensor(value) else spec.dtype.dtype)
        if tensor.dtype != spec.dtype:
            wanted, got = spec.dtype.kernel_name, tensor.dtype.kernel_name
            raise InvalidArgumentError(
                f"cannot compute {self.name} as an input was expected to be a {wanted} tensor but "
                f"is a {got} tensor [Op:{self.name}]"
            )
        return tensor
