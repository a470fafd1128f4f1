"""Special functions: the error functions, gamma, beta and zeta.

The values are SciPy's, which is imported when the first of these functions is called.
"""

from __future__ import annotations

import math
from functools import cache, partial
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor
from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.fast_calls import matched, unary
from ...engine.op import Op, op
from ...engine.parallel import in_blocks
from ...public import public
from ..arguments import tensor_of
from ..arrays.joining import alike
from .arithmetic import negative
from .unary import Exp
from .xlogy import Xlog1py, Xlogy

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


_SHARE = 1 << 16  # elements, each of which takes some ten nanoseconds


@cache
def special_functions(xp: ArrayModule) -> ModuleType:
    """The module of special functions that goes with an array module."""
    return import_module("scipy.special" if xp is np else "jax.scipy.special")


def evaluate(xp: ArrayModule, function: str, *inputs: Array) -> Array:
    """Call a special function by its name, on threads if the arrays are large."""

    def shared(*arrays: Array) -> Array:
        found = getattr(special_functions(xp), function)
        done = in_blocks(found, *arrays, share=_SHARE)
        return found(*arrays) if done is None else done

    return computed(shared, *inputs)


def computed(function: Callable[..., Array], *inputs: Array) -> Array:
    """Call a function, in single precision where the inputs have less."""
    dtype = inputs[-1].dtype
    if dtype.itemsize > 2:
        return function(*inputs)
    return function(*[x.astype(np.float32) for x in inputs]).astype(dtype)


def in_double(xp: ArrayModule, function: Callable[..., Array], *inputs: Array) -> Array:
    """Call a function whose digits cancel on inputs in double precision, where there is one."""
    dtype = inputs[-1].dtype
    if xp is not np:
        return computed(function, *inputs)
    return function(*[np.asarray(x, np.float64) for x in inputs]).astype(dtype)


def special(name: str, function: str) -> Op:
    """Declare an op that is a special function of one number."""

    def of_one(xp: ArrayModule, x: Array) -> Array:
        return evaluate(xp, function, x)

    return Op(name, of_one, elementwise=True)


Erf = special("Erf", "erf")
Erfc = special("Erfc", "erfc")
Erfinv = special("Erfinv", "erfinv")
Ndtri = special("Ndtri", "ndtri")


@op("Lgamma", elementwise=True)
def Lgamma(xp: ArrayModule, x: Array) -> Array:
    """The logarithm of the absolute value of the gamma function."""
    out = xp.where(x == -xp.inf, xp.inf, evaluate(xp, "gammaln", x)).astype(x.dtype)
    if xp is np and x.dtype == np.float64:
        near = np.minimum(np.abs(x - 1), np.abs(x - 2)) < 0.1
        if near.any():  # only the complex function has all digits near the zeros at 1 and 2
            out[near] = special_functions(np).loggamma(x[near] + 0j).real
    return out[()]


@op("Zeta", broadcasts=True)
def Zeta(xp: ArrayModule, x: Array, q: Array) -> Array:
    """The sum of (q + k)^-x over k = 0, 1, 2, ..."""
    # from some exponent on, the other terms of the sum are too small to count
    endless = (x == xp.inf) | ((x > 2000) & (q > 0))
    only_first = xp.maximum(q, 0) ** xp.where(endless, -x, 1)  # all that is left of the sum
    split = _at_pole(xp, q) & (x % 2 != 0) & (x != 1)  # it goes to both infinities there
    summed = evaluate(xp, "zeta", xp.where(endless, 2, x), q)
    return xp.where(endless, only_first, xp.where(split, xp.nan, summed)).astype(q.dtype)[()]


def _at_pole(xp: ArrayModule, x: Array) -> Array:
    result: Array = (x <= 0) & (x == xp.floor(x))
    return result


def digamma_of(xp: ArrayModule, x: Array) -> Array:
    """The digamma function, which is not a number where it goes to both infinities.

    Close to a pole below 0 it is reflected (dlmf.nist.gov, 5.5.4), because only the distance to the
    pole has the digits there.
    """
    digamma = special_functions(xp).digamma
    beyond = x - xp.round(x)
    near = (x < -0.5) & (xp.abs(beyond) < 0.05)
    reflected = digamma(1 - x) - math.pi / xp.tan(math.pi * beyond)
    return xp.where(x == 0, xp.nan, xp.where(near & (beyond != 0), reflected, digamma(x)))[()]


@op("Digamma", elementwise=True)
def Digamma(xp: ArrayModule, x: Array) -> Array:
    """The derivative of Lgamma."""
    return computed(partial(digamma_of, xp), x)


@op("Polygamma", broadcasts=True)
def Polygamma(xp: ArrayModule, a: Array, x: Array) -> Array:
    """The derivative of the digamma function of order a, which is a whole number."""

    def of_order(a: Array, x: Array) -> Array:
        factor = (2 * (a % 2) - 1) * special_functions(xp).gamma(a + 1)
        value = xp.where(a == 0, digamma_of(xp, x), factor * special_functions(xp).zeta(a + 1, x))
        split = _at_pole(xp, x) & (a % 2 == 0)  # it goes to both infinities there
        return xp.where((a < 0) | (a % 1 != 0) | split, xp.nan, value)[()]

    return computed(of_order, xp.asarray(a, dtype=x.dtype), x)


