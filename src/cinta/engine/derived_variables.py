"""Classes that programs derive from ``tf.Variable``: what ops and operators take them for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import dtypes
from .operators import NAMES, define
from .registered_conversions import convert, registered

if TYPE_CHECKING:
    from collections.abc import Callable

    from .annotations import DTypeLike
    from .tensor import Tensor
    from .variable import Variable

_BY_THEMSELVES = frozenset(("eq", "ne", "getitem", "iter"))
"""Operators that take a variable as ops take it, or that ask for its value themselves."""


def adapt(kind: type[Variable], base: type[Variable]) -> None:
    """Let ops ask conversions and the class's own ``value``; operators ask ``value`` alone."""
    has_own = kind.value is not base.value
    if kind.__tf_tensor__ is base.__tf_tensor__:
        kind.__tf_tensor__ = _as_ops_take_it  # type: ignore[method-assign]
        kind._operand = base._own_value if has_own else base._read  # type: ignore[method-assign]
    if has_own:
        inherited = [f"__{name}__" for name in NAMES if name not in _BY_THEMSELVES]
        plain = [name for name in inherited if getattr(kind, name) is getattr(base, name)]
        define(kind, {name: _of_own_value(name) for name in plain})


def _as_ops_take_it(
    self: Variable, dtype: DTypeLike | None = None, name: str | None = None
) -> Tensor:
    """A variable of a program's class as a tensor for an op."""
    wanted = None if dtype is None else dtypes.as_dtype(dtype).dtype
    found = convert(self, wanted) if registered else None
    return self._operand() if found is None else found


def _of_own_value(name: str) -> Callable[..., object]:
    """The operator that computes with this value."""

    def operator(self: Variable, *others: object) -> object:
        value = self._own_value()
        found: object = getattr(type(value), name)(value, *others)
        return found

    operator.__name__ = operator.__qualname__ = name
    return operator
