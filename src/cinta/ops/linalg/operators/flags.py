"""Flags of operators: True, False or None, refused otherwise before anybody looks at them."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from ...arguments import flag

if TYPE_CHECKING:
    from collections.abc import Callable

_HINTS = ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")
_FLAGS = (*_HINTS, "is_diag_update_positive", "adjoint", "adjoint_arg")


def checking_flags(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which gets True, False or None wherever it takes a flag."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    flags = [(place, name) for place, name in enumerate(names) if name in _FLAGS]

    @wraps(function)
    def checked(*args: Any, **named: Any) -> Any:
        for place, name in flags:
            if place < len(args):
                _checked_flag(args[place], name)
            elif name in named:
                _checked_flag(named[name], name)
        return function(*args, **named)

    return checked


def _checked_flag(value: Any, name: str) -> None:
    if value is not None:
        flag(value, name)
