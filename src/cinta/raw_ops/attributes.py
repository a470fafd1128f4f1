"""The attributes of raw ops: plain Python values of one kind, with defaults and bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import dtypes
from ..engine.shapes import TensorShape
from ..errors import InvalidArgumentError
from ..ops.arguments import checked_callable, flag, number, text, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import DTypeLike

_REQUIRED = object()


class Attribute:
    """One attribute of an op."""

    def __init__(
        self,
        op: str,
        name: str,
        kind: str,
        default: object = _REQUIRED,
        allowed: list[Any] | None = None,
        minimum: int | None = None,
    ) -> None:
        self.op, self.name, self.kind = op, name, kind
        self.allowed, self.minimum = allowed, minimum
        self.is_required = default is _REQUIRED
        self.default = default

    def __str__(self) -> str:
        return self.name if self.is_required else f"{self.name}={self.default!r}"

    def checked(self, value: object) -> Any:
        """The value as an op takes it; the default stands for None."""
        if value is None and not self.is_required:
            value = self.default
        if not self.kind.startswith("list("):
            found = self._one(self.kind, value)
            self._check_bounds(found, found)
            return found
        if not isinstance(value, (list, tuple)):
            raise TypeError(
                f"Expected list for '{self.name}' argument to '{self.op}' Op, not {value!r}."
            )
        values = [self._one(self.kind[5:-1], each) for each in value]
        for each in values:
            self._check_allowed(each)
        self._check_bounds(None, len(values))
        return values

    def _one(self, kind: str, value: object) -> Any:
        return _READERS[kind](value, self.name)

    def _check_bounds(self, value: object, size: float) -> None:
        if value is not None:
            self._check_allowed(value)
        if self.minimum is not None and size < self.minimum:
            what = "Length for attr" if value is None else "Value for attr"
            raise InvalidArgumentError(
                f"{what} '{self.name}' of {size} must be at least minimum {self.minimum} "
                f"[Op:{self.op}]"
            )

    def _check_allowed(self, value: object) -> None:
        plain = value.name if isinstance(value, dtypes.DType) else value
        if self.allowed is not None and plain not in self.allowed:
            shown = value.kernel_name if isinstance(value, dtypes.DType) else f'"{value}"'
            raise InvalidArgumentError(
                f"Value for attr '{self.name}' of {shown} is not in the list of allowed values: "
                f"{', '.join(self.allowed)} [Op:{self.op}]"
            )


def _dtype(value: DTypeLike, argument: str) -> dtypes.DType:
    try:
        return dtypes.as_dtype(value)
    except TypeError:
        raise TypeError(f"Expected DataType for argument '{argument}' not {value!r}.") from None


def _shape(value: object, argument: str) -> TensorShape:
    try:
        return TensorShape(value)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"Error converting {value!r} (as '{argument}') to a shape: {error}"
        ) from None


def _anything(value: object, argument: str) -> object:
    return value


_READERS: dict[str, Callable[[Any, str], Any]] = {
    "int": whole_number,
    "float": lambda value, argument: float(number(value, argument)),
    "bool": flag,
    "string": text,
    "type": _dtype,
    "shape": _shape,
    "tensor": _anything,
    "func": checked_callable,
}
"""How values of each kind are read."""
