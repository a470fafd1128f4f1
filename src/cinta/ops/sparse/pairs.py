"""Products of two sparse tensors, which are sparse again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.primitives import ScatterRows
from ...engine.shapes import written
from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from .picking import flat_places, picked

if TYPE_CHECKING:
    from ...engine.tensor import Array


def product(a: SparseTensor, b: SparseTensor) -> SparseTensor:
    """The product of the matrices along the last two axes of two sparse tensors."""
    *front, rows, inner = a.lengths
    if [*front, inner] != [*b.lengths[:-1]]:
        raise InvalidArgumentError(
            f"Sparse tensors of shapes {written(a.lengths)} and {written(b.lengths)} have no "
            "product: leading axes and the inner one must agree."
        )
    axes, shape = len(front), (*front, rows, b.lengths[-1])
    of_a, of_b = seen(a.indices), seen(b.indices)
    left, right = _pairs(
        flat_places(of_a[:, [*range(axes), axes + 1]], [*front, inner]),
        flat_places(of_b[:, : axes + 1], [*front, inner]),
    )
    places = flat_places(np.column_stack([of_a[left, :-1], of_b[right, -1]]), shape)
    present, groups = np.unique(places, return_inverse=True)
    products = picked(a.values, left) * picked(b.values, right)
    values = ScatterRows(products, wrap(groups), rows=len(present), rank=1)
    return SparseTensor(wrap(np.stack(np.unravel_index(present, shape), 1)), values, shape)


def _pairs(left: Array, right: Array) -> tuple[Array, Array]:
    """The positions of all pairs of equal numbers."""
    order = np.argsort(right, kind="stable")
    first = np.searchsorted(right[order], left)
    counts = np.searchsorted(right[order], left, side="right") - first
    before = np.cumsum(counts) - counts
    matches = np.arange(counts.sum()) + np.repeat(first - before, counts)
    return np.repeat(np.arange(len(left)), counts), order[matches]
