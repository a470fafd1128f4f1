"""GRU: gated recurrent units (Cho and others 2014), with the reset gate after the product.

    z, r = sigmoid(p + h u + b)    new = tanh(p + r own)    own = h u + b
    h = z h + (1 - z) new

``p`` is what the input says to each step; it, ``u`` and ``b`` have thirds for z, r and new. The
linear recurrence of the gradient is, with the slopes ``k`` of what the state says to the three,

    dh = gh + z' dh' + de' u^T    de = d + k [dh dh dh]

where ' marks the step after this one; where a state is kept, k is 0 and z is 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....engine.broadcasting import lead
from ....engine.op import op
from ....engine.primitives import Cast, ConcatV2, SplitV, ZerosLike
from ...reductions.reduction import Sum
from .steps import NONE, at_first, before, computed, led, products, through

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from ....engine.annotations import ArrayModule
    from ....engine.shapes import Shape
    from ....engine.tensor import Array, Tensor


@op("GRUSteps")
def GRUSteps(xp: ArrayModule, p: Array, u: Array, b: Array, h: Array, keep: Array) -> Any:
    """The outputs of all steps; their z, r, new and own."""
    return computed(xp, "gru", p, u, b, h, keep)


@op("GRUStepsBackwards")
def GRUStepsBackwards(xp: ArrayModule, gh: Array, d: Array, k: Array, z: Array, u: Array) -> Any:
    """The changes of what states say, and of outputs."""
    return computed(xp, "gru_backwards", gh, d, k, z, u)


@op("GRUStepsForwards")
def GRUStepsForwards(xp: ArrayModule, ge: Array, gh: Array, k: Array, z: Array, u: Array) -> Any:
    """The transpose of it."""
    return computed(xp, "gru_forwards", ge, gh, k, z, u)


@GRUSteps.pullback
def _of_steps(
    g: tuple[Tensor, ...],
    wanted: Sequence[bool],
    u: Tensor,
    h: Tensor,
    keep: Tensor,
    out: tuple[Tensor, ...],
    p_dtype: np.dtype[Any],
) -> tuple[Tensor | None, ...]:
    gh, gg = g
    hs, gates = out
    thirds = (h.shape[-1],) * 3
    z, r, new, own = SplitV(gates, sizes=(*thirds, thirds[0]), axis=-1)
    gz, gr, gn, go = SplitV(gg, sizes=(*thirds, thirds[0]), axis=-1)
    states = before(h, hs)
    for_z, for_r, for_new = z * (1 - z), r * (1 - r), 1 - new * new
    by_new = (1 - z) * for_new
    k = ConcatV2((states - new) * for_z, by_new * own * for_r, by_new * r, axis=-1)
    d = ConcatV2(gz * for_z, (gr + gn * for_new * own) * for_r, gn * for_new * r + go, axis=-1)
    if keep.shape != NONE:
        kept = Cast(keep, dtype=p_dtype)
        k, by_new, z = k * (1 - kept), by_new * (1 - kept), z + kept * (1 - z)
    states, k, z, u = led(lead(gh, 3), states, k, z, u)
    de, dh = GRUStepsBackwards(gh, d, k, z, u)
    de_z, de_r, _ = SplitV(de, sizes=thirds, axis=-1)
    by_p = ConcatV2(de_z, de_r, dh * by_new + gn * for_new, axis=-1)
    by_h = through(at_first(de), u) + at_first(z * dh)
    by_u = products(states, de) if wanted[1] else None
    return by_p, by_u, Sum(de, axis=(-3, -2), keepdims=False), by_h, None


@GRUStepsBackwards.pullback
def _of_backwards(
    g: tuple[Tensor, ...],
    wanted: Sequence[bool],
    gh_shape: Shape,
    k: Tensor,
    z: Tensor,
    u: Tensor,
    out: tuple[Tensor, ...],
) -> tuple[Tensor, ...]:
    re, rh = g
    k, z, u, de, dh = led(lead(rh, len(gh_shape)), k, z, u, *out)
    outputs, said = GRUStepsForwards(re, rh, k, z, u)
    return outputs, said, *_of_slopes(outputs, said, de, dh)


@GRUStepsForwards.pullback
def _of_forwards(
    g: tuple[Tensor, ...],
    wanted: Sequence[bool],
    gh_shape: Shape,
    k: Tensor,
    z: Tensor,
    u: Tensor,
    out: tuple[Tensor, ...],
) -> tuple[Tensor, ...]:
    rh, re = g
    k, z, u, outputs, said = led(lead(rh, len(gh_shape)), k, z, u, *out)
    de, dh = GRUStepsBackwards(rh, re, k, z, u)
    return de, dh, *_of_slopes(outputs, said, de, dh)


def _of_slopes(outputs: Tensor, said: Tensor, de: Tensor, dh: Tensor) -> tuple[Tensor, ...]:
    """The gradients of k, z and u, in which both passes are linear: the same for both."""
    states = before(ZerosLike(at_first(outputs)), outputs)
    return said * ConcatV2(dh, dh, dh, axis=-1), states * dh, products(states, de)
