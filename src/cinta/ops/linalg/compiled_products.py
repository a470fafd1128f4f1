"""Products of matrices by the compiled functions of convolutions, where they are faster than BLAS.

A row of the first matrix is what a window sees, and the second matrix is the filter. BLAS copies
both matrices into an order of its own, the compiled functions only the second. Whether they take a
product depends on its shape and on the attributes of the op, never on where the numbers lie in
memory, and neither do the results: eager calls and replays give the same.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ...engine.blas import has_one_thread
from ...engine.c_kernels import compiled, fits, processor

if TYPE_CHECKING:
    from ...engine.tensor import Array

_correlated, _filter_gradient = compiled("correlated"), compiled("filter_gradient")
_VECTOR = 16  # columns that are computed at a time
_MOST_WEIGHTS = 1 << 19  # more do not fit into a core's cache
_MOST_SUMS = 1 << 18  # the same where sums, which are written too, take the place of weights
_FEWEST_COLUMNS = 64
_FEWEST = {False: (128, 64), True: (64, 32)}
"""Rows, and numbers that are summed, which make up for the copy of the second matrix: fewer if it
is transposed, for which BLAS takes longer."""
_NEAR = 128  # rows of both matrices that stay in the nearest cache while they are summed


def take(a: Array, b: Array, transpose_a: bool, transpose_b: bool) -> bool:
    """Whether these products of matrices, transposed already, are faster by compiled functions."""
    if a.shape[:-2] != b.shape[:-2] or not fits(a, b):
        return False
    (rows, inner), columns = a.shape[-2:], b.shape[-1]
    if columns < _FEWEST_COLUMNS or columns % _VECTOR:
        return False
    if transpose_a:
        is_large = a.ndim == 2 and inner >= 2 * _NEAR and rows * columns <= _MOST_SUMS
    else:
        few_rows, few_summed = _FEWEST[transpose_b]
        is_large = rows >= few_rows and inner >= few_summed and inner * columns <= _MOST_WEIGHTS
    return is_large and _are_fastest()


def _are_fastest() -> bool:
    """Where it was measured: with AVX-512, and for OpenBLAS on one thread."""
    return _correlated is not None and processor() == "avx512" and has_one_thread()


def product(a: Array, b: Array) -> Array:
    """The product of matrices. Each number is one sum, in the order of the columns of a."""
    assert _correlated is not None
    assert _filter_gradient is not None
    number = a.itemsize
    if a.ndim == 2 and a.strides[0] == number != a.strides[1]:
        rows, lines = a.T, _lines(a.shape[1])
        seen = rows.reshape(1, lines, -1, 1, 1, rows.shape[1])
        turned: Array = _filter_gradient(seen, b.reshape(1, lines, -1, b.shape[1]))
        return turned.reshape(turned.shape[2:])
    if a.strides[-1] != number:
        a = np.ascontiguousarray(a)
    seen = a[..., None, None, :, None, None, :]
    made: Array = _correlated(seen, b[..., None, None, :, :])
    return made.reshape(*a.shape[:-1], b.shape[-1])


@cache
def _lines(count: int) -> int:
    """Into how many equal lines rows are cut, so that a line stays in the nearest cache."""
    fewest = -(-count // _NEAR)
    return next((lines for lines in range(fewest, 2 * fewest) if count % lines == 0), 1)
