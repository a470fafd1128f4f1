"""The tensors that a function encloses, found and replaced.

A user's gradient function usually refers to values of the call that created it. When
the call is replayed, the function must refer to the values of that call instead.
"""

from __future__ import annotations

import functools
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any

from ..engine.tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    F = TypeVar("F", bound=Callable[..., Any])


def tensors_in(value: Callable[..., Any]) -> list[Tensor]:
    """The tensors in a function's enclosed variables, in lists, composites and functions
    among these too."""
    found: list[Tensor] = []

    def keep(x: Tensor) -> Tensor:
        found.append(x)
        return x

    _mapped(value, keep)
    return found


def with_tensors(value: F, tensors: Iterator[Tensor]) -> F:
    """The function with other tensors in these places."""
    changed: F = _mapped(value, lambda _: next(tensors))
    return changed


def _mapped(value: Any, change: Callable[[Tensor], Tensor]) -> Any:
    if isinstance(value, Tensor):
        return change(value)
    from ..engine.composites import Assembled  # which most programs do not need

    if isinstance(value, Assembled):
        return value._of_parts([_mapped(part, change) for part in value._parts()])
    if type(value) in (list, tuple):
        return type(value)([_mapped(item, change) for item in value])
    if type(value) is dict:
        return {key: _mapped(item, change) for key, item in value.items()}
    if isinstance(value, functools.partial):
        args, keywords = _mapped(value.args, change), _mapped(value.keywords, change)
        return functools.partial(_mapped(value.func, change), *args, **keywords)
    if isinstance(value, FunctionType) and value.__closure__:
        return _function(value, change)
    return value


def _function(function: FunctionType, change: Callable[[Tensor], Tensor]) -> FunctionType:
    """A function whose cells are others; one that encloses itself stays as it is there."""
    cells = []
    for cell in function.__closure__ or ():
        try:
            content = cell.cell_contents
        except ValueError:  # not assigned yet
            cells.append(cell)
            continue
        cells.append(cell if content is function else CellType(_mapped(content, change)))
    changed = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        tuple(cells),
    )
    changed.__kwdefaults__ = function.__kwdefaults__
    return changed
