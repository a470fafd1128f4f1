"""The beta function's logarithm, and the incomplete gamma functions with all their derivatives."""

from __future__ import annotations

import math
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.fast_calls import matched, on_one
from ...engine.op import op
from ...engine.primitives import Reshape
from ...public import public
from ..arguments import tensor_of
from ..reductions.reduction import Sum
from .guarded import MulNoNan
from .special import Digamma, Polygamma, computed, in_double, special_functions
from .unary import Log

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


# -- the beta function -------------------------------------------------------------------------


@op("LogBeta", rowwise=True)
def LogBeta(xp: ArrayModule, x: Array) -> Array:
    """The logarithm of the absolute value of the beta function of the last axis.

    Two by two: the logarithms of gamma functions of large numbers would cancel.
    """

    def of_axis(x: Array) -> Array:
        if not x.shape[-1]:
            return xp.full(x.shape[:-1], -xp.inf)
        so_far, log = x[..., 0], xp.zeros_like(x[..., 0])
        for i in range(1, x.shape[-1]):
            log = log + special_functions(xp).betaln(so_far, x[..., i])
            so_far = so_far + x[..., i]
        return log

    return in_double(xp, of_axis, x)[()]


@op("LogBetaSlope", rowwise=True)
def LogBetaSlope(xp: ArrayModule, x: Array, *, order: int) -> Array:
    """The derivative of digamma of this order at x, less that at the sum of the last axis."""

    def slope(x: Array) -> Array:
        n = xp.asarray(order, dtype=x.dtype)
        total = x.sum(axis=-1, keepdims=True)
        return Polygamma.kernel(xp, n, x) - Polygamma.kernel(xp, n, total)

    return in_double(xp, slope, x)


def _from_slope(g: Tensor, x: Tensor, order: int) -> Tensor:
    common = Polygamma(order + 1, _total(x))
    return g * LogBetaSlope(x, order=order + 1) + (g - _total(g)) * common


def _total(x: Tensor) -> Tensor:
    return Sum(x, axis=(-1,), keepdims=True)


LogBeta.grads(x=lambda g, x: Reshape(g, shape=(*tuple(g.shape), 1)) * LogBetaSlope(x, order=0))
LogBetaSlope.grads(x=lambda g, x, order: _from_slope(g, x, order))


@public("math.lbeta")
def lbeta(x: NumericLike, name: str | None = None) -> Tensor:
    """The logarithm of the absolute value of the beta function of the last axis.

    >>> import cinta as tf
    >>> tf.math.lbeta([[1.0, 1.0], [2.0, 2.0]]).numpy().round(4)
    array([ 0.    , -1.7918], dtype=float32)

    Args:
        x: Floating-point numbers; the last axis holds the arguments of one beta function.
    """
    return on_one(LogBeta, tensor_of("Lgamma", x, REAL_FLOATING))


# -- the incomplete gamma functions ------------------------------------------------------------


@op("Igamma", broadcasts=True)
def Igamma(xp: ArrayModule, a: Array, x: Array) -> Array:
    """The part below x of the integral that is the gamma function of a."""
    sp = special_functions(xp)

    def part(a: Array, x: Array) -> Array:
        return xp.where(x == 0, 0, xp.where(a <= 0, xp.nan, sp.gammainc(a, x)))[()]

    return computed(part, a, x)


@op("Igammac", broadcasts=True)
def Igammac(xp: ArrayModule, a: Array, x: Array) -> Array:
    """The part above x of the integral that is the gamma function of a."""
    sp = special_functions(xp)

    def part(a: Array, x: Array) -> Array:
        return xp.where(a <= 0, xp.nan, sp.gammaincc(a, x))[()]

    return computed(part, a, x)


@op("GammaDensity", broadcasts=True)
def GammaDensity(xp: ArrayModule, a: Array, x: Array) -> Array:
    """The derivative of Igamma by x: x^(a - 1) exp(-x) over the gamma function of a."""
    sp = special_functions(xp)

    def density(a: Array, x: Array) -> Array:
        power = xp.exp(sp.xlogy(a - 1, x) - x - sp.gammaln(a))
        pole = (a <= 0) & (a == xp.floor(a))
        odd = (a < 0) & (xp.floor(a) % 2 != 0)  # where the gamma function is negative
        return xp.where(pole, 0, xp.where(odd, -power, power))[()]

    return in_double(xp, density, a, x)


