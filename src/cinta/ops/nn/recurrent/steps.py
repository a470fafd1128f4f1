"""Common parts of the ops of recurrent layers.

Sequences have the time in front: their axes are time, batch, and numbers. A recurrent op has as its
gradient a linear recurrence that runs backwards in time. The gradient of that is its transpose, a
linear recurrence that runs forwards, whose own gradient is the first one again: so these
three ops give all orders, in one pass each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....engine.broadcasting import BroadcastTo, lead
from ....engine.halves import converted
from ....engine.primitives import ConcatV2, Reshape, SplitV, ZerosLike
from ....engine.summing import accumulator
from ...linalg.matmul import MatMul
from . import numpy as on_numpy

if TYPE_CHECKING:
    from ....engine.annotations import ArrayModule
    from ....engine.shapes import Shape
    from ....engine.tensor import Array, Tensor


NONE = (0,)
"""The shape of what tells that no state is kept."""


def computed(xp: ArrayModule, name: str, *arrays: Array) -> tuple[Array, ...]:
    """The results of the kernel of this name; in single precision for numbers of half of it."""
    if xp is np:
        kernel = getattr(on_numpy, name)
    else:
        from . import xla

        kernel = getattr(xla, name)
    dtype = arrays[0].dtype
    wide = accumulator(dtype)
    if wide == dtype:
        return tuple(kernel(*arrays))
    results = kernel(*[converted(x, wide) if x.dtype == dtype else x for x in arrays])
    return tuple([converted(x, dtype) for x in results])


def led(front: Shape, *tensors: Tensor) -> list[Tensor]:
    """Tensors with these axes in front."""
    if not front:
        return list(tensors)
    return [
        BroadcastTo(x, shape=(*front, *x.shape), rank=len(x.shape)) if x.shape != NONE else x
        for x in tensors
    ]


def before(first: Tensor, all_: Tensor) -> Tensor:
    """The state before each step: the first state, and those after all steps but the last."""
    *_, batch, size = first.shape
    front = tuple(first.shape)[:-2]
    started = Reshape(first, shape=(*front, 1, batch, size))
    return ConcatV2(started, parted(all_, all_.shape[-3] - 1)[0], axis=-3)


def after(all_: Tensor) -> Tensor:
    """The gradient of all steps, from that of what stood before each."""
    first, others = parted(all_, 1)
    return ConcatV2(others, ZerosLike(first), axis=-3)


def parted(sequence: Tensor, count: int) -> Any:
    """The first steps, so many, and the others."""
    return SplitV(sequence, sizes=(count, sequence.shape[-3] - count), axis=-3)


def at_first(sequence: Tensor) -> Tensor:
    """The first step."""
    first = parted(sequence, 1)[0]
    return Reshape(first, shape=(*lead(first, 3), *first.shape[-2:]))


def products(states: Tensor, changes: Tensor) -> Tensor:
    """The sum over steps and batches of all products of a state's numbers with a change's."""
    return MatMul(_rows(states), _rows(changes), transpose_a=True, transpose_b=False)


def _rows(sequence: Tensor) -> Tensor:
    time, batch, size = sequence.shape[-3:]
    return Reshape(sequence, shape=(*lead(sequence, 3), time * batch, size))


def through(changes: Tensor, weights: Tensor) -> Tensor:
    """Changes of what the weights give, as changes of what they were applied to."""
    return MatMul(changes, weights, transpose_a=False, transpose_b=True)
