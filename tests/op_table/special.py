"""Rows of the special functions."""

import cinta as tf
from cinta.ops.elementwise.bessel import Gauss
from cinta.ops.elementwise.unary import SigmoidSlope

from .domains import positive, real, unit
from .row import Row

DTYPES = ("float32",)  # SciPy has no lower precision


def row(function, *inputs, **options):
    return Row(function, *inputs, dtypes=DTYPES, **options)


IGAMMA = positive(2, 3), positive(3)
ROWS = [
    *[
        row(function, real(2, 3))
        for function in (
            tf.math.bessel_i0,
            tf.math.bessel_i0e,
            tf.math.bessel_i1,
            tf.math.bessel_i1e,
            tf.math.erf,
            tf.math.erfc,
            tf.math.special.bessel_j0,
            tf.math.special.bessel_j1,
            tf.math.special.dawsn,
            tf.math.special.fresnel_cos,
            tf.math.special.fresnel_sin,
        )
    ],
    *[
        row(function, positive(2, 3), loose=3.0)
        for function in (
            tf.math.digamma,
            tf.math.lbeta,
            tf.math.lgamma,
            tf.math.special.bessel_k0,
            tf.math.special.bessel_k0e,
            tf.math.special.bessel_k1,
            tf.math.special.bessel_k1e,
            tf.math.special.bessel_y0,
            tf.math.special.bessel_y1,
            tf.math.special.expint,
            tf.math.special.spence,
        )
    ],
    row(tf.math.erfinv, unit(2, 3)),
    row(lambda x: tf.math.erfcinv(x + 1.0), unit(2, 3), name="erfcinv"),
    row(lambda x: tf.math.ndtri((x + 1.0) / 2.0), unit(2, 3), name="ndtri"),
    row(lambda x: tf.math.polygamma(tf.cast(1, x.dtype), x), positive(3), name="polygamma"),
    row(lambda q: tf.math.zeta(tf.cast([2.0, 3.5, 5.0], q.dtype), q), positive(3), name="zeta"),
    row(tf.math.igamma, positive(2, 3), positive(3), loose=3.0, order=2),
    row(tf.math.igammac, positive(2, 3), positive(3), loose=3.0, order=2),
    # from differences of the function's logarithm, so the third derivative has four digits
    Row(tf.math.igamma, *IGAMMA, name="igamma to third order", order=3, dtypes=(), loose=20.0),
    Row(tf.math.igammac, *IGAMMA, name="igammac to third order", order=3, dtypes=(), loose=20.0),
    row(lambda x: Gauss(x, a=1.0, b=1.0, c=3.0), unit(2, 3), name="Gauss"),
    row(SigmoidSlope, real(2, 3), name="SigmoidSlope"),
    row(
        lambda x: tf.math.betainc(tf.cast(2.0, x.dtype), tf.cast(1.5, x.dtype), (x + 1.0) / 2.0),
        unit(3),
        name="betainc",
    ),
]
