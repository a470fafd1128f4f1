"""Collective work of the replicas of a computation, as ops, so that gradients go through.

The kernels are meetings of the replicas on this machine. Where there is one replica they give back
what they are given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..dtypes import as_dtype
from ..engine.op import op, originate
from ..engine.primitives import Add
from ..engine.replicas import context_of_replica, meet
from ..errors import InvalidArgumentError
from .arrays.gathering import Gather

if TYPE_CHECKING:
    from ..engine.annotations import ArrayModule
    from ..engine.tensor import Array, Tensor

AXIS = "replica"
"""The axis of the devices, in a program that XLA runs for all replicas."""


@op("AllReduce", effects=True)
def AllReduce(xp: ArrayModule, x: Array, *, how: str) -> Array:
    """The sum, or the mean, of what the replicas give."""
    if xp is not np:
        return _reduced_by_devices(x, how)
    return meet(f"all_reduce({how})", x, lambda arrays: [reduced(arrays, how)] * len(arrays))


def reduced(arrays: list[Array], how: str) -> Array:
    """The sum or the mean of arrays, added in their order."""
    shapes = {np.shape(array) for array in arrays}
    if len(shapes) > 1:
        raise InvalidArgumentError(
            f"Replicas give tensors of different shapes to be added: {[*map(np.shape, arrays)]}."
        )
    total = arrays[0]
    if total.dtype.kind not in "iufcV":
        raise InvalidArgumentError(f"Values of dtype {as_dtype(total.dtype).name} cannot be added.")
    with np.errstate(all="ignore"):
        for array in arrays[1:]:
            total = total + array
        return total if how == "SUM" else _divided(total, len(arrays))


def _reduced_by_devices(x: Array, how: str) -> Array:
    from jax.lax import psum

    return of_total(psum(x, AXIS), how)  # type: ignore[no-untyped-call]


def of_total(total: Array, how: str) -> Array:
    """The sum or the mean of what the devices give, by their sum."""
    from jax.lax import axis_size

    return total if how == "SUM" else _divided(total, axis_size(AXIS))


def _divided(total: Array, count: int) -> Array:
    """The mean of so many values, by their sum; a floating-point number, as of any division."""
    dtype = total.dtype
    if dtype.kind in "iu":
        dtype = np.dtype(np.float32 if dtype.itemsize < 4 else np.float64)
    mean: Array = total.astype(dtype) / dtype.type(count)
    return mean


AllReduce.grads(x=lambda g, how: AllReduce(g, how=how))


@op("ReplicaId", effects=True)
def ReplicaId(xp: ArrayModule) -> Array:
    """The number of the replica that asks, among all replicas."""
    if xp is not np:
        from jax.lax import axis_index

        return axis_index(AXIS)  # type: ignore[return-value]  # an array of JAX
    where = context_of_replica()
    return np.array(0 if where is None else where.replica._number, np.int32)[()]


ReplicaId.no_grad()


@op("AllGather", effects=True)
def AllGather(
    xp: ArrayModule, x: Array, *, axis: int, lengths: tuple[int, ...], length: int
) -> Array:
    """The replicas' values, joined along an axis that is counted from the right.

    The values have these ``lengths`` along the axis, and that of this replica has this ``length``.
    """
    if xp is not np:
        from jax.lax import all_gather

        whole: Array = all_gather(x, AXIS, axis=x.ndim + axis, tiled=True)
        return whole
    return meet("all_gather", x, lambda arrays: [np.concatenate(arrays, axis)] * len(arrays))


def _own_part(g: Tensor, axis: int, lengths: tuple[int, ...], length: int) -> Tensor:
    """The part of a gradient that belongs to this replica's value, from all replicas."""
    begins = np.cumsum([0, *lengths[:-1]], dtype=np.int32)
    rows = Add(Gather(begins, originate(ReplicaId), axis=-1), np.arange(length, dtype=np.int32))
    mine: Tensor = Gather(AllReduce(g, how="SUM"), rows, axis=axis)
    return mine


AllGather.grads(x=_own_part)
