"""Recurrent layers and their linear recurrences on NumPy: one pass over the steps each.

``keep`` tells for each step and sample whether the state stays as it was; it is empty if none does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.busy_cores import product
from . import compiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....engine.shapes import Shape
    from ....engine.tensor import Array


def _sigmoid(x: Array) -> None:
    """Replace numbers by their sigmoids."""
    e = np.exp(np.negative(x, x))  # NumPy's exp is slow in place
    e += 1
    np.reciprocal(e, x)


def lstm(p: Array, u: Array, h: Array, c: Array, keep: Array) -> tuple[Array, ...]:
    """The outputs, the cells and the gates of all steps."""
    if compiled.takes(keep, p, u, h, c):
        return compiled.lstm(p, u, h, c)
    size = h.shape[-1]
    hs, cs = (np.empty((*p.shape[:-1], size), p.dtype) for _ in range(2))
    gates = np.empty(p.shape, p.dtype)
    for t in range(len(p)):
        z = product(h, u, gates[t])
        z += p[t]
        inner, new, outer = z[:, : 2 * size], z[:, 2 * size : 3 * size], z[:, 3 * size :]
        _sigmoid(inner)
        np.tanh(new, new)
        _sigmoid(outer)
        after = np.multiply(inner[:, size:], c, out=cs[t])
        after += inner[:, :size] * new
        shown = np.tanh(after, out=hs[t])
        shown *= outer
        if keep.size:
            np.copyto(after, c, where=keep[t])
            np.copyto(shown, h, where=keep[t])
        h, c = shown, after
    return hs, cs, gates


def lstm_gradient(
    gh: Array, gc: Array, gg: Array, gates: Array, cs: Array, first: Array, keep: Array, u: Array
) -> tuple[Array, ...]:
    """The same as ``lstm_backwards``, with the slopes of each step made when it is its turn."""
    if compiled.takes(keep, gh, gc, gg, gates, cs, first, u):
        return compiled.lstm_gradient(gh, gc, gg, gates, cs, first, u)
    cells = [first, *np.moveaxis(cs, -3, 0)]

    def slopes(t: int) -> tuple[Array, ...]:
        g = gates[..., t, :, :]
        i, f, new, o = _parts(g, 4)
        k = g - g * g
        for_i, for_f, for_new, for_o = _parts(k, 4)
        np.subtract(1, new * new, out=for_new)
        d = k * gg[..., t, :, :]
        shown = np.tanh(cells[t + 1])
        for_i *= new
        for_f *= cells[t]
        for_new *= i
        for_o *= shown
        a = o - o * shown * shown
        if keep.size:
            moves = ~keep[..., t, :, :]
            k *= moves
            a *= moves
            f = np.where(moves, f, 1)
        return d, k, a, f

    return _lstm_backwards(gh, gc, gg.shape, slopes, keep, u)


def lstm_backwards(
    gh: Array, gc: Array, d: Array, k: Array, a: Array, f: Array, keep: Array, u: Array
) -> tuple[Array, ...]:
    """The changes of sums, cells and outputs, for those that come from elsewhere."""

    def slopes(t: int) -> tuple[Array, ...]:
        return tuple([x[..., t, :, :] for x in (d, k, a, f)])

    return _lstm_backwards(gh, gc, d.shape, slopes, keep, u)


def _lstm_backwards(
    gh: Array,
    gc: Array,
    shape: Shape,
    slopes: Callable[[int], tuple[Array, ...]],
    keep: Array,
    u: Array,
) -> tuple[Array, ...]:
    dz, dc, dh = (np.empty(x, gh.dtype) for x in (shape, gc.shape, gh.shape))
    turned, last, carried = u.swapaxes(-1, -2), shape[-3] - 1, np.zeros((), gh.dtype)
    for t in range(last, -1, -1):
        h, c, z = dh[..., t, :, :], dc[..., t, :, :], dz[..., t, :, :]
        d, k, a, f = slopes(t)
        h[...] = gh[..., t, :, :]
        if t != last:
            h += product(dz[..., t + 1, :, :], turned)
            if keep.size:
                h += np.where(keep[..., t + 1, :, :], dh[..., t + 1, :, :], 0)
        np.add(gc[..., t, :, :], carried, out=c)
        c += a * h
        carried = f * c
        np.multiply(_gates(k, 4)[..., :3, :], c[..., None, :], out=_gates(z, 4)[..., :3, :])
        np.multiply(_parts(k, 4)[3], h, out=_parts(z, 4)[3])
        z += d
    return dz, dc, dh


def lstm_forwards(
    gz: Array, gc: Array, gh: Array, k: Array, a: Array, f: Array, keep: Array, u: Array
) -> tuple[Array, ...]:
    """The transpose of it."""
    outputs, cells, sums = (np.empty(x.shape, x.dtype) for x in (gh, gc, gz))
    for t in range(gz.shape[-3]):
        h, c, z = outputs[..., t, :, :], cells[..., t, :, :], sums[..., t, :, :]
        if t:
            np.matmul(outputs[..., t - 1, :, :], u, out=z)
            z += gz[..., t, :, :]
            np.multiply(f[..., t, :, :], cells[..., t - 1, :, :], out=c)
            c += gc[..., t, :, :]
        else:
            z[...], c[...] = gz[..., t, :, :], gc[..., t, :, :]
        parts = _gates(k[..., t, :, :] * z, 4)
        c += parts[..., :3, :].sum(axis=-2)
        np.multiply(a[..., t, :, :], c, out=h)
        h += parts[..., 3, :]
        h += gh[..., t, :, :]
        if t and keep.size:
            h += np.where(keep[..., t, :, :], outputs[..., t - 1, :, :], 0)
    return outputs, cells, sums


def gru(p: Array, u: Array, b: Array, h: Array, keep: Array) -> tuple[Array, ...]:
    """The outputs of all steps; their gates z, r, the new state, and what the state says to it."""
    size = h.shape[-1]
    hs = np.empty((*p.shape[:-1], size), p.dtype)
    gates = np.empty((*p.shape[:-1], 4 * size), p.dtype)
    for t in range(len(p)):
        said = product(h, u)
        said += b
        z, r, new, own = np.split(gates[t], 4, axis=-1)
        both = gates[t][:, : 2 * size]
        np.add(said[:, : 2 * size], p[t][:, : 2 * size], out=both)
        _sigmoid(both)
        own[...] = said[:, 2 * size :]
        np.multiply(r, own, out=new)
        new += p[t][:, 2 * size :]
        np.tanh(new, new)
        shown = np.subtract(h, new, out=hs[t])
        shown *= z
        shown += new
        if keep.size:
            np.copyto(shown, h, where=keep[t])
        h = shown
    return hs, gates


def gru_backwards(gh: Array, d: Array, k: Array, z: Array, u: Array) -> tuple[Array, ...]:
    """The changes of what states say, and of outputs, for those that come from elsewhere."""
    de, dh = np.empty(d.shape, d.dtype), np.empty(gh.shape, gh.dtype)
    turned, steps = u.swapaxes(-1, -2), d.shape[-3]
    for t in reversed(range(steps)):
        h = dh[..., t, :, :]
        if t + 1 < steps:
            product(de[..., t + 1, :, :], turned, h)
            h += gh[..., t, :, :]
            h += z[..., t + 1, :, :] * dh[..., t + 1, :, :]
        else:
            h[...] = gh[..., t, :, :]
        own, slopes = _gates(de[..., t, :, :], 3), _gates(k[..., t, :, :], 3)
        np.multiply(slopes, h[..., None, :], out=own)
        de[..., t, :, :] += d[..., t, :, :]
    return de, dh


def gru_forwards(ge: Array, gh: Array, k: Array, z: Array, u: Array) -> tuple[Array, ...]:
    """The transpose of it."""
    outputs, said = np.empty(gh.shape, gh.dtype), np.empty(ge.shape, ge.dtype)
    for t in range(ge.shape[-3]):
        h, e = outputs[..., t, :, :], said[..., t, :, :]
        if t:
            np.matmul(outputs[..., t - 1, :, :], u, out=e)
            e += ge[..., t, :, :]
            np.multiply(z[..., t, :, :], outputs[..., t - 1, :, :], out=h)
            h += gh[..., t, :, :]
        else:
            e[...], h[...] = ge[..., t, :, :], gh[..., t, :, :]
        h += _gates(k[..., t, :, :] * e, 3).sum(axis=-2)
    return outputs, said


def _parts(x: Array, count: int) -> list[Array]:
    """The gates, which stand side by side: views."""
    return [_gates(x, count)[..., i, :] for i in range(count)]


def _gates(x: Array, count: int) -> Array:
    """The gates side by side on an axis of their own: a view."""
    return x.reshape(*x.shape[:-1], count, x.shape[-1] // count)
