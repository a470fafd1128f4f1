"""Whether there is room for what is as large as an argument says, asked before it is made."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ..errors import no_room
from ..machine import free_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

_SMALL = 1 << 28
"""Bytes up to which nobody asks the system."""


def check_room(op: str, shape: Sequence[int], itemsize: int = 8) -> None:
    """Refuse an array that does not fit into the memory that is free.

    What leads to it may fit, and the system may promise more memory than it has: then it would end
    the process in the middle of the work.
    """
    size = prod(shape) * itemsize
    if size <= _SMALL:
        return
    free = free_memory()
    if free is not None and size > free:
        error = MemoryError(f"it takes {size / 1e9:,.1f} GB, and {free / 1e9:,.1f} GB are free")
        raise no_room(op, list(shape), error)
