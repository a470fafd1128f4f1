"""Attention and its gradient by compiled functions, which keep the scores of a head in a cache.

Whether they take an attention depends on shapes alone, and so do the sums that they make.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.c_kernels import compiled, fits
from ....engine.parallel import spread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ....engine.tensor import Array

_attention, _gradient = compiled("attention"), compiled("attention_gradient")
_SHARE = 1 << 22  # multiplications that take far longer than a thread takes to start


def takes(*arrays: Array) -> bool:
    """Whether there are compiled functions for such queries, keys and values."""
    return _attention is not None and fits(*arrays) and all([x.size for x in arrays])


def attention(
    q: Array, k: Array, v: Array, mask: Array, causal: bool, out: Array, top: Array, total: Array
) -> None:
    """Fill in the outputs, what was subtracted from the scores, and the sums of exponentials."""
    given = [_in_runs(q), k, v, _for_all(mask, q, k)]
    results = out, top[..., 0], total[..., 0]
    compute = _attention
    assert compute is not None

    def work(heads: tuple[slice, ...]) -> None:
        parts = tuple([x[heads] for x in results])
        compute(*[x[heads] for x in given], np.bool_(causal), out=parts)

    _over_heads(work, q, k)


def attention_gradient(
    g: Array,
    q: Array,
    k: Array,
    v: Array,
    mask: Array,
    causal: bool,
    made: Sequence[Array],
    gradients: Sequence[Array],
) -> None:
    """Fill in the gradients of queries, keys and values, from all that the attention made."""
    out, top, total = made
    taken = [_in_runs(q), k, v, _for_all(mask, q, k)]
    given = [_in_runs(g), _in_runs(out), top[..., 0], total[..., 0]]
    compute = _gradient
    assert compute is not None

    def work(heads: tuple[slice, ...]) -> None:
        first, second = ([x[heads] for x in some] for some in (taken, given))
        compute(*first, np.bool_(causal), *second, out=tuple([x[heads] for x in gradients]))

    _over_heads(work, q, k)


def _in_runs(x: Array) -> Array:
    """With the numbers of a position side by side in memory."""
    return x if x.strides[-1] == x.itemsize else np.ascontiguousarray(x)


def _for_all(mask: Array, q: Array, k: Array) -> Array:
    """The mask of all heads, queries and keys; one that hides nothing has no steps."""
    return np.broadcast_to(mask if mask.shape != (0,) else np.True_, (*q.shape[:-1], k.shape[-2]))


def _over_heads(work: Callable[[tuple[slice, ...]], None], q: Array, k: Array) -> None:
    """Call ``work`` on batches, or on heads if they are more, on threads if there is enough."""
    batches, heads, queries, size = q.shape
    axis, count, others = (0, batches, heads) if batches >= heads else (1, heads, batches)
    front = (slice(None),) * axis

    def share(low: int, high: int) -> None:
        work((*front, slice(low, high)))

    spread(share, count, 1, -(-_SHARE // (others * queries * k.shape[-2] * size)))
