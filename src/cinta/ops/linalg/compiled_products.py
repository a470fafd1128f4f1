"""Products of matrices by the compiled functions of convolutions, where they are faster than BLAS.

A row of the first matrix is what a window sees, and the second matrix is the filter. BLAS copies
both matrices into an order of its own, the compiled functions only the second. Whether they take a
product depends on its shape and on the attributes of the op, never on where the numbers lie in
memory, and neither do the results: eager calls and replays give the same.
"""

from __future__ import annotations

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
_FEWEST = 64  # numbers that are summed, and columns
_NEAR = 128  # rows that make up for the copy of the second matrix, and stay in the nearest cache


def take(a: Array, b: Array, transpose_a: bool) -> bool:
    """Whether this product of matrices, transposed already, is faster by compiled functions."""
    if not (a.ndim == 2 == b.ndim and fits(a, b)):
        return False
    (rows, inner), columns = a.shape, b.shape[1]
    if transpose_a:
        is_large = inner >= 2 * _NEAR and rows * columns <= _MOST_SUMS
    else:
        is_large = rows >= _NEAR and inner * columns <= _MOST_WEIGHTS
    return is_large and min(inner, columns) >= _FEWEST and columns % _VECTOR == 0 and _are_fastest()


def _are_fastest() -> bool:
    """Where it was measured: with AVX-512, and for OpenBLAS on one thread."""
    return _correlated is not None and processor() == "avx512" and has_one_thread()


def product(a: Array, b: Array) -> Array:
    """The product of two matrices. Each number is one sum, in the order of the columns of a."""
    assert _correlated is not None
    assert _filter_gradient is not None
    number = a.itemsize
    if a.strides[0] == number != a.strides[1]:
        rows = a.T
        lines = len(rows) // _NEAR if len(rows) % _NEAR == 0 else 1
        seen = rows.reshape(1, lines, -1, 1, 1, rows.shape[1])
        turned: Array = _filter_gradient(seen, b.reshape(1, lines, -1, b.shape[1]))
        return turned.reshape(turned.shape[2:])
    if a.strides[1] != number:
        a = np.ascontiguousarray(a)
    made: Array = _correlated(a[None, None, :, None, None, :], b[None, None])
    return made.reshape(made.shape[2:])
