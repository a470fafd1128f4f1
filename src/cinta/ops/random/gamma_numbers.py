"""Gamma distributed numbers, and how they move with their parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.op import op
from ...engine.primitives import SumTo
from ..elementwise.gamma import GammaDensity, IgammaGradA
from .box_muller import wide_points, wide_polar
from .lanes import Lanes, sampled

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array, Tensor


@op("StatelessRandomGammaV3")
def StatelessRandomGammaV3(xp: ArrayModule, state: Array, alpha: Array, *, samples: int) -> Array:
    """For each alpha, samples from the gamma distribution of this shape and of rate 1.

    By Marsaglia and Tsang (2000); for alpha below 1 from the distribution for alpha + 1.
    """
    return sampled(_fill, state, samples, alpha).astype(alpha.dtype)


StatelessRandomGammaV3.grads(
    alpha=lambda g, alpha, alpha_shape, out: SumTo(
        g * gamma_slope(alpha, out), shape=alpha_shape, rank=len(alpha_shape) + 1
    )
)


def gamma_slope(alpha: Array, sample: Array) -> Array | Tensor:
    """How a gamma distributed number moves with alpha while its quantile stays."""
    return -IgammaGradA(alpha, sample, order=1) / GammaDensity(alpha, sample)


def _fill(lanes: Lanes, alpha: Array, out: Array) -> None:
    """Try all numbers at once; only those that fail, few of them, keep account of what they use."""
    angle, radius = lanes.uniform(lanes.all, 0)
    radius, angle = wide_polar(radius, angle)
    uniform, spare = lanes.uniform(lanes.all, 1)
    accepted, out[:] = _try(alpha, np.cos(angle) * radius, uniform)
    _add_one(alpha, spare, out)
    again = np.flatnonzero(~accepted | (alpha == 1))
    if again.size:
        out[again] = _one_by_one(lanes, again, alpha[again])


def _one_by_one(lanes: Lanes, chosen: Array, alpha: Array) -> Array:
    """The numbers of some lanes, from their start."""
    used = np.zeros(len(chosen), np.uint64)
    uniform = _pool(lanes.uniform, chosen, used)
    normal = _pool(lambda *where: _normal(*lanes.uniform(*where)), chosen, used)
    out = np.empty(len(chosen))
    one = alpha == 1
    out[one] = -np.log1p(-uniform(np.flatnonzero(one)))
    pending = np.flatnonzero(~one)
    while pending.size:
        x = normal(pending)
        positive = ~(_cube_root(alpha[pending], x) <= 0)
        u = np.ones(len(pending))
        u[positive] = uniform(pending[positive])
        accepted, values = _try(alpha[pending], x, u)
        out[pending[accepted]] = values[accepted]
        pending = pending[~accepted]
    small = np.flatnonzero(alpha < 1)
    boosted = out[small]
    _add_one(alpha[small], uniform(small), boosted)
    out[small] = boosted
    return out


def _normal(angle: Array, radius: Array) -> tuple[Any, Any]:
    """Normal numbers in order of use."""
    last, first = wide_points(radius, angle)
    return first, last


def _pool(
    blocks: Callable[..., tuple[Any, Any]], chosen: Array, used: Array
) -> Callable[[Any], Any]:
    """A function that takes indices of chosen lanes and returns the next number of each.

    Uniform and normal numbers are buffered apart, but take blocks in turn.
    """
    numbers, left = np.empty((2, len(chosen))), np.zeros(len(chosen), np.int8)

    def draw(lanes: Array) -> Array:
        empty = lanes[left[lanes] == 0]
        numbers[1, empty], numbers[0, empty] = blocks(chosen[empty], used[empty])
        left[empty] = 2
        used[empty] += np.uint64(1)
        left[lanes] -= 1
        return numbers[left[lanes], lanes]

    return draw


def _scale(alpha: Array) -> Array:
    return alpha + np.where(alpha < 1, 2 / 3, -1 / 3)


def _cube_root(alpha: Array, x: Array) -> Array:
    """The cube root of the number divided by the scale."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return 1 + 1 / 3 / np.sqrt(_scale(alpha)) * x


def _try(alpha: Array, x: Array, u: Array) -> tuple[Any, Any]:
    """One trial with a normal and a uniform number: whether it is accepted, and its value."""
    v = _cube_root(alpha, x)
    tried = ~(v <= 0)  # nan, of a negative alpha, is tried and accepted
    v = v * v * v
    d = _scale(alpha)
    with np.errstate(invalid="ignore", divide="ignore"):
        square = x * x
        surely = u < 1 - 0.0331 * square * square
        accepted = surely | (np.log(u) < 0.5 * square + d * (1 - v + np.log(v)))
    return tried & accepted, d * v


def _add_one(alpha: Array, uniform: Array, out: Array) -> None:
    """Bring what was drawn for alpha + 1 to an alpha below 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        np.multiply(out, uniform ** (1 / alpha), out=out, where=alpha < 1)
