"""Arithmetic of rows that stand side by side: where they begin and end, and what is in them.

``ends`` has an element more than there are rows: row ``i`` is what stands from ``ends[i]`` to
``ends[i + 1]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ...engine.tensor import Array


def ends_of(lengths: Array) -> Array:
    """Where rows of these lengths begin and end."""
    ends = np.zeros(len(lengths) + 1, lengths.dtype)
    np.cumsum(lengths, out=ends[1:])
    return ends


def rows_of_values(ends: Array) -> Array:
    """The number of the row of each value."""
    return np.repeat(np.arange(len(ends) - 1), np.diff(ends))


def values_of_rows(ends: Array, rows: Array) -> tuple[Array, Array]:
    """The numbers of the values of these rows, one row after the other; where those rows end."""
    starts = ends[:-1][rows]
    return spans(starts, ends[1:][rows] - starts)


def spans(starts: Array, lengths: Array, step: int = 1) -> tuple[Array, Array]:
    """The numbers from each start on, as many as that length says; where each span ends."""
    ends = ends_of(lengths)
    inside = np.arange(ends[-1]) - np.repeat(ends[:-1], lengths)
    return np.repeat(starts, lengths) + step * inside, ends
