"""Attention as an op: softmax(q k^T) v, with one op as its gradient.

    S = q k^T    P = softmax(S)    out = P v
    dP = g v^T   dS = P (dP - sum(P dP))   dq = dS k   dk = dS^T q   dv = P^T g

Second and higher derivatives, and gradients with axes in front, hold all weights, as an op of
its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....engine.broadcasting import lead
from ....engine.halves import converted
from ....engine.op import op
from ....engine.primitives import Cast, Mul
from ....engine.summing import accumulator
from ...linalg.matmul import MatMul
from ...reductions.reduction import Sum
from .numpy import attention, attention_gradient, hidden_score

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ....engine.annotations import ArrayModule
    from ....engine.tensor import Array, Tensor

NONE = (0,)
"""The shape of a mask that hides nothing."""


@op("DotProductAttention")
def DotProductAttention(
    xp: ArrayModule, q: Array, k: Array, v: Array, mask: Array, *, causal: bool
) -> tuple[Array, ...]:
    """The outputs; the numbers subtracted from the scores; the sums of exponentials after that."""

    def whole(q: Array, k: Array, v: Array, mask: Array, causal: bool) -> tuple[Array, ...]:
        scores = _scores(xp, q, k, mask, causal)
        top = scores.max(axis=-1, keepdims=True)
        powers = xp.exp(scores - top)
        total = powers.sum(axis=-1, keepdims=True)
        return (powers / total) @ v, top, total

    return _wide(attention if xp is np else whole, q, k, v, mask, causal)


@op("DotProductAttentionGrad")
def DotProductAttentionGrad(
    xp: ArrayModule,
    given: Array,
    q: Array,
    k: Array,
    v: Array,
    mask: Array,
    seen: Array,
    top: Array,
    total: Array,
    *,
    causal: bool,
) -> tuple[Array, ...]:
    """The gradients by queries, keys and values."""

    def whole(g: Array, q: Array, k: Array, v: Array, mask: Array, *others: Any) -> Any:
        seen, top, total, causal = others
        weights = xp.exp(_scores(xp, q, k, mask, causal) - top) / total
        common = (g * seen).sum(axis=-1, keepdims=True)
        by_score = weights * (g @ v.swapaxes(-1, -2) - common)
        live = _live(xp, by_score.shape, mask, causal)
        by_score = by_score if live is None else xp.where(live, by_score, 0)
        turned = weights.swapaxes(-1, -2), by_score.swapaxes(-1, -2)
        return by_score @ k, turned[1] @ q, turned[0] @ g

    kernel = attention_gradient if xp is np else whole
    return _wide(kernel, given, q, k, v, mask, seen, top, total, causal)


@op("AttentionWeights")
def AttentionWeights(xp: ArrayModule, q: Array, k: Array, mask: Array, *, causal: bool) -> Array:
    """All weights: the softmax of the scores."""

    def whole(q: Array, k: Array, mask: Array) -> tuple[Array, ...]:
        scores = _scores(xp, q, k, mask, causal)
        powers = xp.exp(scores - scores.max(axis=-1, keepdims=True))
        return (powers / powers.sum(axis=-1, keepdims=True),)

    return _wide(whole, q, k, mask)[0]


def _wide(kernel: Callable[..., Any], *arguments: Any) -> tuple[Array, ...]:
    """The results of a kernel, computed in single precision for inputs in half precision."""
    dtype = arguments[0].dtype
    wide = accumulator(dtype)
    if wide == dtype:
        return tuple(kernel(*arguments))
    given = [converted(x, wide) if getattr(x, "dtype", None) == dtype else x for x in arguments]
    return tuple([converted(x, dtype) for x in kernel(*given)])


def _scores(xp: ArrayModule, q: Array, k: Array, mask: Array, causal: bool) -> Array:
    """All scores, with those of hidden keys so low that their weights are 0."""
    scores = q @ k.swapaxes(-1, -2)
    live = _live(xp, scores.shape, mask, causal)
    return scores if live is None else xp.where(live, scores, hidden_score(scores.dtype))


def _live(xp: ArrayModule, shape: Sequence[int], mask: Any, causal: bool) -> Any:
    """Where queries see keys; None if they see all."""
    before = xp.tri(*shape[-2:], dtype=bool) if causal else None
    if mask.shape == NONE:
        return before
    return mask if before is None else mask & before


# -- rules -----------------------------------------------------------------------------------------


def _product(a: Tensor, b: Tensor, *, first: bool = False, second: bool = False) -> Tensor:
    """A product of matrices, of which the first or the second is transposed."""
    return MatMul(a, b, transpose_a=first, transpose_b=second)


def _along_keys(x: Tensor) -> Tensor:
    return Sum(x, axis=(-1,), keepdims=True)


def _shown(x: Tensor, mask: Tensor, causal: bool, dtype: np.dtype[Any]) -> Tensor:
    """The tensor with zeros where keys are hidden."""
    if mask.shape != NONE:
        x = Mul(x, Cast(mask, dtype=dtype))
    return Mul(x, np.tri(*x.shape[-2:], dtype=dtype)) if causal else x


def _of_weights(g: Tensor, p: Tensor, mask: Tensor, causal: bool, dtype: np.dtype[Any]) -> Tensor:
    """The gradient of the scores, from that of their softmax."""
    return _shown(p * (g - _along_keys(g * p)), mask, causal, dtype)


@AttentionWeights.pullback
def _of_all_weights(
    g: Tensor,
    wanted: Sequence[bool],
    q: Tensor,
    k: Tensor,
    mask: Tensor,
    causal: bool,
    out: Tensor,
    q_dtype: np.dtype[Any],
) -> tuple[Tensor | None, ...]:
    by_score = _of_weights(g, out, mask, causal, q_dtype)
    return _product(by_score, k), _product(by_score, q, first=True), None


@DotProductAttention.pullback
def _of_attention(
    g: tuple[Tensor, ...],
    wanted: Sequence[bool],
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor,
    causal: bool,
    out: tuple[Tensor, ...],
    q_dtype: np.dtype[Any],
) -> tuple[Any, ...]:
    """The subtracted numbers and the sums serve the gradient alone: nothing depends on them."""
    own, _, _ = g
    if not lead(own, 4):
        return *DotProductAttentionGrad(own, q, k, v, mask, *out, causal=causal), None
    p = AttentionWeights(q, k, mask, causal=causal)
    by_score = _of_weights(_product(own, v, second=True), p, mask, causal, q_dtype)
    by_q, by_k = _product(by_score, k), _product(by_score, q, first=True)
    return by_q, by_k, _product(p, own, first=True), None


@DotProductAttentionGrad.pullback
def _of_gradient(
    g: tuple[Tensor, ...],
    wanted: Sequence[bool],
    given: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor,
    causal: bool,
    q_dtype: np.dtype[Any],
) -> tuple[Any, ...]:
    """The gradient of what the attention would be along the directions g.

    For the gradient is linear in what is ``given``, as that direction is in g: with dots for what
    goes along g, the product of both is <given, P. v + P v.>, where P. = P (S. - sum(P S.)).
    """
    a, b, c = g
    p = AttentionWeights(q, k, mask, causal=causal)
    along = _shown(_product(a, k, second=True) + _product(q, b, second=True), mask, causal, q_dtype)
    off = along - _along_keys(p * along)
    moved = p * off
    by_moved = _product(given, v, second=True)
    common = _along_keys(by_moved * p)
    by_p = by_moved * off - along * common + _product(given, c, second=True)
    by_score = _of_weights(by_p, p, mask, causal, q_dtype)
    by_along = _shown(p * (by_moved - common), mask, causal, q_dtype)
    return (
        _product(moved, v) + _product(p, c),
        _product(by_score, k) + _product(by_along, b),
        _product(by_score, q, first=True) + _product(by_along, a, first=True),
        _product(moved, given, first=True),
        *[None] * 4,
    )
