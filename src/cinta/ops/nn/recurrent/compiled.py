"""The steps of an LSTM and their gradient by compiled functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.busy_cores import product
from ....engine.c_kernels import compiled, fits
from ....engine.parallel import spread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ....engine.tensor import Array

_steps, _steps_gradient = compiled("lstm_steps"), compiled("lstm_steps_gradient")
_step, _gradient = compiled("lstm_step"), compiled("lstm_step_gradient")
_MANY_WEIGHTS = 1 << 18
"""More than these do not fit into a core's cache, for which products of matrices are made."""
_SHARE = 1 << 22  # multiplications that take far longer than a thread takes to start
_TOGETHER = 12  # rows whose sums stay in registers


def takes(keep: Array, *arrays: Array) -> bool:
    """Whether there are compiled functions for such sequences: states that none of them keeps."""
    return _step is not None and not keep.size and arrays[0].ndim == 3 and fits(*arrays)


def lstm(p: Array, u: Array, h: Array, c: Array) -> tuple[Array, ...]:
    """The outputs, the cells and the gates of all steps."""
    p, h, c = map(np.ascontiguousarray, (p, h, c))
    hs, cs = (np.empty((*p.shape[:-1], h.shape[-1]), p.dtype) for _ in range(2))
    gates = np.empty(p.shape, p.dtype)
    steps = _steps
    if steps is None or u.size > _MANY_WEIGHTS:
        return _by_products(p, u, h, c, hs, cs, gates)

    def work(low: int, high: int) -> None:
        rows = slice(low, high)
        steps(p[:, rows], u, h[rows], c[rows], out=(hs[:, rows], cs[:, rows], gates[:, rows]))

    _over_rows(work, len(h), len(p) * u.size)
    return hs, cs, gates


def _over_rows(work: Callable[[int, int], None], rows: int, multiplications: int) -> None:
    """Call ``work`` on rows, each of which takes so many multiplications, on threads."""
    spread(work, rows, _TOGETHER, -(-_SHARE // max(multiplications, 1)))


def _by_products(
    p: Array, u: Array, h: Array, c: Array, hs: Array, cs: Array, gates: Array
) -> tuple[Array, ...]:
    assert _step is not None
    for t in range(len(p)):
        _step(product(h, u), p[t], c, out=(gates[t], cs[t], hs[t]))
        h, c = hs[t], cs[t]
    return hs, cs, gates


def lstm_gradient(
    gh: Array, gc: Array, gg: Array, gates: Array, cs: Array, first: Array, u: Array
) -> tuple[Array, ...]:
    """The changes of sums, cells and outputs, from those of outputs, cells and gates."""
    given = [np.ascontiguousarray(x) for x in (gh, gc, gg, gates, cs)]
    first = np.ascontiguousarray(first)
    made = tuple([np.empty(x.shape, x.dtype) for x in (gg, gc, gh)])
    steps = _steps_gradient
    if steps is None or u.size > _MANY_WEIGHTS:
        return _gradient_by_products(given, first, u, made)

    def work(low: int, high: int) -> None:
        rows = slice(low, high)
        parts = [x[:, rows] for x in given]
        steps(*parts, first[rows], u, out=tuple([x[:, rows] for x in made]))

    _over_rows(work, len(first), len(gh) * u.size)
    return made


def _gradient_by_products(
    given: Sequence[Array], first: Array, u: Array, made: tuple[Array, ...]
) -> tuple[Array, ...]:
    assert _gradient is not None
    (gh, gc, gg, gates, cs), (dz, dc, dh) = given, made
    turned, last, carried = u.T, len(gh) - 1, np.zeros(first.shape, first.dtype)
    for t in range(last, -1, -1):
        h = dh[t]
        h[...] = gh[t]
        if t != last:
            h += product(dz[t + 1], turned)
        before = cs[t - 1] if t else first
        arrays = gates[t], gg[t], before, cs[t], h, gc[t], carried
        carried = _gradient(*arrays, out=(dz[t], dc[t], None))[2]
    return made
