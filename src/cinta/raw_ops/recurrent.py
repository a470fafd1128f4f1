"""Cells of recurrent networks, and their gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cinta as tf

from ..ops.arguments import integer
from ..ops.nn.recurrent.functions import lstm

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.tensor import Tensor

_ICFO = (0, 2, 1, 3)
_IFCO = (0, 1, 2, 3)
"""Where the gates i, f, c and o stand side by side in a product."""

# -- LSTM ----------------------------------------------------------------------------------------


def _lstm_step(
    x: Tensor,
    cs_prev: Tensor,
    h_prev: Tensor,
    w: Tensor,
    peepholes: Sequence[Tensor],
    b: Tensor,
    forget_bias: float,
    cell_clip: float,
    order: Sequence[int],
) -> list[Tensor]:
    """The gates i, cs, f, o, ci, co and the output h of one step."""
    gates = tf.split(tf.matmul(tf.concat([x, h_prev], 1), w) + b, 4, axis=1)
    i, f, ci, o = [gates[place] for place in order]
    wci, wcf, wco = peepholes or [tf.zeros_like(b[:1])] * 3
    i = tf.sigmoid(i + cs_prev * wci)
    f = tf.sigmoid(f + cs_prev * wcf + tf.cast(forget_bias, f.dtype))
    ci = tf.tanh(ci)
    cs = ci * i + cs_prev * f
    if cell_clip > 0:
        limit = tf.cast(cell_clip, cs.dtype)
        cs = tf.clip_by_value(cs, -limit, limit)
    o = tf.sigmoid(o + cs * wco)
    co = tf.tanh(cs)
    return [i, cs, f, o, ci, co, co * o]


def _check_ranks(op: str, **given: tuple[Tensor, int]) -> None:
    for name, (each, rank) in given.items():
        if len(each.shape) != rank:
            raise tf.errors.InvalidArgumentError(
                f"{name} must be rank {rank} but is rank {len(each.shape)}, of shape {each.shape} "
                f"[Op:{op}]"
            )


def _check_lstm(
    op: str,
    x: Tensor,
    cs_prev: Tensor,
    h_prev: Tensor,
    w: Tensor,
    peepholes: dict[str, Tensor],
    b: Tensor,
) -> None:
    """Refuse shapes that do not fit those of the inputs of a step and of the state before it."""
    _check_ranks(op, x=(x, 2), cs_prev=(cs_prev, 2))
    for name, each in (("x", x), ("cs_prev", cs_prev)):
        if not each.shape[1]:
            raise tf.errors.InvalidArgumentError(
                f"{name} is empty: it has the shape {each.shape} [Op:{op}]"
            )
    (batch, inputs), cells = x.shape, cs_prev.shape[1]
    expected: dict[str, tuple[Tensor, list[int]]] = {
        "cs_prev": (cs_prev, [batch, cells]),
        "h_prev": (h_prev, [batch, cells]),
        "w": (w, [inputs + cells, 4 * cells]),
        "b": (b, [4 * cells]),
        **{name: (each, [cells]) for name, each in peepholes.items()},
    }
    for name, (each, shape) in expected.items():
        if each.shape != shape:
            raise tf.errors.InvalidArgumentError(
                f"{name} must have the shape {shape}, got {each.shape} [Op:{op}]"
            )


def _lstm_cell(
    x: Tensor,
    cs_prev: Tensor,
    h_prev: Tensor,
    w: Tensor,
    wci: Tensor,
    wcf: Tensor,
    wco: Tensor,
    b: Tensor,
    forget_bias: float,
    cell_clip: float,
    peephole: bool,
) -> list[Tensor]:
    _check_lstm("LSTMBlockCell", x, cs_prev, h_prev, w, {"wci": wci, "wcf": wcf, "wco": wco}, b)
    peepholes = [wci, wcf, wco] if peephole else []
    return _lstm_step(x, cs_prev, h_prev, w, peepholes, b, forget_bias, cell_clip, _ICFO)


def _lstm_block(
    length: Tensor,
    x: Tensor,
    cs: Tensor,
    h: Tensor,
    w: Tensor,
    wci: Tensor,
    wcf: Tensor,
    wco: Tensor,
    b: Tensor,
    forget_bias: float,
    cell_clip: float,
    peephole: bool,
    order: Sequence[int] = _ICFO,
) -> list[Tensor]:
    """All steps of a sequence; zeros from its length on."""
    peepholes = [wci, wcf, wco] if peephole else []
    steps = []
    for each in tf.unstack(x)[: integer(length, "seq_len_max")]:
        steps.append(_lstm_step(each, cs, h, w, peepholes, b, forget_bias, cell_clip, order))
        cs, h = steps[-1][1], steps[-1][6]
    rest = [tf.zeros_like(h)] * (x.shape[0] - len(steps))
    return [tf.stack([step[k] for step in steps] + rest) for k in range(7)]


def _lstm_block_v2(
    length: Tensor,
    x: Tensor,
    cs: Tensor,
    h: Tensor,
    w: Tensor,
    wci: Tensor,
    wcf: Tensor,
    wco: Tensor,
    b: Tensor,
    cell_clip: float,
    peephole: bool,
) -> list[Tensor]:
    whole = integer(length, "seq_len_max") == x.shape[0] > 0
    if whole and not peephole and cell_clip <= 0:
        return _lstm_whole(x, cs, h, w, b)
    peepholes = wci, wcf, wco
    return _lstm_block(length, x, cs, h, w, *peepholes, b, 0.0, cell_clip, peephole, _IFCO)


def _lstm_whole(x: Tensor, cs: Tensor, h: Tensor, w: Tensor, b: Tensor) -> list[Tensor]:
    """All steps of whole sequences, by one op."""
    kernel, recurrent = tf.split(w, [x.shape[2], -1])
    outputs, cells, gates = lstm(x, h, cs, kernel, recurrent, b)
    i, f, ci, o = tf.split(gates, 4, axis=-1)
    return [i, cells, f, o, ci, tf.tanh(cells), outputs]


def _lstm_step_gradient(
    cs_prev: Tensor,
    peepholes: Sequence[Tensor],
    step: Sequence[Tensor],
    cs_grad: Tensor,
    h_grad: Tensor,
    order: Sequence[int],
) -> tuple[Tensor, Tensor, list[Tensor]]:
    """The gradients by the state before, by the gates side by side, and by the peepholes."""
    i, cs, f, o, ci, co = step
    wci, wcf, wco = peepholes or [tf.zeros_like(cs[0])] * 3
    do = o * (1 - o) * h_grad * co
    dcs = (1 - co * co) * h_grad * o + cs_grad + do * wco
    dci = (1 - ci * ci) * dcs * i
    df = f * (1 - f) * dcs * cs_prev
    di = i * (1 - i) * dcs * ci
    gates = [di, df, dci, do]
    beside = tf.concat([gates[order.index(place)] for place in range(4)], axis=1)
    seen = [(di, cs_prev), (df, cs_prev), (do, cs)]
    by_peepholes = [tf.reduce_sum(d * state, axis=0) for d, state in seen]
    if not peepholes:
        by_peepholes = [tf.zeros_like(each) for each in by_peepholes]
    return dcs * f + di * wci + df * wcf, beside, by_peepholes


def _lstm_cell_gradient(*arguments: Tensor) -> tuple[Tensor, ...]:
    _, cs_prev, _, _, wci, wcf, wco, _, *step, cs_grad, h_grad, peephole = arguments
    peepholes = [wci, wcf, wco] if peephole else []
    found = _lstm_step_gradient(cs_prev, peepholes, step, cs_grad, h_grad, _ICFO)
    return found[0], found[1], *found[2]


def _lstm_block_gradient(*arguments: Tensor, order: Sequence[int] = _ICFO) -> tuple[Tensor, ...]:
    length, x, cs_first, h_first, w, wci, wcf, wco, b, *rest = arguments
    *steps, h, cs_grad, h_grad, peephole = rest
    _check_ranks("BlockLSTMGrad", x=(x, 3), cs_prev=(cs_first, 2), h_prev=(h_first, 2), w=(w, 2))
    peepholes, size = [wci, wcf, wco] if peephole else [], x.shape[2]
    dcs, dh, dw = tf.zeros_like(cs_first), tf.zeros_like(h_first), tf.zeros_like(w)
    db, by_peepholes = tf.zeros_like(b), [tf.zeros_like(each) for each in (wci, wcf, wco)]
    dx = [tf.zeros_like(x[0])] * x.shape[0]
    for t in reversed(range(integer(length, "seq_len_max"))):
        cs_prev, h_prev = (steps[1][t - 1], h[t - 1]) if t else (cs_first, h_first)
        step = [each[t] for each in steps]
        dcs, gates, peeped = _lstm_step_gradient(
            cs_prev, peepholes, step, cs_grad[t] + dcs, h_grad[t] + dh, order
        )
        dx[t], dh = tf.split(tf.matmul(gates, w, transpose_b=True), [size, -1], axis=1)
        dw += tf.matmul(tf.concat([x[t], h_prev], 1), gates, transpose_a=True)
        db += tf.reduce_sum(gates, axis=0)
        by_peepholes = [a + d for a, d in zip(by_peepholes, peeped, strict=True)]
    return tf.stack(dx), dcs, dh, dw, *by_peepholes, db


def _lstm_block_gradient_v2(*arguments: Tensor) -> tuple[Tensor, ...]:
    return _lstm_block_gradient(*arguments, order=_IFCO)


# -- GRU -----------------------------------------------------------------------------------------


def _gru_cell(
    x: Tensor, h_prev: Tensor, w_ru: Tensor, w_c: Tensor, b_ru: Tensor, b_c: Tensor
) -> tuple[Tensor, ...]:
    r, u = tf.split(tf.sigmoid(tf.matmul(tf.concat([x, h_prev], 1), w_ru) + b_ru), 2, axis=1)
    c = tf.tanh(tf.matmul(tf.concat([x, h_prev * r], 1), w_c) + b_c)
    return r, u, c, (1 - u) * c + u * h_prev


def _gru_cell_gradient(*arguments: Tensor) -> tuple[Tensor, ...]:
    x, h_prev, w_ru, w_c, _, _, r, u, c, d_h = arguments
    sizes = [x.shape[1], -1]
    d_c_bar = d_h * (1 - u) * (1 - c * c)
    d_u_bar = d_h * (h_prev - c) * u * (1 - u)
    d_x, d_hr = tf.split(tf.matmul(d_c_bar, w_c, transpose_b=True), sizes, axis=1)
    d_r_bar = d_hr * h_prev * r * (1 - r)
    d_ru = tf.concat([d_r_bar, d_u_bar], axis=1)
    more_x, more_h = tf.split(tf.matmul(d_ru, w_ru, transpose_b=True), sizes, axis=1)
    return d_x + more_x, d_hr * r + d_h * u + more_h, d_c_bar, d_ru


OPS: dict[str, Callable[..., Any]] = {
    "BlockLSTM": _lstm_block,
    "BlockLSTMGrad": _lstm_block_gradient,
    "BlockLSTMGradV2": _lstm_block_gradient_v2,
    "BlockLSTMV2": _lstm_block_v2,
    "GRUBlockCell": _gru_cell,
    "GRUBlockCellGrad": _gru_cell_gradient,
    "LSTMBlockCell": _lstm_cell,
    "LSTMBlockCellGrad": _lstm_cell_gradient,
}
