"""LSTM: long short-term memory (Hochreiter and Schmidhuber 1997), with forget gates.

    i, f, o = sigmoid(p + h u)    new = tanh(p + h u)    each a quarter of the sums, as i f new o
    c = f c + i new
    h = o tanh(c)

``p`` is what the input says to each step. The linear recurrence of the gradient is, with the
slopes ``k`` of what the gates do and ``a`` of the output by the cell, from the last step on,

    dh = gh + dz' u^T + keep' dh'    dc = gc + f' dc' + a dh    dz = d + k [dc dc dc dh]

where ' marks the step after this one; where a state is kept, k and a are 0 and f is 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....engine.broadcasting import lead
from ....engine.op import op
from ....engine.primitives import Cast, ConcatV2, SplitV, ZerosLike
from ...elementwise.unary import Tanh
from .steps import NONE, after, at_first, before, computed, led, products, through

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from ....engine.annotations import ArrayModule
    from ....engine.shapes import Shape
    from ....engine.tensor import Array, Tensor


@op("LSTMSteps")
def LSTMSteps(xp: ArrayModule, p: Array, u: Array, h: Array, c: Array, keep: Array) -> Any:
    """The outputs, the cells and the gates of all steps."""
    return computed(xp, "lstm", p, u, h, c, keep)


@op("LSTMStepsGrad")
def LSTMStepsGrad(
    xp: ArrayModule,
    gh: Array,
    gc: Array,
    gg: Array,
    gates: Array,
    cs: Array,
    c: Array,
    keep: Array,
    u: Array,
) -> Any:
    """The changes of sums, cells and outputs, from those of outputs, cells and gates."""
    return computed(xp, "lstm_gradient", gh, gc, gg, gates, cs, c, keep, u)


@op("LSTMStepsBackwards")
def LSTMStepsBackwards(
    xp: ArrayModule,
    gh: Array,
    gc: Array,
    d: Array,
    k: Array,
    a: Array,
    f: Array,
    keep: Array,
    u: Array,
) -> Any:
    """The changes of sums, cells and outputs."""
    return computed(xp, "lstm_backwards", gh, gc, d, k, a, f, keep, u)


@op("LSTMStepsForwards")
def LSTMStepsForwards(
    xp: ArrayModule,
    gz: Array,
    gc: Array,
    gh: Array,
    k: Array,
    a: Array,
    f: Array,
    keep: Array,
    u: Array,
) -> Any:
    """The transpose of it."""
    return computed(xp, "lstm_forwards", gz, gc, gh, k, a, f, keep, u)


@LSTMSteps.pullback
def _of_steps(
    g: tuple[Tensor, ...],
    wanted: Sequence[bool],
    u: Tensor,
    h: Tensor,
    c: Tensor,
    keep: Tensor,
    out: tuple[Tensor, ...],
    p_dtype: np.dtype[Any],
) -> tuple[Tensor | None, ...]:
    gh, gc, gg = g
    hs, cs, gates = led(lead(gh, 3), *out)
    h, c, keep, u = led(lead(gh, 3), h, c, keep, u)
    dz, dc, dh = LSTMStepsGrad(gh, gc, gg, gates, cs, c, keep, u)
    by_h, f = (
        through(at_first(dz), u),
        at_first(SplitV(gates, sizes=(h.shape[-1],) * 4, axis=-1)[1]),
    )
    if keep.shape != NONE:
        kept = at_first(Cast(keep, dtype=p_dtype))
        by_h, f = by_h + kept * at_first(dh), f + kept * (1 - f)
    by_u = products(before(h, hs), dz) if wanted[1] else None
    return dz, by_u, by_h, f * at_first(dc), None


@LSTMStepsGrad.pullback
def _of_gradient(
    g: tuple[Tensor, ...],
    wanted: Sequence[bool],
    gg: Tensor,
    gates: Tensor,
    cs: Tensor,
    c: Tensor,
    keep: Tensor,
    u: Tensor,
    out: tuple[Tensor, ...],
    gg_dtype: np.dtype[Any],
) -> tuple[Tensor | None, ...]:
    """That of the recurrence, and then that of its slopes by the gates and the cells."""
    rz, rc, rh = g
    front = lead(rh, len(cs.shape))
    gg, gates, cs, c, keep, u, dz, dc, dh = led(front, gg, gates, cs, c, keep, u, *out)
    i, f, new, o = SplitV(gates, sizes=(cs.shape[-1],) * 4, axis=-1)
    states, shown = before(c, cs), Tanh(cs)
    for_i, for_f, for_new, for_o = i * (1 - i), f * (1 - f), 1 - new * new, o * (1 - o)
    k = ConcatV2(new * for_i, states * for_f, i * for_new, shown * for_o, axis=-1)
    a, forget = o * (1 - shown * shown), f
    moves: Any = 1.0
    if keep.shape != NONE:
        moves = 1 - Cast(keep, dtype=gg_dtype)
        k, a, forget = k * moves, a * moves, f * moves + (1 - moves)
    outputs, cells, sums = LSTMStepsForwards(rz, rc, rh, k, a, forget, keep, u)
    by_k, by_a, by_f, by_u = _of_slopes(outputs, cells, sums, dz, dc, dh)
    ki, kf, kn, ko = SplitV(by_k * moves, sizes=(cs.shape[-1],) * 4, axis=-1)
    si, sf, sn, so = SplitV(sums * gg, sizes=(cs.shape[-1],) * 4, axis=-1)
    by_a, by_f = by_a * moves, by_f * moves
    by_gates = ConcatV2(
        (ki * new + si) * (1 - 2 * i) + kn * for_new,
        (kf * states + sf) * (1 - 2 * f) + by_f,
        ki * for_i - 2 * new * (kn * i + sn),
        (ko * shown + so) * (1 - 2 * o) + by_a * (1 - shown * shown),
        axis=-1,
    )
    by_shown, by_states = ko * for_o - 2 * by_a * o * shown, kf * for_f
    by_cs = by_shown * (1 - shown * shown) + after(by_states)
    by_gg = sums * ConcatV2(for_i, for_f, for_new, for_o, axis=-1)
    return outputs, cells, by_gg, by_gates, by_cs, at_first(by_states), None, by_u


@LSTMStepsBackwards.pullback
def _of_backwards(
    g: tuple[Tensor, ...],
    wanted: Sequence[bool],
    gh_shape: Shape,
    k: Tensor,
    a: Tensor,
    f: Tensor,
    keep: Tensor,
    u: Tensor,
    out: tuple[Tensor, ...],
) -> tuple[Tensor | None, ...]:
    rz, rc, rh = g
    k, a, f, keep, u, dz, dc, dh = led(lead(rh, len(gh_shape)), k, a, f, keep, u, *out)
    outputs, cells, sums = LSTMStepsForwards(rz, rc, rh, k, a, f, keep, u)
    by_k, by_a, by_f, by_u = _of_slopes(outputs, cells, sums, dz, dc, dh)
    return outputs, cells, sums, by_k, by_a, by_f, None, by_u


@LSTMStepsForwards.pullback
def _of_forwards(
    g: tuple[Tensor, ...],
    wanted: Sequence[bool],
    gh_shape: Shape,
    k: Tensor,
    a: Tensor,
    f: Tensor,
    keep: Tensor,
    u: Tensor,
    out: tuple[Tensor, ...],
) -> tuple[Tensor | None, ...]:
    rh, rc, rz = g
    k, a, f, keep, u, outputs, cells, sums = led(lead(rh, len(gh_shape)), k, a, f, keep, u, *out)
    dz, dc, dh = LSTMStepsBackwards(rh, rc, rz, k, a, f, keep, u)
    by_k, by_a, by_f, by_u = _of_slopes(outputs, cells, sums, dz, dc, dh)
    return dz, dc, dh, by_k, by_a, by_f, None, by_u


def _of_slopes(
    outputs: Tensor, cells: Tensor, sums: Tensor, dz: Tensor, dc: Tensor, dh: Tensor
) -> tuple[Tensor, ...]:
    """The gradients of k, a, f and u, in which both passes are linear: the same for both."""
    none = ZerosLike(at_first(cells))
    by_k = sums * ConcatV2(dc, dc, dc, dh, axis=-1)
    return by_k, cells * dh, before(none, cells) * dc, products(before(none, outputs), dz)
