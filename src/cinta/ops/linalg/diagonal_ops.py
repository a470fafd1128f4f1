"""The ops of diagonals and bands: kernels and rules."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.op import op

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array


Range = tuple[int, int]
BYTES_OF_PLACES = 40
"""For each element of a matrix: what `matrix_places` works with, and the element."""


@op("MatrixBandPart", moves=True, rowwise=True)
def MatrixBandPart(xp: ArrayModule, input: Array, *, num_lower: int, num_upper: int) -> Array:
    """The matrices with zeros outside a band; a negative width keeps that whole triangle."""
    rows, columns = input.shape[-2:]
    above = xp.arange(columns) - xp.arange(rows)[:, None]
    outside = xp.zeros((rows, columns), bool)
    if num_lower >= 0:
        outside |= above < -num_lower
    if num_upper >= 0:
        outside |= above > num_upper
    return xp.where(outside, xp.zeros((), input.dtype), input)


MatrixBandPart.grads(
    input=lambda g, num_lower, num_upper: MatrixBandPart(
        g, num_lower=num_lower, num_upper=num_upper
    )
)


# A band of diagonals stands in an array with a row for each, the uppermost first. Rows of
# diagonals that are shorter than the longest are padded, on the side that `align` says.


@lru_cache(maxsize=256)
def band_places(k: Range, shape: Range, align: str) -> tuple[Any, Any]:
    """For each place of a band its place in the flat matrix, and whether it has one."""
    rows, columns = shape
    above = np.arange(k[1], k[0] - 1, -1)[:, None]
    lengths = np.minimum(rows + np.minimum(above, 0), columns - np.maximum(above, 0))
    longest = max(int(lengths.max()), 0)
    of_upper, of_lower = align.split("_")
    to_right = np.where(above >= 0, of_upper == "RIGHT", of_lower == "RIGHT")
    step = np.arange(longest) - np.where(to_right, longest - lengths, 0)
    inside = (step >= 0) & (step < lengths)
    row, column = np.maximum(-above, 0) + step, np.maximum(above, 0) + step
    return np.where(inside, row * columns + column, 0), inside


@lru_cache(maxsize=256)
def matrix_places(k: Range, shape: Range, align: str) -> tuple[Any, Any]:
    """For each place in a matrix its place in the flat band, and whether it has one."""
    places, inside = band_places(k, shape, align)
    found = np.full(math.prod(shape), -1)
    found[places[inside]] = np.flatnonzero(inside)
    found = found.reshape(shape)
    return np.maximum(found, 0), found >= 0


def _picked(
    xp: ArrayModule, x: Array, rank: int, places: Array, inside: Array, padding: Array | float
) -> Array:
    """Elements of the last ``rank`` axes by their flat places, and the padding elsewhere."""
    flat = xp.reshape(x, (*x.shape[: x.ndim - rank], math.prod(x.shape[x.ndim - rank :])))
    if not flat.shape[-1]:
        return xp.full((*flat.shape[:-1], *places.shape), padding, x.dtype)
    taken = xp.take(flat, places, axis=-1)
    return taken if inside.all() else xp.where(inside, taken, xp.asarray(padding, x.dtype))


@op("MatrixDiagPartV3", moves=True, linear=False, rowwise=True)
def MatrixDiagPart(
    xp: ArrayModule, input: Array, *, k: Range, padding_value: Any, align: str
) -> Array:
    """A band of diagonals as an array with a row for each, or a single one as a vector."""
    places, inside = band_places(k, input.shape[-2:], align)
    band = _picked(xp, input, 2, places, inside, padding_value)
    return band[..., 0, :] if k[0] == k[1] else band


@op("MatrixDiagV3", moves=True, linear=False, rowwise=True)
def MatrixDiag(
    xp: ArrayModule, diagonal: Array, *, k: Range, shape: Range, padding_value: Any, align: str
) -> Array:
    """Matrices of a shape with these diagonals, and the padding value elsewhere."""
    places, inside = matrix_places(k, shape, align)
    return _picked(xp, diagonal, 1 if k[0] == k[1] else 2, places, inside, padding_value)


MatrixDiagPart.grads(
    input=lambda g, input_shape, k, align: MatrixDiag(
        g, k=k, shape=input_shape[-2:], padding_value=0, align=align
    )
)
MatrixDiag.grads(diagonal=lambda g, k, align: MatrixDiagPart(g, k=k, padding_value=0, align=align))
