"""The steps of an LSTM and their gradient by compiled functions: a product and one pass a step."""

from __future__ import annotations

import numpy as np

from ....engine.busy_cores import product
from ....engine.c_kernels import compiled, fits
from ....engine.tensor import Array

_step, _gradient = compiled("lstm_step"), compiled("lstm_step_gradient")


def takes(keep: Array, *arrays: Array) -> bool:
    """Whether there are compiled functions for such sequences: states that none of them keeps."""
    return _step is not None and not keep.size and arrays[0].ndim == 3 and fits(*arrays)


def lstm(p: Array, u: Array, h: Array, c: Array) -> tuple[Array, ...]:
    """The outputs, the cells and the gates of all steps."""
    assert _step is not None
    p, c = np.ascontiguousarray(p), np.ascontiguousarray(c)
    hs, cs = (np.empty((*p.shape[:-1], h.shape[-1]), p.dtype) for _ in range(2))
    gates = np.empty(p.shape, p.dtype)
    for t in range(len(p)):
        _step(product(h, u), p[t], c, out=(gates[t], cs[t], hs[t]))
        h, c = hs[t], cs[t]
    return hs, cs, gates


def lstm_gradient(
    gh: Array, gc: Array, gg: Array, gates: Array, cs: Array, first: Array, u: Array
) -> tuple[Array, ...]:
    """The changes of sums, cells and outputs, from those of outputs, cells and gates."""
    assert _gradient is not None
    gc, gg, gates, cs, first = map(np.ascontiguousarray, (gc, gg, gates, cs, first))
    dz, dc, dh = (np.empty(x.shape, x.dtype) for x in (gg, gc, gh))
    turned, last, carried = u.T, len(gh) - 1, np.zeros(first.shape, first.dtype)
    for t in range(last, -1, -1):
        h = dh[t]
        h[...] = gh[t]
        if t != last:
            h += product(dz[t + 1], turned)
        before = cs[t - 1] if t else first
        arrays = gates[t], gg[t], before, cs[t], h, gc[t], carried
        carried = _gradient(*arrays, out=(dz[t], dc[t], None))[2]
    return dz, dc, dh