@op("IgammaGradA", broadcasts=True)
def IgammaGradA(xp: ArrayModule, a: Array, x: Array, *, order: int) -> Array:
    """The derivative of Igamma by a, of this order.

    It is taken of the logarithm of the smaller part, which is known to all its digits.
    """
    if xp is not np and order == 1:
        result: Array = import_module("jax.lax").igamma_grad_a(*xp.broadcast_arrays(a, x))
        return result
    dtype = x.dtype
    a, x = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    sp = special_functions(np)
    below = _by_differences(sp.gammainc, a, x, order)
    above = -_by_differences(sp.gammaincc, a, x, order)
    slope = np.where(sp.gammainc(a, x) < 0.5, below, above)
    return np.where(x == 0, 0, np.where(a <= 0, np.nan, slope)).astype(dtype)[()]


NODES = np.arange(-4.0, 5.0)
STEPS = (0.02, 0.04, 0.06, 0.1)
"""How far the nodes are from each other, for the first derivatives, in parts of a's scale.

Nine nodes err by about step⁸, and rounding by 2⁻⁵² / stepⁿ in the n-th derivative. For n = 1 both
are equal at a step of 2^(-52/9) = 0.018; higher derivatives need longer steps."""


def _by_differences(part: Callable[..., Any], a: Array, x: Array, order: int) -> Array:
    """The derivative by a of a part, from those of its logarithm."""
    scale = np.minimum(a, np.sqrt(a))
    logs = []
    for n in range(1, order + 1):
        step = STEPS[min(n, len(STEPS)) - 1] * scale
        values = np.log(part(a + step * _along(NODES, a), x))
        logs.append(np.tensordot(_weights(n), values, 1) / step**n)
    whole = part(a, x)
    return np.where(whole == 0, 0, whole * _moment(logs))


def _along(numbers: Array, like: Array) -> Array:
    return numbers.reshape(-1, *[1] * like.ndim)


def _weights(order: int) -> Array:
    """The weights by which values at the nodes give a derivative at 0.

    They are right for all powers below the number of nodes: a Vandermonde system.
    """
    powers = NODES ** np.arange(len(NODES))[:, None]
    wanted = np.zeros(len(NODES))
    wanted[order] = math.factorial(order)
    return np.linalg.solve(powers, wanted)


def _moment(logs: Any) -> Any:
    """The derivative of exp(f) over exp(f), from all derivatives of f up to its order.

    By Leibniz's rule for exp(f)' = exp(f) f'; the results are complete Bell polynomials.
    """
    moments: list[Any] = [1.0]
    for n in range(1, len(logs) + 1):
        terms = [math.comb(n - 1, k) * (moments[k] * logs[n - k - 1]) for k in range(n)]
        moments.append(sum(terms[1:], terms[0]))
    return moments[-1]


def _density_by_a(a: Tensor, x: Tensor, order: int) -> Tensor:
    """The derivative of the density by a, of this order."""
    logs = [Log(x) - Digamma(a)] + [-Polygamma(n, a) for n in range(1, order)]
    return MulNoNan(_moment(logs), GammaDensity(a, x))


GammaDensity.grads(
    a=lambda g, a, x: g * _density_by_a(a, x, 1),
    x=lambda g, a, x: g * (GammaDensity(a - 1, x) - GammaDensity(a, x)),
)
IgammaGradA.grads(
    a=lambda g, a, x, order: g * IgammaGradA(a, x, order=order + 1),
    x=lambda g, a, x, order: g * _density_by_a(a, x, order),
)
Igamma.grads(
    a=lambda g, a, x: g * IgammaGradA(a, x, order=1),
    x=lambda g, a, x: g * GammaDensity(a, x),
)
Igammac.grads(
    a=lambda g, a, x: -g * IgammaGradA(a, x, order=1),
    x=lambda g, a, x: -g * GammaDensity(a, x),
)


@public("math.igamma")
def igamma(a: NumericLike, x: NumericLike, name: str | None = None) -> Tensor:
    """The regularized lower incomplete gamma function, from 0 at x = 0 to 1.

    >>> import cinta as tf
    >>> tf.math.igamma(1.0, [0.0, 1.0]).numpy().round(4)
    array([0.    , 0.6321], dtype=float32)

    Args:
        a: The positive parameter of the function; it has a gradient too.
        x: Where the integral ends, from 0 on; the shapes are broadcast.
    """
    return matched(Igamma, a, x, REAL_FLOATING)


@public("math.igammac")
def igammac(a: NumericLike, x: NumericLike, name: str | None = None) -> Tensor:
    """The regularized upper incomplete gamma function: 1 - igamma(a, x).

    >>> import cinta as tf
    >>> tf.math.igammac(1.0, [0.0, 1.0]).numpy().round(4)
    array([1.    , 0.3679], dtype=float32)
    """
    return matched(Igammac, a, x, REAL_FLOATING)
