"""Properties that one thread computes while others wait for them."""

from __future__ import annotations

from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class computed_once(cached_property[T]):
    """A cached property that is not computed twice: since Python 3.12 threads may do so."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        super().__init__(compute)
        self._computing = RLock()

    if not TYPE_CHECKING:  # a type checker knows it from the class below

        def __get__(self, instance: object, owner: type | None = None) -> Any:
            with self._computing:
                return super().__get__(instance, owner)
