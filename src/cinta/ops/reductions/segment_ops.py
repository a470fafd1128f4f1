"""The ops of segments: kernels and rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.arrays import at
from ...engine.halves import converted
from ...engine.op import op
from ...engine.primitives import ScatterRows, TakeRows
from ...engine.summing import accumulator
from ..arrays.selecting import Masked
from ..elementwise.guarded import MulNoNan
from .scanning import LinearRecurrence, Shift

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array, Tensor


# -- primitives --------------------------------------------------------------------------------


@op("SegmentCount")
def SegmentCount(
    xp: ArrayModule, indices: Array, *, rows: int, rank: int, dtype: np.dtype[Any]
) -> Array:
    """How many rows each group has, at least 1, in the shape that divides the groups."""
    counts = ScatterRows.kernel(xp, xp.ones_like(indices), indices, rows=rows, rank=1)
    return xp.maximum(counts, 1).reshape((-1,) + (1,) * (rank - 1)).astype(dtype)


@op("SegmentMax")
def SegmentMax(xp: ArrayModule, values: Array, indices: Array, *, rows: int, empty: float) -> Array:
    """The largest of each group; ``empty`` where there are none."""
    return _by_group(xp, "max", values, indices, rows, empty)


@op("SegmentMin")
def SegmentMin(xp: ArrayModule, values: Array, indices: Array, *, rows: int, empty: float) -> Array:
    """The smallest of each group; ``empty`` where there are none."""
    return _by_group(xp, "min", values, indices, rows, empty)


@op("SegmentProd")
def SegmentProd(xp: ArrayModule, values: Array, indices: Array, *, rows: int) -> Array:
    """The product of each group."""
    wide = converted(values, accumulator(values.dtype))
    return _by_group(xp, "multiply", wide, indices, rows, 1).astype(values.dtype, copy=False)


_UFUNCS = {"max": np.maximum, "min": np.minimum, "multiply": np.multiply}


def _by_group(
    xp: ArrayModule, how: str, values: Array, indices: Array, rows: int, empty: float
) -> Array:
    out = xp.full((rows, *values.shape[1:]), empty, values.dtype)
    if xp is not np:
        where = xp.where(indices < 0, rows, indices)
        if how != "multiply":  # begin with a row of the group, or what stands for none joins in
            out = at(out, where).set(values, mode="drop")
        grouped: Array = getattr(at(out, where), how)(values, mode="drop")
        return grouped
    order = np.argsort(indices, kind="stable")
    order = order[np.searchsorted(indices, 0, sorter=order) :]  # negative ones belong to no group
    if order.size:
        ids = indices[order]
        starts = np.flatnonzero(np.r_[True, ids[1:] != ids[:-1]])
        out[ids[starts]] = _UFUNCS[how].reduceat(values[order], starts, axis=0)
    return out


@op("ShareOfSegment")
def ShareOfSegment(xp: ArrayModule, values: Array, indices: Array, extremes: Array) -> Array:
    """How much of its group's maximum or minimum belongs to each value: equal ones share."""
    extreme = TakeRows.kernel(xp, extremes, indices, rank=values.ndim)
    chosen = (values == extreme).astype(values.dtype)
    many = ScatterRows.kernel(xp, chosen, indices, rows=len(extremes), rank=values.ndim)
    dropped = (indices < 0).reshape((-1,) + (1,) * (values.ndim - 1))
    result: Array = chosen / (TakeRows.kernel(xp, many, indices, rank=values.ndim) + dropped)
    return result


@op("SegmentOrder")
def SegmentOrder(
    xp: ArrayModule, values: Array, indices: Array
) -> tuple[Array, Array, Array, Array]:
    """The order that brings groups together, the way back, and where groups begin and end."""
    order = xp.argsort(indices, stable=True)
    ids = indices[order]
    change = (ids[1:] != ids[:-1]).reshape((-1,) + (1,) * (values.ndim - 1)).astype(values.dtype)
    edge = xp.ones((1,) * values.ndim, values.dtype)
    begins, ends = xp.concatenate([edge, change]), xp.concatenate([change, edge])
    return order, xp.argsort(order), begins[: len(order)], ends[: len(order)]


# -- rules -------------------------------------------------------------------------------------

for extreme in (SegmentMax, SegmentMin):
    extreme.grads(
        values=lambda g, values, indices, values_shape, out: (
            TakeRows(g, indices, rank=len(values_shape)) * ShareOfSegment(values, indices, out)
        )
    )
SegmentCount.no_grad()
ShareOfSegment.no_grad()
SegmentOrder.no_grad()


def product_of_others(values: Tensor, indices: Tensor, rank: int) -> Tensor:
    """For every row the product of the other rows of its group, zeros or not.

    Running products from both sides, which begin anew where a group does.
    """
    order, back, begins, ends = SegmentOrder(values, indices)
    grouped = TakeRows(values, order, rank=rank)
    before = Masked(Shift(grouped, axis=-rank, steps=1, fill=0.0), begins == 0)
    after = Masked(Shift(grouped, axis=-rank, steps=-1, fill=0.0), ends == 0)
    others = LinearRecurrence(before, begins, axis=-rank, reverse=False)
    others = others * LinearRecurrence(after, ends, axis=-rank, reverse=True)
    return TakeRows(others, back, rank=rank)


SegmentProd.grads(
    values=lambda g, values, indices, values_shape: MulNoNan(
        product_of_others(values, indices, len(values_shape)),
        TakeRows(g, indices, rank=len(values_shape)),
    )
)


# -- functions: sorted numbers -----------------------------------------------------------------
