"""The nonzeros computed by products of columns and of rows, and their places in the products.

Computing dense rows by rows and the rest by columns is due to Coleman and Verma, "The efficient
computation of sparse Jacobian matrices using automatic differentiation" (1998).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from .coloring import color_columns

if TYPE_CHECKING:
    from .pattern import Index, Matrix


class Partition(NamedTuple):
    """Colors of columns and of rows, -1 for those that take part in no product.

    The product of a color is that with the vector that is 1 in its columns, or rows, and 0
    elsewhere. ``places`` says for each nonzero where it stands in all the products: first those
    of columns, one after the other, then those of rows.
    """

    columns: Index
    rows: Index
    places: Index

    def counts(self) -> tuple[int, int]:
        """How many products of columns there are, and how many of rows."""
        return how_many(self.columns), how_many(self.rows)

    def cost(self) -> int:
        """The number of products, and one more if there are both kinds: the function runs twice."""
        columns, rows = self.counts()
        return columns + rows + bool(columns and rows)


def how_many(colors: Index) -> int:
    """The number of colors."""
    return int(colors.max(initial=-1)) + 1


def lines_of(structure: Matrix) -> tuple[Index, Index]:
    """The row and the column of each nonzero."""
    rows = np.repeat(np.arange(structure.shape[0]), np.diff(structure.indptr))
    return rows, structure.indices.astype(np.intp)


# -- of Jacobians --------------------------------------------------------------------------------


def of_jacobian(structure: Matrix) -> Partition:
    """By columns, by rows, or both ways: whatever takes the fewest products."""
    turned = transposed(structure)
    ways: list[tuple[int, int, bool, Index]] = []
    for by_rows, lines in ((False, structure), (True, turned)):
        degrees = np.diff(lines.indptr)
        for dense in (degrees[:0], dense_rows(degrees)):
            ways.append((least_products(degrees, dense), len(ways), by_rows, dense))
    best = None
    for least, _, by_rows, dense in sorted(ways, key=lambda way: way[:2]):
        if best is None or least < best.cost():
            found = one_way(structure, turned, by_rows, dense)
            if best is None or found.cost() < best.cost():
                best = found
    assert best is not None
    return best


def one_way(structure: Matrix, turned: Matrix, by_rows: bool, dense: Index) -> Partition:
    """By columns but for some dense rows; or by rows but for some dense columns."""
    i, j = lines_of(structure)
    if by_rows:
        rows, columns = split(turned, dense)
        had_by_rows = columns[j] < 0
    else:
        columns, rows = split(structure, dense)
        had_by_rows = rows[i] >= 0
    height, width = structure.shape
    start = how_many(columns) * height
    places = np.where(had_by_rows, start + rows[i] * width + j, columns[j] * height + i)
    return Partition(columns, rows, places)


def split(structure: Matrix, dense: Index) -> tuple[Index, Index]:
    """Colors of the columns, and of the rows that are to be had by rows.

    The nonzeros of rows that have a color are had by rows, all others by columns.
    """
    rows = np.full(structure.shape[0], -1, np.intp)
    if len(dense):
        others = np.setdiff1d(np.arange(structure.shape[0]), dense)
        rows = color_columns(transposed(without_rows(structure, others)))
        structure = without_rows(structure, dense)
    return color_columns(structure), rows


def dense_rows(degrees: Index) -> Index:
    """The rows to take out, so that these and the columns of the rest cost least.

    Each of them costs a product, at most, and the rest as many as its fullest row has nonzeros,
    at least.
    """
    order = np.argsort(-degrees, kind="stable")
    costs = np.arange(len(degrees) + 1) + np.append(degrees[order], 0)
    return order[: int(np.argmin(costs))]


def least_products(degrees: Index, dense: Index) -> int:
    """A lower bound of the cost of computing some rows by rows and the rest by columns."""
    rest = degrees.copy()
    rest[dense] = 0
    least = int(rest.max(initial=0))
    return least + (1 + bool(least)) * bool(len(dense))


def transposed(structure: Matrix) -> Matrix:
    """The structure of the transpose, its indices sorted."""
    found = csr_array(structure.T)
    found.sort_indices()
    return found


def without_rows(structure: Matrix, rows: Index) -> Matrix:
    """The structure with some of its rows empty."""
    lengths = np.diff(structure.indptr)
    lengths[rows] = 0
    keep = np.ones(structure.shape[0], bool)
    keep[rows] = False
    inside = np.repeat(keep, np.diff(structure.indptr))
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    parts = structure.data[inside], structure.indices[inside], indptr
    return csr_array(parts, shape=structure.shape)


# -- of Hessians ---------------------------------------------------------------------------------


def of_hessian(structure: Matrix) -> Partition:
    """By rows, for a symmetric structure: a row that was taken out gives its column too."""
    dense = dense_rows(np.diff(structure.indptr))
    rest = structure
    if len(dense):
        rest = without_rows(transposed(without_rows(structure, dense)), dense)
    colors = color_columns(rest)
    rows = np.where(colors < 0, -1, colors + len(dense))
    rows[dense] = np.arange(len(dense))
    i, j = lines_of(structure)
    turn = np.isin(j, dense) if len(dense) else np.zeros(len(j), bool)
    i, j = np.where(turn, j, i), np.where(turn, i, j)
    return Partition(np.full_like(rows, -1), rows, rows[i] * structure.shape[1] + j)
