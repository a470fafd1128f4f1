"""Hints: what callers say of operators, checked, and put together with what is known of them."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from ...arguments import flag

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .base import LinearOperator


HINTS = """
    Args:
        is_non_singular: A hint whether the matrix has an inverse; None if nothing is known.
        is_self_adjoint: A hint whether it is its own adjoint.
        is_positive_definite: A hint whether x^H A x is positive for every x but 0.
        is_square: A hint whether it has as many rows as columns.

    Raises:
        ValueError: If a hint contradicts another or what is known, or shapes do not fit.
    """
"""The end of the docstring of every operator."""


def agreed(name: str, hint: bool | None, known: bool | None) -> bool | None:
    """A hint combined with the known property; they must not contradict each other."""
    if hint is None or known is None:
        return hint if known is None else known
    if bool(hint) is not known:
        always, what = "always" if known else "never", name.removeprefix("is_").replace("_", "-")
        raise ValueError(
            f"The hint {name}={hint} contradicts what is known of the operator, which is {always} "
            f"{what}."
        )
    return known


def agreed_with(operator: LinearOperator, **hints: bool | None) -> dict[str, bool | None]:
    """Hints, and what is known of the operator that they are about."""
    return {name: agreed(name, hint, getattr(operator, name)) for name, hint in hints.items()}


def agreed_with_all(
    operators: Sequence[LinearOperator], **hints: bool | None
) -> dict[str, bool | None]:
    """Hints, and what is true of all operators."""
    return {name: agreed(name, hint, known_of_all(operators, name)) for name, hint in hints.items()}


def known_of_all(operators: Sequence[LinearOperator], hint: str) -> bool | None:
    """True if it is known of all operators."""
    return all(getattr(operator, hint) for operator in operators) or None


def non_singular(operators: Sequence[LinearOperator]) -> bool | None:
    """Whether a product has an inverse: one singular factor among square ones denies it."""
    if not all(operator.is_square for operator in operators):
        return None
    if any(operator.is_non_singular is False for operator in operators):
        return False
    return known_of_all(operators, "is_non_singular")


_HINTS = ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")
_FLAGS = (*_HINTS, "is_diag_update_positive", "adjoint", "adjoint_arg")


def checking_flags(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which gets True, False or None wherever it takes a flag."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    flags = [(place, name) for place, name in enumerate(names) if name in _FLAGS]

    @wraps(function)
    def checked(*args: object, **named: object) -> object:
        for place, name in flags:
            if place < len(args):
                _checked_flag(args[place], name)
            elif name in named:
                _checked_flag(named[name], name)
        return function(*args, **named)

    return checked


def _checked_flag(value: object, name: str) -> None:
    if value is not None:
        flag(value, name)