@op("Betainc", broadcasts=True)
def Betainc(xp: ArrayModule, a: Array, b: Array, x: Array) -> Array:
    """The part below x of the integral from 0 to 1 that is the beta function of a and b."""
    return evaluate(xp, "betainc", a, b, x)


def beta_density(a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """The derivative of Betainc by x."""
    log_beta = Lgamma(a) + Lgamma(b) - Lgamma(a + b)
    return Exp(Xlog1py(b - 1, -x) + Xlogy(a - 1, x) - log_beta)


ROOT_PI = math.sqrt(math.pi)

Erf.grads(x=lambda g, x: g * (Exp(-x * x) * (2 / ROOT_PI)))
Erfc.grads(x=lambda g, x: g * (Exp(-x * x) * (-2 / ROOT_PI)))
Erfinv.grads(x=lambda g, out: g * (Exp(out * out) * (ROOT_PI / 2)))
Ndtri.grads(x=lambda g, out: g * (Exp(out * out / 2) * (math.sqrt(2) * ROOT_PI)))
Lgamma.grads(x=lambda g, x: g * Digamma(x))
Digamma.grads(x=lambda g, x: g * Polygamma(1, x))
Polygamma.grads(x=lambda g, a, x: g * Polygamma(a + 1, x))
Zeta.grads(q=lambda g, x, q: g * (-x * Zeta(x + 1, q)))
Betainc.grads(x=lambda g, a, b, x: g * beta_density(a, b, x))


erf = public("math.erf")(
    unary(
        Erf,
        "erf",
        """The error function, which goes from -1 to 1.

    >>> import cinta as tf
    >>> tf.math.erf([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.8427], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
erfc = public("math.erfc")(
    unary(
        Erfc,
        "erfc",
        """1 - erf(x), precise where that is close to 0.

    >>> import cinta as tf
    >>> tf.math.erfc([0.0, 1.0]).numpy().round(4)
    array([1.    , 0.1573], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
erfinv = public("math.erfinv")(
    unary(
        Erfinv,
        "erfinv",
        """The number whose error function this is.

    >>> import cinta as tf
    >>> tf.math.erfinv([0.0, 0.5]).numpy().round(4)
    array([0.    , 0.4769], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
ndtri = public("math.ndtri")(
    unary(
        Ndtri,
        "ndtri",
        """The quantile of the normal distribution: below it lies the part x of all values.

    >>> import cinta as tf
    >>> tf.math.ndtri([0.5, 0.975]).numpy().round(4)
    array([0.  , 1.96], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
lgamma = public("math.lgamma")(
    unary(
        Lgamma,
        "lgamma",
        """The logarithm of the absolute value of the gamma function.

    >>> import cinta as tf
    >>> tf.math.lgamma([1.0, 5.0]).numpy().round(4)
    array([0.    , 3.1781], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
digamma = public("math.digamma")(
    unary(
        Digamma,
        "digamma",
        """The derivative of lgamma.

    >>> import cinta as tf
    >>> tf.math.digamma([1.0, 5.0]).numpy().round(4)
    array([-0.5772,  1.5061], dtype=float32)
    """,
        REAL_FLOATING,
    )
)


@public("math.erfcinv")
def erfcinv(x: NumericLike, name: str | None = None) -> Tensor:
    """The number whose complementary error function this is.

    >>> import cinta as tf
    >>> tf.math.erfcinv([0.5, 1.5]).numpy().round(4)
    array([ 0.4769, -0.4769], dtype=float32)

    Args:
        x: Floating-point numbers between 0 and 2; beyond, the result is nan.
    """
    return negative(ndtri(as_tensor(x) * 0.5)) * math.sqrt(0.5)


@public("math.polygamma")
def polygamma(a: NumericLike, x: NumericLike, name: str | None = None) -> Tensor:
    """The derivative of order a of the digamma function. It has no gradient by a.

    >>> import cinta as tf
    >>> tf.math.polygamma(1.0, [1.0, 2.0]).numpy().round(4)
    array([1.6449, 0.6449], dtype=float32)

    Args:
        a: The order, as a whole floating-point number from 0 on.
        x: Where to evaluate it, of the same dtype; the shapes are broadcast.
    """
    return matched(Polygamma, a, x, REAL_FLOATING)


@public("math.zeta")
def zeta(x: NumericLike, q: NumericLike, name: str | None = None) -> Tensor:
    """Hurwitz's zeta function: the sum of (q + k)^-x over k = 0, 1, 2, ... No gradient by x.

    >>> import cinta as tf
    >>> tf.math.zeta(2.0, [1.0, 2.0]).numpy().round(4)
    array([1.6449, 0.6449], dtype=float32)
    """
    return matched(Zeta, x, q, REAL_FLOATING)


@public("math.betainc")
def betainc(a: NumericLike, b: NumericLike, x: NumericLike, name: str | None = None) -> Tensor:
    """The regularized incomplete beta function, from 0 at x = 0 to 1 at x = 1.

    It has no gradient by a and b.

    >>> import cinta as tf
    >>> tf.math.betainc(2.0, 2.0, [0.25, 0.5]).numpy().round(4)
    array([0.1562, 0.5   ], dtype=float32)
    """
    inputs = [tensor_of("Betainc", value, REAL_FLOATING) for value in alike("Betainc", [a, b, x])]
    return Betainc(*inputs)
