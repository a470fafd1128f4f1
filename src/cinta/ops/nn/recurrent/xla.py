"""The same where XLA compiles it: each pass is a scan. Only called with arrays of JAX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jax import Array

    Arrays = tuple[Array, ...]
    Turn = tuple[Arrays, Arrays]
    """The values that a step hands to the next, and its parts of the results."""


def lstm(p: Array, u: Array, h: Array, c: Array, keep: Array) -> tuple[Array, ...]:
    from jax import nn
    from jax import numpy as jnp

    def step(carry: Arrays, p: Array, keep: Array | None) -> Turn:
        h, c = carry
        i, f, new, o = jnp.split(p + h @ u, 4, axis=-1)
        i, f, new, o = nn.sigmoid(i), nn.sigmoid(f), jnp.tanh(new), nn.sigmoid(o)
        after = f * c + i * new
        shown = o * jnp.tanh(after)
        if keep is not None:
            after, shown = jnp.where(keep, c, after), jnp.where(keep, h, shown)
        return (shown, after), (shown, after, jnp.concatenate([i, f, new, o], axis=-1))

    return _over_steps(step, (h, c), [p], keep)


def lstm_gradient(
    gh: Array, gc: Array, gg: Array, gates: Array, cs: Array, first: Array, keep: Array, u: Array
) -> tuple[Array, ...]:
    from jax import numpy as jnp

    i, f, new, o = jnp.split(gates, 4, axis=-1)
    before = jnp.concatenate([first[..., None, :, :], cs[..., :-1, :, :]], axis=-3)
    shown = jnp.tanh(cs)
    slopes = [i * (1 - i), f * (1 - f), 1 - new * new, o * (1 - o)]
    factors = [new, before, i, shown]
    k = jnp.concatenate([a * b for a, b in zip(slopes, factors, strict=True)], axis=-1)
    a, d = o * (1 - shown * shown), gg * jnp.concatenate(slopes, axis=-1)
    if keep.size:
        k, a, f = jnp.where(keep, 0, k), jnp.where(keep, 0, a), jnp.where(keep, 1, f)
    return lstm_backwards(gh, gc, d, k, a, f, keep, u)


def lstm_backwards(
    gh: Array, gc: Array, d: Array, k: Array, a: Array, f: Array, keep: Array, u: Array
) -> tuple[Array, ...]:
    from jax import numpy as jnp

    def step(
        carry: Arrays,
        gh: Array,
        gc: Array,
        d: Array,
        k: Array,
        a: Array,
        f: Array,
        keep: Array | None,
    ) -> Turn:
        later, more_c, more_h = carry
        h = gh + later @ u.swapaxes(-1, -2) + more_h
        c = gc + more_c + a * h
        z = d + k * jnp.concatenate([c, c, c, h], axis=-1)
        kept = jnp.zeros_like(h) if keep is None else jnp.where(keep, h, 0)
        return (z, f * c, kept), (z, c, h)

    zeros = [jnp.zeros_like(_step(x, 0)) for x in (d, gc, gh)]
    return _over_steps(step, tuple(zeros), [gh, gc, d, k, a, f], keep, reverse=True)


def lstm_forwards(
    gz: Array, gc: Array, gh: Array, k: Array, a: Array, f: Array, keep: Array, u: Array
) -> tuple[Array, ...]:
    from jax import numpy as jnp

    def step(
        carry: Arrays,
        gz: Array,
        gc: Array,
        gh: Array,
        k: Array,
        a: Array,
        f: Array,
        keep: Array | None,
    ) -> Turn:
        before, cell = carry
        z = gz + before @ u
        i, g, n, o = jnp.split(k * z, 4, axis=-1)
        c = gc + f * cell + i + g + n
        h = gh + o + a * c
        if keep is not None:
            h = h + jnp.where(keep, before, 0)
        return (h, c), (h, c, z)

    zeros = [jnp.zeros_like(_step(x, 0)) for x in (gh, gc)]
    return _over_steps(step, tuple(zeros), [gz, gc, gh, k, a, f], keep)


def gru(p: Array, u: Array, b: Array, h: Array, keep: Array) -> tuple[Array, ...]:
    from jax import nn
    from jax import numpy as jnp

    def step(h: Array, p: Array, keep: Array | None) -> tuple[Array, Arrays]:
        for_z, for_r, for_new = jnp.split(p, 3, axis=-1)
        says_z, says_r, own = jnp.split(h @ u + b, 3, axis=-1)
        z, r = nn.sigmoid(for_z + says_z), nn.sigmoid(for_r + says_r)
        new = jnp.tanh(for_new + r * own)
        shown = new + z * (h - new)
        if keep is not None:
            shown = jnp.where(keep, h, shown)
        return shown, (shown, jnp.concatenate([z, r, new, own], axis=-1))

    return _over_steps(step, h, [p], keep)


def gru_backwards(gh: Array, d: Array, k: Array, z: Array, u: Array) -> tuple[Array, ...]:
    from jax import numpy as jnp

    def step(carry: Arrays, gh: Array, d: Array, k: Array, z: Array, keep: None) -> Turn:
        later, more = carry
        h = gh + later @ u.swapaxes(-1, -2) + more
        e = d + k * jnp.concatenate([h, h, h], axis=-1)
        return (e, z * h), (e, h)

    zeros = [jnp.zeros_like(_step(x, 0)) for x in (d, gh)]
    return _over_steps(step, tuple(zeros), [gh, d, k, z], None, reverse=True)


def gru_forwards(ge: Array, gh: Array, k: Array, z: Array, u: Array) -> tuple[Array, ...]:
    from jax import numpy as jnp

    def step(
        before: Array, ge: Array, gh: Array, k: Array, z: Array, keep: None
    ) -> tuple[Array, Arrays]:
        e = ge + before @ u
        for_z, for_r, for_own = jnp.split(k * e, 3, axis=-1)
        h = gh + z * before + for_z + for_r + for_own
        return h, (h, e)

    return _over_steps(step, jnp.zeros_like(_step(gh, 0)), [ge, gh, k, z], None)


def _step(sequence: Array, t: int) -> Array:
    return sequence[..., t, :, :]


def _over_steps(
    step: Callable[..., Any],
    carry: Array | Arrays,
    sequences: Sequence[Array],
    keep: Array | None,
    *,
    reverse: bool = False,
) -> tuple[Array, ...]:
    """The results of the steps, as sequences; axes in front of the time stay there."""
    from jax import lax
    from jax import numpy as jnp

    given: list[Any] = [jnp.moveaxis(x, -3, 0) for x in sequences]
    kept = None if keep is None or not keep.size else jnp.moveaxis(keep, -3, 0)
    _, found = lax.scan(lambda c, at: step(c, *at), carry, (*given, kept), reverse=reverse)
    results: tuple[Any, ...] = tuple([jnp.moveaxis(x, 0, -3) for x in found])
    return results
