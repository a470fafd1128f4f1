"""Complex numbers: their parts, conjugates, absolute values and angles.

Within a sweep gradients are the conjugates of TensorFlow's, so these rules are transposes in the
plain sense, without a conjugate: the tape conjugates where gradients enter and leave.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, convert_to_tensor
from ...engine.op import op
from ...engine.primitives import Cast, Conj, ZerosLike
from ...engine.tensor import Tensor
from ...public import public
from .casting import cast
from .comparison import less
from .guarded import DivNoNan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array


@op("Complex", broadcasts=True)
def Complex(xp: ArrayModule, real: Array, imag: Array) -> Array:
    """Complex numbers of their parts."""
    real, imag = xp.broadcast_arrays(real, imag)  # an infinite part times 1j would give NaN
    if xp is not np:
        result: Array = import_module("jax.lax").complex(real, imag)
        return result
    whole = np.empty(real.shape, np.result_type(real.dtype, np.complex64))
    whole.real, whole.imag = real, imag
    return whole[()]


@op("Real", elementwise=True)
def Real(xp: ArrayModule, input: Array) -> Array:
    """The real part."""
    return xp.real(input)


@op("Imag", elementwise=True)
def Imag(xp: ArrayModule, input: Array) -> Array:
    """The imaginary part."""
    return xp.imag(input)


@op("ComplexAbs", elementwise=True)
def ComplexAbs(xp: ArrayModule, x: Array) -> Array:
    """The absolute value."""
    return xp.abs(x)


@op("Phase", elementwise=True)
def Phase(xp: ArrayModule, x: Array) -> Array:
    """The number divided by its absolute value, and 0 for 0."""
    return xp.sign(x)


@op("Angle", elementwise=True)
def Angle(xp: ArrayModule, input: Array) -> Array:
    """The angle with the positive real axis."""
    return xp.angle(input)


Complex.grads(real=lambda g: Real(g), imag=lambda g: -Imag(g))
Real.grads(input=lambda g, input_dtype: Cast(g, dtype=input_dtype))
Imag.grads(input=lambda g: Complex(ZerosLike(g), -g))
ComplexAbs.grads(x=lambda g, x, x_dtype: Cast(g, dtype=x_dtype) * Conj(Phase(x)))
Angle.grads(input=lambda g, input, input_dtype: Cast(g, dtype=input_dtype) * -1j / input)


@Phase.pullback
def _(g: Tensor, wanted: Sequence[bool], x: Array, out: Array) -> tuple[Tensor, ...]:
    # a phase turns, but does not grow: what points along it has no effect
    turn = Imag(g * out)
    return (DivNoNan(Complex(ZerosLike(turn), turn), x),)


@public("complex")
def complex(real: NumericLike, imag: NumericLike, name: str | None = None) -> Tensor:
    """Complex numbers of their real and imaginary parts.

    >>> import cinta as tf
    >>> tf.complex([1.0, 2.0], [3.0, 4.0]).numpy()
    array([1.+3.j, 2.+4.j], dtype=complex64)

    Args:
        real: The real parts, float32 or float64.
        imag: The imaginary parts, of the same dtype; the shapes are broadcast.

    Raises:
        TypeError: If the dtypes differ, or are others.
    """
    left, right = as_tensor(real), as_tensor(imag)
    if left.dtype is not right.dtype or left.dtype not in (dtypes.float32, dtypes.float64):
        raise TypeError(
            f"The `real` and `imag` components have incorrect types: {left.dtype.name} "
            f"{right.dtype.name}. They must be consistent, and one of [tf.float32, tf.float64]"
        )
    return Complex(left, right)


@public("math.real")
def real(input: NumericLike, name: str | None = None) -> Tensor:
    """The real part; real numbers as they are.

    >>> import cinta as tf
    >>> tf.math.real([1.0 + 2.0j]).numpy()
    array([1.])

    Args:
        input: Complex or floating-point numbers.

    Raises:
        TypeError: If they are strings.
    """
    z = convert_to_tensor(input)
    if not z.dtype.is_numeric:
        raise TypeError(f"input must be a numeric tensor, but got tensor with dtype {z.dtype}")
    return Real(z) if z.dtype.is_complex else z


@public("math.imag")
def imag(input: NumericLike, name: str | None = None) -> Tensor:
    """The imaginary part; zeros for real numbers, and empty strings for strings.

    >>> import cinta as tf
    >>> tf.math.imag([1.0 + 2.0j]).numpy()
    array([2.])

    Args:
        input: A tensor.
    """
    z = as_tensor(input)
    if z.dtype is dtypes.string:
        return as_tensor(np.full(z._array.shape, b"", object))
    return Imag(z) if z.dtype.is_complex else ZerosLike(z)


@public("math.conj")
def conj(x: NumericLike, name: str | None = None) -> Tensor:
    """The complex conjugate; real numbers as they are.

    >>> import cinta as tf
    >>> tf.math.conj([1.0 + 2.0j]).numpy()
    array([1.-2.j])

    Args:
        x: A tensor of numbers.

    Raises:
        TypeError: If ``x`` holds strings or booleans.
    """
    z = convert_to_tensor(x)
    if not z.dtype.is_numeric:
        raise TypeError(f"Expected numeric or variant tensor, got dtype {z.dtype}")
    return Conj(z) if z.dtype.is_complex else z


@public("math.angle")
def angle(input: NumericLike, name: str | None = None) -> Tensor:
    """The angle of complex numbers with the positive real axis, between -pi and pi.

    >>> import cinta as tf
    >>> tf.math.angle([1.0j, -1.0]).numpy().round(4)
    array([1.5708, 3.1416])

    Args:
        input: Complex or floating-point numbers; those of negative real numbers are pi.

    Raises:
        TypeError: If they are integers, booleans or strings.
    """
    z = as_tensor(input)
    if z.dtype.is_complex:
        return Angle(z)
    if not z.dtype.is_floating:
        raise TypeError(f"tf.math.angle takes complex or floating-point tensors, got {z.dtype!r}")
    negative: Tensor = cast(less(z, 0.0), z.dtype)
    return negative * math.pi
