"""Attention on NumPy, block by block: memory grows with the length, not with its square.

A block consists of all weights of some queries; those of a batch and of a head stand in front.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...elementwise.unary import Exp
from ..softmax import Exponentials
from . import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....engine.tensor import Array

_LIMIT = 1 << 17
"""How many weights a block has, unless one query has more: they fit into a core's cache."""


def _blocks(q: Array, k: Array) -> Iterator[tuple[slice, slice, slice]]:
    """Ranges of batches, heads and queries."""
    batches, heads, queries, _ = q.shape
    keys, everything = k.shape[-2], slice(None)
    if heads * queries * keys <= _LIMIT:
        for part in _ranges(batches, heads * queries * keys):
            yield part, everything, everything
    elif queries * keys <= _LIMIT:
        for b in range(batches):
            for part in _ranges(heads, queries * keys):
                yield slice(b, b + 1), part, everything
    else:
        for b in range(batches):
            for n in range(heads):
                for part in _ranges(queries, keys):
                    yield slice(b, b + 1), slice(n, n + 1), part


def _ranges(count: int, weights: int) -> Iterator[slice]:
    """Parts of a count, each of which stands for so many weights."""
    step = max(_LIMIT // max(weights, 1), 1)
    return (slice(start, min(start + step, count)) for start in range(0, count, step))


class _Block:
    """The scores of a block of queries, and what of the arrays belongs to it."""

    def __init__(
        self, place: tuple[slice, slice, slice], q: Array, k: Array, mask: Array, causal: bool
    ) -> None:
        self.rows, self.heads = place, place[:2]
        self.count = k.shape[-2]
        self.hidden: Array | None = None
        shape = (*q.shape[:-1], k.shape[-2])
        last = place[2].stop or q.shape[-2]
        if causal and mask.shape == (0,):  # keys after all these queries are not read
            self.count = min(self.count, last)
        self.keys = (*self.heads, slice(self.count))
        if mask.shape != (0,):
            self.hidden = ~np.broadcast_to(mask, shape)[place]
        if causal:
            rows = np.arange(place[2].start or 0, last)[:, None]
            later = np.arange(self.count) > rows
            self.hidden = later if self.hidden is None else self.hidden | later
        self.scores = q[self.rows] @ k[self.keys].swapaxes(-1, -2)
        if self.hidden is not None:
            np.copyto(self.scores, hidden_score(q.dtype), where=self.hidden)


def hidden_score(dtype: np.dtype[np.floating]) -> float:
    """The score of a key that is hidden from a query: so low that its weight is 0."""
    return float(-0.7 * np.finfo(dtype).max)


def attention(q: Array, k: Array, v: Array, mask: Array, causal: bool) -> tuple[Array, ...]:
    """The outputs; the numbers subtracted from the scores; the sums of exponentials after that.

    The outputs of all heads lie side by side in memory, as the layer after it takes them.
    """
    batches, heads, queries, _ = q.shape
    out = np.empty((batches, queries, heads, v.shape[-1]), q.dtype).swapaxes(1, 2)
    top, total = (np.empty((*q.shape[:-1], 1), q.dtype) for _ in range(2))
    if compiled.takes(q, k, v):
        compiled.attention(q, k, v, mask, causal, out, top, total)
        return out, top, total
    for place in _blocks(q, k):
        block = _Block(place, q, k, mask, causal)
        weights, total[place], top[place] = Exponentials.kernel(np, block.scores, axis=-1)
        np.divide(weights @ v[block.keys], total[place], out=out[place])
    return out, top, total


def attention_gradient(
    g: Array,
    q: Array,
    k: Array,
    v: Array,
    mask: Array,
    out: Array,
    top: Array,
    total: Array,
    causal: bool,
) -> tuple[Array, ...]:
    """The gradients by queries, keys and values; the exponentials are made anew.

    Their sums divide what is given for each query, not each weight. Gradients lie in memory in the
    order of axes that queries, keys and values have there.
    """
    dq, dk, dv = np.empty_like(q), np.zeros_like(k), np.zeros_like(v)
    if compiled.takes(g, q, k, v, out, top, total):
        made, gradients = (out, top, total), (dq, dk, dv)
        compiled.attention_gradient(g, q, k, v, mask, causal, made, gradients)
        return gradients
    given = g / total
    common = np.vecdot(given, out)[..., None]
    for place in _blocks(q, k):
        block = _Block(place, q, k, mask, causal)
        if top[place].any():
            block.scores -= top[place]
        weights, own = Exp.run(block.scores), given[place]
        dv[block.keys] += weights.swapaxes(-1, -2) @ own
        by_score = np.matmul(own, v[block.keys].swapaxes(-1, -2), out=block.scores)
        by_score -= common[place]
        by_score *= weights
        if block.hidden is not None:
            np.copyto(by_score, 0, where=block.hidden)
        np.matmul(by_score, k[block.keys], out=dq[place])
        dk[block.keys] += by_score.swapaxes(-1, -2) @ q[place]
    return dq, dk, dv
