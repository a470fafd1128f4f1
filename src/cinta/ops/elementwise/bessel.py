"""Bessel functions, and integrals that have names."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.fast_calls import unary
from ...engine.op import op
from ...public import public
from .special import computed, special, special_functions
from .trigonometry import Cos, Sin
from .unary import Abs, Exp, Sign

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array

BesselI0 = special("BesselI0", "i0")
BesselI0e = special("BesselI0e", "i0e")
BesselI1 = special("BesselI1", "i1")
BesselI1e = special("BesselI1e", "i1e")
BesselJ0 = special("BesselJ0", "j0")
BesselJ1 = special("BesselJ1", "j1")
BesselK0 = special("BesselK0", "k0")
BesselK0e = special("BesselK0e", "k0e")
BesselK1 = special("BesselK1", "k1")
BesselK1e = special("BesselK1e", "k1e")
BesselY0 = special("BesselY0", "y0")
BesselY1 = special("BesselY1", "y1")
Dawsn = special("Dawsn", "dawsn")
Expint = special("Expint", "expi")
Spence = special("Spence", "spence")


@op("FresnelCos", elementwise=True)
def FresnelCos(xp: ArrayModule, x: Array) -> Array:
    """The integral of cos(pi t^2 / 2) from 0 to x."""
    return computed(lambda x: special_functions(xp).fresnel(x)[1], x)


@op("FresnelSin", elementwise=True)
def FresnelSin(xp: ArrayModule, x: Array) -> Array:
    """The integral of sin(pi t^2 / 2) from 0 to x."""
    return computed(lambda x: special_functions(xp).fresnel(x)[0], x)


@op("BesselI", elementwise=True)
def BesselI(xp: ArrayModule, x: Array, *, order: int) -> Array:
    """The modified Bessel function of the first kind, of any order."""
    return computed(lambda x: special_functions(xp).iv(xp.asarray(order, x.dtype), x), x)


@op("BesselJ", elementwise=True)
def BesselJ(xp: ArrayModule, x: Array, *, order: int) -> Array:
    """The Bessel function of the first kind, of any order."""
    return computed(lambda x: special_functions(xp).jv(xp.asarray(order, x.dtype), x), x)


@op("Kummer", elementwise=True)
def Kummer(xp: ArrayModule, x: Array, *, a: float, b: float) -> Array:
    """The confluent hypergeometric function, which knows the small difference of large numbers."""

    def confluent(x: Array) -> Array:
        value = special_functions(xp).hyp1f1(a, b, x).astype(x.dtype)
        return xp.where(x == -xp.inf, 0, value)[()]  # the limit, which SciPy does not know

    return computed(confluent, x)


@op("SpenceSlope", elementwise=True)
def SpenceSlope(xp: ArrayModule, x: Array) -> Array:
    """log(x) / (1 - x), and its limit where x is 1."""
    one = x == 1
    return xp.where(one, -1, xp.log(x) / xp.where(one, 1, 1 - x)).astype(x.dtype)[()]


@op("Gauss", elementwise=True)
def Gauss(xp: ArrayModule, x: Array, *, a: float, b: float, c: float) -> Array:
    """The hypergeometric function."""
    return computed(lambda x: special_functions(xp).hyp2f1(a, b, c, x).astype(x.dtype), x)


# The derivatives are those of the Digital Library of Mathematical Functions (dlmf.nist.gov): 10.6
# for J and Y, 10.29 for I and K, 13.3.15 for Kummer's and 15.5.1 for Gauss's function. Where its
# formulas would divide by x or subtract numbers that are almost equal, others are used, which hold
# near 0 and far away: exp(-x) I0(x) is Kummer's function of 1/2, 1 and -2x (10.39.5), and the
# derivative of Dawson's integral D, 1 - 2x D, is that of 1, 1/2 and -x².
Kummer.grads(x=lambda g, x, a, b: g * (a / b * Kummer(x, a=a + 1, b=b + 1)))
Gauss.grads(x=lambda g, x, a, b, c: g * (a * b / c * Gauss(x, a=a + 1, b=b + 1, c=c + 1)))
BesselI.grads(
    x=lambda g, x, order: g * ((BesselI(x, order=order - 1) + BesselI(x, order=order + 1)) / 2)
)
BesselJ.grads(
    x=lambda g, x, order: g * ((BesselJ(x, order=order - 1) - BesselJ(x, order=order + 1)) / 2)
)
BesselI0.grads(x=lambda g, x: g * BesselI1(x))
BesselI1.grads(x=lambda g, x: g * ((BesselI0(x) + BesselI(x, order=2)) / 2))
BesselJ0.grads(x=lambda g, x: -g * BesselJ1(x))
BesselJ1.grads(x=lambda g, x: g * ((BesselJ0(x) - BesselJ(x, order=2)) / 2))
BesselI0e.grads(x=lambda g, x: -g * Sign(x) * Kummer(-2 * Abs(x), a=1.5, b=2.0))
BesselI1e.grads(
    x=lambda g, x: g * (Kummer(-2 * Abs(x), a=1.5, b=2.0) - Kummer(-2 * Abs(x), a=1.5, b=3.0) / 2)
)
BesselK0.grads(x=lambda g, x: -g * BesselK1(x))
BesselK0e.grads(x=lambda g, x, out: g * (out - BesselK1e(x)))
BesselK1.grads(x=lambda g, x, out: -g * (BesselK0(x) + out / x))
BesselK1e.grads(x=lambda g, x, out: g * (out - out / x - BesselK0e(x)))
BesselY0.grads(x=lambda g, x: -g * BesselY1(x))
BesselY1.grads(x=lambda g, x, out: g * (BesselY0(x) - out / x))
Dawsn.grads(x=lambda g, x: g * Kummer(-x * x, a=1.0, b=0.5))
Expint.grads(x=lambda g, x: g * Exp(x) / x)
FresnelCos.grads(x=lambda g, x: g * Cos(x * x * (math.pi / 2)))
FresnelSin.grads(x=lambda g, x: g * Sin(x * x * (math.pi / 2)))
Spence.grads(x=lambda g, x: g * SpenceSlope(x))
SpenceSlope.grads(x=lambda g, x: g * (Gauss(1 - x, a=1.0, b=1.0, c=3.0) / (2 * x)))

bessel_i0 = public("math.bessel_i0", "math.special.bessel_i0")(
    unary(
        BesselI0,
        "bessel_i0",
        """The modified Bessel function of the first kind, order 0.

    >>> import cinta as tf
    >>> tf.math.bessel_i0([0.0, 1.0]).numpy().round(4)
    array([1.    , 1.2661], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
bessel_i0e = public("math.bessel_i0e", "math.special.bessel_i0e")(
    unary(
        BesselI0e,
        "bessel_i0e",
        """exp(-|x|) times the modified Bessel function of the first kind, order 0.

    >>> import cinta as tf
    >>> tf.math.bessel_i0e([0.0, 1.0]).numpy().round(4)
    array([1.    , 0.4658], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
bessel_i1 = public("math.bessel_i1", "math.special.bessel_i1")(
    unary(
        BesselI1,
        "bessel_i1",
        """The modified Bessel function of the first kind, order 1.

    >>> import cinta as tf
    >>> tf.math.bessel_i1([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.5652], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
bessel_i1e = public("math.bessel_i1e", "math.special.bessel_i1e")(
    unary(
        BesselI1e,
        "bessel_i1e",
        """exp(-|x|) times the modified Bessel function of the first kind, order 1.

    >>> import cinta as tf
    >>> tf.math.bessel_i1e([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.2079], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
bessel_j0 = public("math.special.bessel_j0")(
    unary(
        BesselJ0,
        "bessel_j0",
        """The Bessel function of the first kind, order 0.

    >>> import cinta as tf
    >>> tf.math.special.bessel_j0([0.0, 1.0]).numpy().round(4)
    array([1.    , 0.7652], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
bessel_j1 = public("math.special.bessel_j1")(
    unary(
        BesselJ1,
        "bessel_j1",
        """The Bessel function of the first kind, order 1.

    >>> import cinta as tf
    >>> tf.math.special.bessel_j1([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.4401], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
bessel_k0 = public("math.special.bessel_k0")(
    unary(
        BesselK0,
        "bessel_k0",
        """The modified Bessel function of the second kind, order 0.

    >>> import cinta as tf
    >>> tf.math.special.bessel_k0([0.5, 1.0]).numpy().round(4)
    array([0.9244, 0.421 ], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
bessel_k0e = public("math.special.bessel_k0e")(
    unary(
        BesselK0e,
        "bessel_k0e",
        """exp(x) times the modified Bessel function of the second kind, order 0.

    >>> import cinta as tf
    >>> tf.math.special.bessel_k0e([0.5, 1.0]).numpy().round(4)
    array([1.5241, 1.1445], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
bessel_k1 = public("math.special.bessel_k1")(
    unary(
        BesselK1,
        "bessel_k1",
        """The modified Bessel function of the second kind, order 1.

    >>> import cinta as tf
    >>> tf.math.special.bessel_k1([0.5, 1.0]).numpy().round(4)
    array([1.6564, 0.6019], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
bessel_k1e = public("math.special.bessel_k1e")(
    unary(
        BesselK1e,
        "bessel_k1e",
        """exp(x) times the modified Bessel function of the second kind, order 1.

    >>> import cinta as tf
    >>> tf.math.special.bessel_k1e([0.5, 1.0]).numpy().round(4)
    array([2.731 , 1.6362], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
bessel_y0 = public("math.special.bessel_y0")(
    unary(
        BesselY0,
        "bessel_y0",
        """The Bessel function of the second kind, order 0.

    >>> import cinta as tf
    >>> tf.math.special.bessel_y0([0.5, 1.0]).numpy().round(4)
    array([-0.4445,  0.0883], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
bessel_y1 = public("math.special.bessel_y1")(
    unary(
        BesselY1,
        "bessel_y1",
        """The Bessel function of the second kind, order 1.

    >>> import cinta as tf
    >>> tf.math.special.bessel_y1([0.5, 1.0]).numpy().round(4)
    array([-1.4715, -0.7812], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
dawsn = public("math.special.dawsn")(
    unary(
        Dawsn,
        "dawsn",
        """Dawson's integral: exp(-x^2) times the integral of exp(t^2) from 0 to x.

    >>> import cinta as tf
    >>> tf.math.special.dawsn([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.5381], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
expint = public("math.special.expint")(
    unary(
        Expint,
        "expint",
        """The exponential integral Ei: the integral of exp(t) / t from minus infinity to x.

    >>> import cinta as tf
    >>> tf.math.special.expint([0.5, 1.0]).numpy().round(4)
    array([0.4542, 1.8951], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
fresnel_cos = public("math.special.fresnel_cos")(
    unary(
        FresnelCos,
        "fresnel_cos",
        """The integral of cos(pi t^2 / 2) from 0 to x.

    >>> import cinta as tf
    >>> tf.math.special.fresnel_cos([0.5, 1.0]).numpy().round(4)
    array([0.4923, 0.7799], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
fresnel_sin = public("math.special.fresnel_sin")(
    unary(
        FresnelSin,
        "fresnel_sin",
        """The integral of sin(pi t^2 / 2) from 0 to x.

    >>> import cinta as tf
    >>> tf.math.special.fresnel_sin([0.5, 1.0]).numpy().round(4)
    array([0.0647, 0.4383], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
spence = public("math.special.spence")(
    unary(
        Spence,
        "spence",
        """Spence's integral, the dilogarithm of 1 - x: of -log(t) / (t - 1) from 1 to x.

    >>> import cinta as tf
    >>> tf.math.special.spence([0.5, 1.0]).numpy().round(4)
    array([0.5822, 0.    ], dtype=float32)
    """,
        REAL_FLOATING,
    )
)
