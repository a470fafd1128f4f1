"""What is known of operators, from hints and from those that they are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .base import LinearOperator

if TYPE_CHECKING:
    from collections.abc import Sequence


def agreed(name: str, hint: bool | None, known: bool | None) -> bool | None:
    """What a hint and what is known say together, which must not contradict each other."""
    if hint is None or known is None:
        return hint if known is None else known
    if bool(hint) is not known:
        raise ValueError(
            f"The hint {name}={hint} contradicts what is known of the operator: {name} is {known}."
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


def checked_operator(value: Any, argument: str) -> LinearOperator:
    """An argument that must be an operator."""
    if not isinstance(value, LinearOperator):
        raise TypeError(f"Argument `{argument}` must be a LinearOperator, got {value!r}.")
    return value
