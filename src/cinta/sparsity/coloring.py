"""Coloring: columns without a row in common get the same color, and can be had in one product.

Curtis, Powell and Reid, "On the estimation of sparse Jacobian matrices" (1974), group columns so;
Gebremedhin, Manne and Pothen, "What color is your Jacobian?" (2005), survey the colorings. Here
everything goes in passes over the nonzeros, on whole arrays, without a loop over columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csc_array, csr_array

if TYPE_CHECKING:
    from .pattern import Index, Matrix

Bits: TypeAlias = npt.NDArray[np.uint64]

WORD = 64
"""How many colors one word of a set of colors holds."""


def color_columns(structure: Matrix) -> Index:
    """A color from 0 on for each column that has nonzeros, -1 for the others."""
    degrees = np.diff(structure.indptr)
    counts = np.bincount(structure.indices, minlength=structure.shape[1])
    columns = np.flatnonzero(counts)
    colors = np.full(structure.shape[1], -1, np.intp)
    least = int(degrees.max(initial=0))  # the columns of one row all differ
    if least == len(columns):
        colors[columns] = np.arange(least)
    elif (full := counts == np.count_nonzero(degrees)).any():  # these differ from all others
        rest = color_columns(without_columns(structure, full))
        colors = np.where(rest < 0, -1, rest + np.count_nonzero(full))
        colors[full] = np.arange(np.count_nonzero(full))
    elif least == 1:
        colors[columns] = 0
    elif (period := shortest_period(structure, least)) is not None:
        colors[columns] = columns % period
    else:
        inner = structure[np.flatnonzero(degrees)][:, columns]
        colors[columns] = greedy(csc_array(inner), least)
    return consecutive(colors)


def without_columns(structure: Matrix, left_out: npt.NDArray[np.bool_]) -> Matrix:
    """The structure with some of its columns empty."""
    inside = ~left_out[structure.indices]
    indptr = np.append(0, np.cumsum(inside))[structure.indptr]
    parts = structure.data[inside], structure.indices[inside], indptr
    return csr_array(parts, shape=structure.shape)


def consecutive(colors: Index) -> Index:
    """The colors renumbered, so that all from 0 on occur."""
    inside = colors >= 0
    colors[inside] = np.unique(colors[inside], return_inverse=True)[1]
    return colors


# -- periods -------------------------------------------------------------------------------------


def shortest_period(structure: Matrix, least: int) -> int | None:
    """A p close to the least number of colors, so that column j can have the color j modulo p.

    Bands and most grids have one: no two columns of a row may lie a multiple of p apart.
    """
    count = structure.shape[1]
    if least > WORD:
        return None
    apart = distances(structure, least)
    for period in range(least, least + max(1, least // 4) + 1):
        if period >= count or not apart[period::period].any():
            return period
    return None


def distances(structure: Matrix, least: int) -> npt.NDArray[np.bool_]:
    """Which distances there are between two columns of a row."""
    found = np.zeros(structure.shape[1], bool)
    indices = structure.indices
    rows = np.repeat(np.arange(structure.shape[0], dtype=indices.dtype), np.diff(structure.indptr))
    for step in range(1, least):
        together = rows[step:] == rows[:-step]
        found[(indices[step:] - indices[:-step])[together]] = True
    return found


# -- greedily ------------------------------------------------------------------------------------


def greedy(columns: Matrix, least: int, improvements: int = 2) -> Index:
    """Colors by the greedy method, for a matrix by columns without empty ones.

    Columns without a row in common take the smallest colors that are free for them, all at
    once. The first time these are columns that come before all those with which they share a row,
    in an order with the most entangled first; then those of one color, the last color first: so
    the number of colors never grows, and often falls (Culberson's iterated greedy method, 1992).
    """
    colors = np.empty(columns.shape[1], np.intp)
    paint = Painter(columns)
    for chosen in independent(columns):
        colors[chosen] = paint(chosen)
    for _ in range(improvements):
        classes = by_color(colors)
        if len(classes) == least:
            break
        paint = Painter(columns)
        for chosen in reversed(classes):
            colors[chosen] = paint(chosen)
    return colors


def by_color(colors: Index) -> list[Index]:
    """The columns of each color."""
    order = np.argsort(colors, kind="stable")
    return np.split(order, np.cumsum(np.bincount(colors))[:-1])


def independent(columns: Matrix) -> Any:
    """Sets of columns that have no row in common, until all columns have been given."""
    rows, count = columns.indices, columns.shape[1]
    cols = np.repeat(np.arange(count), np.diff(columns.indptr))
    tangle = np.bincount(cols, np.bincount(rows)[rows], minlength=count)
    order = np.lexsort((np.random.default_rng(0).random(count), tangle))
    rank = np.empty(count, np.intp)
    rank[order] = np.arange(count)
    by_row = np.argsort(rows, kind="stable")
    rows, cols = rows[by_row], cols[by_row]
    waiting = np.ones(count, bool)
    while len(rows):
        starts = np.flatnonzero(np.r_[True, rows[1:] != rows[:-1]])
        highest = np.maximum.reduceat(rank[cols], starts)
        beaten = np.repeat(highest, np.diff(np.r_[starts, len(rows)])) > rank[cols]
        first = waiting.copy()
        first[cols[beaten]] = False
        yield np.flatnonzero(first)
        waiting &= ~first
        left = waiting[cols]
        rows, cols = rows[left], cols[left]


class Painter:
    """Gives each column of a set the smallest color that no column sharing a row with it has."""

    def __init__(self, columns: Matrix) -> None:
        self.columns = columns
        self.used: Bits = np.zeros((1, columns.shape[0]), np.uint64)  # in each row, as bits

    def __call__(self, chosen: Index) -> Index:
        """The colors of columns that have no row in common among themselves."""
        starts, ends = self.columns.indptr[chosen], self.columns.indptr[chosen + 1]
        lengths = ends - starts
        first = np.cumsum(lengths) - lengths
        rows = self.columns.indices[np.arange(lengths.sum()) + np.repeat(starts - first, lengths)]
        taken = np.bitwise_or.reduceat(self.used[:, rows], first, axis=1)
        colors = first_free(taken)
        if colors.max() >= WORD * len(self.used):
            self.used = np.vstack([self.used, np.zeros_like(self.used[:1])])
        bits = np.left_shift(np.uint64(1), (colors % WORD).astype(np.uint64))
        self.used[np.repeat(colors // WORD, lengths), rows] |= np.repeat(bits, lengths)
        return colors


def first_free(taken: Bits) -> Index:
    """The first bit that is 0 in each column of words."""
    full = np.uint64(2**WORD - 1)
    words = np.vstack([taken, np.zeros_like(taken[:1])])
    word = np.argmin(words == full, axis=0)
    free = ~words[word, np.arange(taken.shape[1])]
    lowest = free & (~free + np.uint64(1))
    colors: Index = word * WORD + np.log2(lowest.astype(np.float64)).astype(np.intp)
    return colors
