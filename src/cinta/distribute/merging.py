"""Calls for all replicas together, from wherever the program is."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from .strategy import Strategy

T = TypeVar("T")


def maybe_merge_call(
    fn: Callable[..., T], strategy: Strategy, *args: object, **kwargs: object
) -> T:
    """Call `fn(strategy, *args)`; variables that it assigns are those of all replicas.

    A replica calls it for itself: replicas meet where they assign variables together.
    """
    return fn(strategy, *args, **kwargs)
