"""Whether the memory that is free has room for something, asked before it is computed."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ..errors import no_room
from ..machine import free_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

_SMALL = 1 << 28
"""Bytes for which the system is not asked."""


def check_room(op: str, shape: Sequence[int], itemsize: int = 8) -> None:
    """Refuse an array that does not fit into the memory that is free.

    The inputs may fit, and the system may promise more memory than it has: then it would end
    the process in the middle of the work.
    """
    size = prod(shape) * itemsize
    free = too_little(size, _SMALL)
    if free is not None:
        error = MemoryError(f"it takes {in_gb(size)} GB, and {in_gb(free)} GB are free")
        raise no_room(op, list(shape), error)


def too_little(size: int, granted: int) -> int | None:
    """How many bytes are free if that is less than this size; None if there is room.

    There is always room for as many bytes as are granted, and if the system does not tell.
    """
    free = free_memory() if size > granted else None
    return free if free is not None and free < size else None


def in_gb(size: int) -> str:
    """A number of bytes as errors write it.

    >>> in_gb(2_500_000_000)
    '2.5'
    """
    return f"{size / 1e9:,.1f}"
