"""Rows of functions of one number or two: arithmetic, elementary functions, complex numbers."""

import cinta as tf

from .domains import complex_numbers, distinct, positive, real, unit
from .row import Row


def row(function, *inputs, name=None, **options):
    """A row named as the function is, with the kind of number behind it if that is unusual."""
    return Row(function, *inputs, name=name or function.__name__, **options)


def on_complex(function, *inputs, **options):
    return Row(function, *inputs, name=f"{function.__name__} complex", dtypes=(), **options)


Z = complex_numbers(2, 3)
W = complex_numbers(3)

ROWS = [
    *[
        row(function, real(2, 3))
        for function in (
            tf.abs,
            tf.asinh,
            tf.atan,
            tf.cos,
            tf.cosh,
            tf.exp,
            tf.identity,
            tf.math.expm1,
            tf.math.log_sigmoid,
            tf.math.reciprocal_no_nan,
            tf.sigmoid,
            tf.sign,
            tf.sin,
            tf.sinh,
            tf.math.softplus,
            tf.square,
            tf.tanh,
        )
    ],
    *[
        row(function, positive(2, 3))
        for function in (tf.math.log, tf.math.log1p, tf.math.reciprocal, tf.math.rsqrt, tf.sqrt)
    ],
    *[row(function, unit(2, 3)) for function in (tf.acos, tf.asin, tf.atanh, tf.tan)],
    row(lambda x: tf.acosh(x + 1.0), positive(2, 3), name="acosh"),
    *[
        row(function, positive(2, 3), positive(3))
        for function in (
            tf.atan2,
            tf.divide,
            tf.math.divide_no_nan,
            tf.math.multiply_no_nan,
            tf.math.xdivy,
            tf.math.xlog1py,
            tf.math.xlogy,
            tf.realdiv,
        )
    ],
    row(tf.math.squared_difference, real(2, 3), real(3)),
    row(tf.math.floormod, real(2, 3), positive(3), dtypes=("float32",)),
    row(tf.math.nextafter, real(2, 3), real(3), dtypes=("float32",)),
    row(tf.maximum, distinct(2, 3), real(3)),
    row(tf.minimum, distinct(2, 3), real(3)),
    row(lambda x, y: tf.maximum(x, y) ** 2, distinct(2, 3), real(3), name="maximum squared"),
    row(tf.clip_by_value, distinct(2, 3), real(3) - 1.0, real(3) + 1.0),
    row(lambda *x: tf.add_n(x), real(3), real(3) * 2, positive(3), name="add_n"),
    row(lambda x: tf.add_n([x]), real(3), name="add_n of one"),
    row(lambda s, x: tf.math.scalar_mul(s, x), real(), real(3), name="scalar_mul"),
    row(lambda a, b, x: tf.math.polyval([a, 2.0, b], x), real(), real(), real(3), name="polyval"),
    row(
        lambda x: tf.cast(tf.cast(x, tf.complex128) * 1j, tf.float64) + x,
        real(3),
        name="cast",
        dtypes=(),
    ),
    row(lambda x: tf.saturate_cast(x, tf.float64), real(3), name="saturate_cast", dtypes=()),
    row(lambda x: 2.0 / x + 3 - x * 0.5, positive(3), name="numbers"),
    row(lambda x: 2.0**x + x**3, real(3), name="powers of and by numbers"),
    row(lambda x, y: -abs(x) % y, real(2, 3), positive(3), name="operators", dtypes=("float32",)),
    *[
        on_complex(function, Z)
        for function in (
            tf.abs,
            tf.acos,
            tf.acosh,
            tf.asin,
            tf.asinh,
            tf.atan,
            tf.atanh,
            tf.cos,
            tf.cosh,
            tf.exp,
            tf.math.angle,
            tf.math.conj,
            tf.math.expm1,
            tf.math.imag,
            tf.math.log,
            tf.math.log1p,
            tf.math.real,
            tf.math.reciprocal,
            tf.math.rsqrt,
            tf.sigmoid,
            tf.sign,
            tf.sin,
            tf.sinh,
            tf.sqrt,
            tf.square,
            tf.tan,
            tf.tanh,
        )
    ],
    *[
        on_complex(function, Z, W)
        for function in (
            tf.add,
            tf.divide,
            tf.math.divide_no_nan,
            tf.math.multiply_no_nan,
            tf.math.squared_difference,
            tf.math.xdivy,
            tf.math.xlog1py,
            tf.math.xlogy,
            tf.multiply,
            tf.pow,
            tf.subtract,
        )
    ],
    row(tf.complex, real(2, 3), real(3), dtypes=("float32",)),
    row(
        lambda x: tf.cast(x, tf.complex128) * (2.0 - 1j), real(3), name="cast to complex", dtypes=()
    ),
    row(lambda z: tf.cast(z, tf.float64), Z, name="cast from complex"),
]
