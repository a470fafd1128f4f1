"""Whether a result fits into the free memory, checked before it is computed."""

from __future__ import annotations

import sys
from math import prod
from typing import TYPE_CHECKING

from ..errors import InvalidArgumentError, out_of_memory
from ..machine import free_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

_SMALL = 1 << 28
"""Bytes for which the system is not asked."""


def check_memory(op: str, shape: Sequence[int], itemsize: int = 8) -> None:
    """Refuse an array that does not fit into the memory that is free.

    The inputs may fit, and the system may promise more memory than it has: then it would end
    the process in the middle of the work.
    """
    count = prod(shape)
    if count > sys.maxsize:
        raise InvalidArgumentError(
            f"Encountered overflow when multiplying the lengths of shape {list(shape)} [Op:{op}]"
        )
    size = count * itemsize
    free = free_if_less(size, _SMALL)
    if free is not None:
        error = MemoryError(f"it takes {in_gb(size)} GB, and {in_gb(free)} GB are free")
        raise out_of_memory(op, list(shape), error)


def free_if_less(size: int, granted: int) -> int | None:
    """How many bytes are free if that is less than this size; None if it fits.

    As many bytes as are granted always fit, and any size where the system does not tell.
    """
    free = free_memory() if size > granted else None
    return free if free is not None and free < size else None


def in_gb(size: int) -> str:
    """A number of bytes as errors write it.

    >>> in_gb(2_500_000_000)
    '2.5'
    """
    return f"{size / 1e9:,.1f}"
